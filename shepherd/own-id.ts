// Ids that callers choose for rows and routines: they stand in paths, beside literal words. Pure.
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

/** Why this can't be an id, as one sentence; undefined when it can. `taken`: the words of paths beside it. */
export function idFault(id: string, taken: ReadonlySet<string>): string | undefined {
  if (ID.test(id) && !taken.has(id)) return undefined;
  const [first, second, third] = taken;
  return `An id is 1 to 64 letters, digits, dots, colons, dashes or underscores, and not ${first}, ${second} or ${third}.`;
}
