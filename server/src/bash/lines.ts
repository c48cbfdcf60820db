import type { Statement } from 'unbash';
import type { Source } from './source.ts';

/** The first statement that begins on a later line than the one at `index` ends. */
export function indexOfNextLine(source: Source, statements: readonly Statement[], index: number): number {
  const line = source.text.indexOf('\n', statements[index]?.end ?? 0);
  if (line < 0) return statements.length;
  let next = index + 1;
  while ((statements[next]?.pos ?? line) < line) next += 1;
  return next;
}
