// The known word that an unknown one was probably meant to be. It only measures; whoever asks words the message.

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The nearest of some words, the first of equally near ones. Only the first 64 characters of the word count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const short = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const here = editDistance(short, candidate);
    if (here < distance) {
      best = candidate;
      distance = here;
    }
  }
  return best;
}
