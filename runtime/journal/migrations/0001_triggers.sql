CREATE TRIGGER `foreign_guard_write` AFTER UPDATE OF `guard_enabled` ON `seats`
WHEN NEW.`guard_writes` = OLD.`guard_writes`
BEGIN
  UPDATE `seats` SET `guard_writes` = 0 WHERE `seat` = NEW.`seat`;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_keeps_rows` BEFORE DELETE ON `audit`
BEGIN
  SELECT RAISE(ABORT, 'the audit feed is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_keeps_records` BEFORE UPDATE ON `audit`
BEGIN
  SELECT RAISE(ABORT, 'the audit feed is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `handovers_keep_rows` BEFORE DELETE ON `handovers`
BEGIN
  SELECT RAISE(ABORT, 'provenance is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `handovers_keep_records` BEFORE UPDATE ON `handovers`
BEGIN
  SELECT RAISE(ABORT, 'provenance is append-only');
END;
