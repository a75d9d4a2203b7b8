CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`seat` text,
	`session` text,
	`record` blob NOT NULL,
	`hash` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_seat` ON `audit` (`seat`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_session` ON `audit` (`session`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_by_rare_kind` ON `audit` (`kind`,`seq`) WHERE kind not in ('injection.granted', 'injection.finished');--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`verifier` text NOT NULL,
	`seats` text,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_verifier_unique` ON `credentials` (`verifier`);--> statement-breakpoint
CREATE TABLE `facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `generations` (
	`session` text PRIMARY KEY NOT NULL,
	`generation` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `handovers` (
	`id` text PRIMARY KEY NOT NULL,
	`seat` text NOT NULL,
	`at` integer NOT NULL,
	`record` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `handovers_by_seat` ON `handovers` (`seat`,`at`);--> statement-breakpoint
CREATE TABLE `occupants` (
	`seat` text NOT NULL,
	`version` integer NOT NULL,
	`session` text NOT NULL,
	`generation` integer NOT NULL,
	`state` text NOT NULL,
	`conversation` text,
	`bound_at` integer NOT NULL,
	`ended_at` integer,
	`outcome` text,
	PRIMARY KEY(`seat`, `version`)
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`seat` text NOT NULL,
	`session` text,
	`generation` integer,
	`tenure` text,
	`identity` text NOT NULL,
	`actor` text,
	`origin` text NOT NULL,
	`urgent` integer NOT NULL,
	`routine` text,
	`body` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`supersede` text,
	`idempotency_key` text,
	`state` text NOT NULL,
	`reason` text,
	`confirmed` integer,
	`bytes_written` integer NOT NULL,
	`created_at` integer NOT NULL,
	`deadline_at` integer,
	`updated_at` integer NOT NULL,
	`superseded_count` integer NOT NULL,
	`first_held_at` integer,
	`retired_at` integer,
	`retired_by` text,
	`retired_reason` text
);
--> statement-breakpoint
CREATE INDEX `outbox_by_seat` ON `outbox` (`seat`,`state`,`retired_at`);--> statement-breakpoint
CREATE INDEX `outbox_by_state` ON `outbox` (`state`,`updated_at`);--> statement-breakpoint
CREATE INDEX `outbox_by_key` ON `outbox` (`seat`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `seats` (
	`seat` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`pack` text NOT NULL,
	`settings` text NOT NULL,
	`policy` text NOT NULL,
	`binding` text,
	`guard_enabled` integer NOT NULL,
	`guard_desired` text NOT NULL,
	`guard_effective` text NOT NULL,
	`guard_revision` integer NOT NULL,
	`guard_writes` integer NOT NULL,
	`created_at` integer NOT NULL
);
