// The demo agent's journal for tests: one JSON line for each thing that came in or was decided. Always true: an entry is in
// the file when `note` returns; bytes are base64 of exactly what one read gave. Without a file it does nothing.
import { appendFileSync } from 'node:fs';

/** `at` is milliseconds since the epoch. */
export type Entry = { readonly at: number } & (
  | { readonly type: 'start'; readonly pid: number; readonly argv: readonly string[] }
  | { readonly type: 'read'; readonly bytes: string }
  | { readonly type: 'submit'; readonly text: string; readonly queued: boolean }
  | { readonly type: 'answer'; readonly kind: string; readonly choice: number | null }
  | { readonly type: 'status'; readonly speech: string; readonly state: string }
  | { readonly type: 'exit'; readonly code: number }
);
type Without<T> = T extends unknown ? Omit<T, 'at'> : never;

export interface Journal {
  note(entry: Without<Entry>): void;
}

export function openJournal(file: string): Journal {
  return {
    note(entry) {
      if (file !== '') appendFileSync(file, `${JSON.stringify({ at: Date.now(), ...entry })}\n`);
    },
  };
}
