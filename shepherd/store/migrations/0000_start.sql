CREATE TABLE `queue_transitions_archive` (
	`id` integer PRIMARY KEY NOT NULL,
	`row_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`from_state` text,
	`to_state` text NOT NULL,
	`note` text,
	`closure_reason` text,
	`closure_target` text
);
--> statement-breakpoint
CREATE INDEX `queue_transitions_archive_by_row` ON `queue_transitions_archive` (`row_id`,`id`);--> statement-breakpoint
CREATE TABLE `queue_requests` (
	`key` text PRIMARY KEY NOT NULL,
	`seat` text NOT NULL,
	`origin` text NOT NULL,
	`priority` text NOT NULL,
	`wakes` text NOT NULL,
	`body` text NOT NULL,
	`supersede` text NOT NULL,
	`state` text NOT NULL,
	`outcome` text,
	`reason` text,
	`asked_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `queue_requests_by_state` ON `queue_requests` (`state`,`seat`);--> statement-breakpoint
CREATE TABLE `queue_rows` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`destination` text NOT NULL,
	`state` text NOT NULL,
	`priority` text NOT NULL,
	`tier` text,
	`tags` text NOT NULL,
	`summary` text NOT NULL,
	`body` text NOT NULL,
	`blocked_on` text,
	`handed_off_to` text,
	`handed_off_from` text,
	`expires_at` integer,
	`not_before` integer,
	`closure_reason` text,
	`closure_target` text,
	`closure_required_at` integer,
	`claimed_at` integer,
	`last_wake_at` integer,
	`last_wake_result` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `queue_rows_by_destination` ON `queue_rows` (`destination`,`state`);--> statement-breakpoint
CREATE INDEX `queue_rows_by_state` ON `queue_rows` (`state`,`closure_required_at`);--> statement-breakpoint
CREATE INDEX `queue_rows_by_update` ON `queue_rows` (`updated_at`);--> statement-breakpoint
CREATE TABLE `queue_timers` (
	`row_id` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `queue_timers_by_due` ON `queue_timers` (`due_at`);--> statement-breakpoint
CREATE TABLE `queue_transitions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`row_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`from_state` text,
	`to_state` text NOT NULL,
	`note` text,
	`closure_reason` text,
	`closure_target` text
);
--> statement-breakpoint
CREATE INDEX `queue_transitions_by_row` ON `queue_transitions` (`row_id`,`id`);--> statement-breakpoint
CREATE TABLE `queue_wakes` (
	`id` text PRIMARY KEY NOT NULL,
	`row_id` text NOT NULL,
	`seat` text NOT NULL,
	`origin` text NOT NULL,
	`priority` text NOT NULL,
	`envelope` text NOT NULL,
	`state` text NOT NULL,
	`until` text,
	`until_at` integer,
	`request_key` text,
	`unresolved` integer NOT NULL,
	`result` text,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `queue_wakes_by_row` ON `queue_wakes` (`row_id`);--> statement-breakpoint
CREATE INDEX `queue_wakes_by_state` ON `queue_wakes` (`state`,`seat`);--> statement-breakpoint
CREATE INDEX `queue_wakes_by_request` ON `queue_wakes` (`request_key`);