DROP INDEX `audit_by_session`;--> statement-breakpoint
CREATE INDEX `audit_by_other_session` ON `audit` (`session`,`seq`) WHERE session is not seat;--> statement-breakpoint
DROP INDEX `outbox_by_seat`;--> statement-breakpoint
DROP INDEX `outbox_by_state`;--> statement-breakpoint
DROP INDEX `outbox_by_key`;--> statement-breakpoint
CREATE INDEX `outbox_held` ON `outbox` (`seat`,`retired_at`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `outbox_open` ON `outbox` (`state`) WHERE state in ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX `outbox_final` ON `outbox` (`updated_at`) WHERE state in ('complete', 'indeterminate', 'failed');--> statement-breakpoint
CREATE INDEX `outbox_by_key` ON `outbox` (`seat`,`idempotency_key`) WHERE idempotency_key is not null;