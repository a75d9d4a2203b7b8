// Takes variables past a starter that would obey or change them: they travel under another name, and the starter gives
// them their own back just before it becomes the program. Pure.

/** Prefix of a travelling name; nobody else's variable begins like this, the environment rules refuse OPENFLOOR_*. */
export const KEPT = 'OPENFLOOR_KEPT_';

export function keepPast(
  env: Readonly<Record<string, string>>,
  obeys: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [obeys(name) ? KEPT + name : name, value]),
  );
}
