import type { BraceExpansionPart, WordPart } from 'unbash';
import { expandParts } from './expand.ts';
import { type BracePart, expandBraces } from './library/braces.ts';
import { literal, type Surroundings } from './literal.ts';
import type { Shell } from './shell.ts';
import type { Source } from './source.ts';
import type { Item } from './split.ts';

const bare: Surroundings = { quoted: false, splits: false, tilde: 'start' };

type BraceAtom =
  | { readonly kind: 'run'; readonly text: string; readonly pos: number }
  | { readonly kind: 'part'; readonly part: WordPart };

/** The unquoted characters of parts, and the parts whose braces do not count. */
export function braceAtoms(parts: readonly WordPart[]): BraceAtom[] {
  const out: BraceAtom[] = [];
  for (const part of parts) {
    if (part.type === 'BraceExpansion') out.push(...braceInside(part));
    else if (part.type === 'Literal' || part.type === 'Glob') out.push(...unescapedRuns(part.text, part.pos));
    else out.push({ kind: 'part', part });
  }
  return out;
}

function braceInside(part: BraceExpansionPart): BraceAtom[] {
  if (part.parts === undefined) return unescapedRuns(part.text, part.pos);
  return [
    { kind: 'run', text: '{', pos: part.pos },
    ...braceAtoms(part.parts),
    { kind: 'run', text: '}', pos: part.end - 1 },
  ];
}

function unescapedRuns(text: string, pos: number): BraceAtom[] {
  const out: BraceAtom[] = [];
  for (const match of text.matchAll(/\\[\s\S]|[^\\]+/g)) {
    const run = match[0];
    const at = pos + match.index;
    if (run.startsWith('\\'))
      out.push({
        kind: 'part',
        part: { type: 'Literal', pos: at, end: at + 2, text: run, value: run.slice(1) },
      });
    else out.push({ kind: 'run', text: run, pos: at });
  }
  return out;
}

/** The words that braces make of one, each as items; undefined when there are too many. */
export function braceAlternatives(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
): readonly (readonly Item[])[] | undefined {
  const atoms = braceAtoms(parts);
  const { meter } = shell.run;
  const slices = expandBraces(
    atoms.map(
      (atom): BracePart => (atom.kind === 'run' ? { kind: 'text', text: atom.text } : { kind: 'opaque' }),
    ),
    meter.budget.words,
  );
  if (slices === undefined || !meter.spend(slices.length)) return undefined;
  const origin = { ...source.origin(parts[0]?.pos ?? 0, parts.at(-1)?.end ?? 0), verbatim: false };
  return slices.map((word) => {
    const items: Item[] = [];
    word.forEach((slice, index) => {
      const around = index === 0 ? bare : { ...bare, tilde: 'no' as const };
      if (slice.kind === 'made') {
        items.push({
          kind: 'piece',
          piece: { kind: 'text', text: slice.text, origin },
          quoted: false,
          splits: false,
        });
        return;
      }
      const atom = atoms[slice.part];
      if (atom?.kind === 'part') expandParts(shell, source, [atom.part], around, items);
      else if (atom !== undefined)
        literal(
          shell,
          source,
          atom.text.slice(slice.start, slice.end),
          atom.pos + slice.start,
          'none',
          around,
          items,
          {
            first: index === 0,
            last: index === word.length - 1,
          },
        );
    });
    return items;
  });
}
