// What of a pack the screen's reader needs, for one version of the agent. Always true: plain data that can be posted to the
// screen worker; what doesn't hold for the version is left out.
import type { ReadingPack } from '../composer/reading-pack.js';
import { versionInRange } from '../status/version.js';
import type { Pack } from './load.js';

/** The reading part of a pack for an agent of this version; an unknown version is inside every range. */
export function readingPackOf(pack: Pack, version?: string): ReadingPack {
  const holds = (item: { readonly versions: string }) => versionInRange(item.versions, version);
  const { composer } = pack;
  return {
    ...(composer !== undefined && holds(composer) ? { composer } : {}),
    rows: pack.rows.filter(holds),
    paste_labels: pack.paste_labels.filter(holds),
    dialogs: pack.dialogs.filter(holds),
  };
}
