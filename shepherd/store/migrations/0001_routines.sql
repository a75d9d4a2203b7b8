CREATE TABLE `alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`seat` text,
	`routine` text,
	`since_at` integer NOT NULL,
	`detail` text,
	`raised_at` integer NOT NULL,
	`told` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `routine_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`routine_id` text NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`seat` text NOT NULL,
	`result` text,
	`request_key` text,
	`rows` text NOT NULL,
	`fingerprint` text,
	`occupant` text,
	`note` text,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `routine_attempts_by_routine` ON `routine_attempts` (`routine_id`,`id`);--> statement-breakpoint
CREATE INDEX `routine_attempts_by_request` ON `routine_attempts` (`request_key`);--> statement-breakpoint
CREATE INDEX `routine_attempts_by_result` ON `routine_attempts` (`result`);--> statement-breakpoint
CREATE TABLE `parked_owners` (
	`seat` text PRIMARY KEY NOT NULL,
	`attempted_at` integer,
	`fingerprint` text,
	`occupant` text,
	`unresolved` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `routines` (
	`id` text PRIMARY KEY NOT NULL,
	`policy` text NOT NULL,
	`spec` text NOT NULL,
	`seat` text NOT NULL,
	`schedule` text NOT NULL,
	`scan_ms` integer,
	`active_wake_ms` integer,
	`state` text NOT NULL,
	`registrar` text NOT NULL,
	`next_due_at` integer,
	`last_evaluated_at` integer,
	`last_fired_at` integer,
	`actionable` integer NOT NULL,
	`memo` text,
	`unresolved` integer NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`terminal_reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `routines_by_due` ON `routines` (`state`,`next_due_at`);--> statement-breakpoint
CREATE INDEX `routines_by_seat` ON `routines` (`seat`,`state`);--> statement-breakpoint
CREATE INDEX `routines_by_failures` ON `routines` (`failures`);