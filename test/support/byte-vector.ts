// Reads vector files of spec/vectors and the byte notation they share. Always true: a case with a field that the reader
// wasn't told about fails the test, so that a vector can't silently test nothing. A body is a string (its UTF-8 bytes) or
// a list of strings, `{"hex": …}` and `{"repeat": …, "times": n}`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Piece = string | { readonly hex: string } | { readonly repeat: string; readonly times: number };
export type Body = string | readonly Piece[];

/** The package's root, also when the code runs from dist/. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The cases of one vector file below spec/vectors. Every case has a description and exactly the fields of `fields`. */
export function readVectors<Case extends { readonly description: string }>(
  file: string,
  fields: readonly string[],
): readonly Case[] {
  const path = join(packageRoot(), 'spec/vectors', file);
  const cases = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>[];
  for (const item of cases) {
    if (typeof item.description !== 'string') throw new Error(`${file}: a case without a description`);
    const strange = Object.keys(item).filter((key) => key !== 'description' && !fields.includes(key));
    if (strange.length > 0)
      throw new Error(`${file}: "${item.description}" has unknown ${strange.join(', ')}`);
  }
  return cases as unknown as readonly Case[];
}

function pieceBytes(piece: Piece): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8');
  if ('hex' in piece) return Buffer.from(piece.hex, 'hex');
  return Buffer.from(piece.repeat.repeat(piece.times), 'utf8');
}

/** A body as the status room takes it: one char (0..255) a byte. */
export function bodyOf(body: Body): string {
  const pieces = typeof body === 'string' ? [body] : body;
  return Buffer.concat(pieces.map(pieceBytes)).toString('latin1');
}
