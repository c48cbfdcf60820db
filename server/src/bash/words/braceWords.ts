import type { BraceExpansionPart, WordPart } from 'unbash';
import { type BracePart, type BraceSlice, expandBraces } from '../library/braces.ts';
import type { Shell } from '../state/shell.ts';
import { literal, type Surroundings } from '../text/literal.ts';
import type { Source } from '../text/source.ts';
import { expandParts } from './expand.ts';
import type { Item } from './split.ts';

const bare: Surroundings = { quoted: false, splits: false, tilde: 'start' };

type BraceAtom =
  | { readonly kind: 'run'; readonly text: string; readonly pos: number }
  | { readonly kind: 'part'; readonly part: WordPart };

/** The unquoted characters of parts, and the parts whose braces are literal. */
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

/** Number of braces that an operand opens and the end of its expansion does not close: `${x:-{a}` of `${x:-{a}{1,2}}`. */
function openedBraces({ type, text }: WordPart): number {
  if (type !== 'ParameterExpansion' || text.indexOf('{', 2) < 0) return 0;
  let open = 0;
  for (const { 0: found } of text.matchAll(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[{}]/g))
    open += found === '{' ? 1 : found === '}' ? -1 : 0;
  return Math.max(0, open);
}

/**
 * Whether braces may make several words of one. The parser finds those closed by their first `}`; Bash looks for a later one if no comma comes
 * before it: `{$a},b}` is `$a} b`.
 */
export function mayHaveBraces(parts: readonly WordPart[]): boolean {
  if (parts.some(({ type }) => type === 'BraceExpansion')) return true;
  if (!parts.some(({ type, text }) => type === 'Literal' && text.includes('{'))) return false;
  const text = parts.map((part) => (part.type === 'Literal' ? part.text : ' ')).join('');
  const first = text.indexOf('}', text.indexOf('{'));
  return first >= 0 && text.lastIndexOf('}') > first && /,|\.\./.test(text.slice(first));
}

/** The words that brace expansion makes of one, each as items; undefined if there are too many. */
export function braceAlternatives(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
): readonly (readonly Item[])[] | undefined {
  const atoms = braceAtoms(parts);
  const { meter } = shell.run;
  const slices = expandBraces(
    atoms.map(
      (atom): BracePart =>
        atom.kind === 'run'
          ? { kind: 'text', text: atom.text }
          : {
              kind: 'opaque',
              opens: openedBraces(atom.part),
              comma: /^(?:\\[\s\S]|[^\\,])*,/.test(atom.part.text),
            },
    ),
    meter.budget.words,
  );
  // Finding that there are too many takes as long as making that many.
  if (!meter.spend(slices?.length ?? meter.budget.words) || slices === undefined) return undefined;
  const origin = { ...source.origin(parts[0]?.pos ?? 0, parts.at(-1)?.end ?? 0), verbatim: false };
  return slices.map((word) => {
    const items: Item[] = [];
    // Characters that belong to the preceding name: `$A{1,2}` is `$A1 $A2`.
    let taken = 0;
    word.forEach((slice, index) => {
      const around = index === 0 ? bare : { ...bare, tilde: 'no' as const };
      const atom = slice.kind === 'made' ? undefined : atoms[slice.part];
      if (atom?.kind === 'part') {
        const rest = nameBehind(atom.part, atoms, word.slice(index + 1));
        taken = rest.length;
        expandParts(shell, source, [taken === 0 ? atom.part : longer(atom.part, rest)], around, items);
        return;
      }
      const text = textOf(slice, atoms) ?? '';
      const from = Math.min(taken, text.length);
      taken -= from;
      if (from === text.length && from > 0) return;
      if (slice.kind === 'made') {
        const piece = { kind: 'text', text: text.slice(from), origin } as const;
        items.push({ kind: 'piece', piece, quoted: false, splits: false });
      } else if (atom !== undefined)
        literal(shell, source, text.slice(from), atom.pos + slice.start + from, 'none', around, items, {
          first: index === 0,
          last: index === word.length - 1,
        });
    });
    return items;
  });
}

/** The unquoted text of a slice; undefined for an expansion or quotes. */
function textOf(slice: BraceSlice, atoms: readonly BraceAtom[]): string | undefined {
  if (slice.kind === 'made') return slice.text;
  const atom = atoms[slice.part];
  return atom?.kind === 'run' ? atom.text.slice(slice.start, slice.end) : undefined;
}

/** The characters that brace expansion puts after `$NAME` and that continue the name. */
function nameBehind(part: WordPart, atoms: readonly BraceAtom[], behind: readonly BraceSlice[]): string {
  if (part.type !== 'SimpleExpansion' || !/^\$[A-Za-z_]/.test(part.text)) return '';
  let text = '';
  for (const slice of behind) {
    const more = textOf(slice, atoms);
    if (more === undefined) break;
    text += more;
    if (/\W/.test(more)) break;
  }
  return /^\w*/.exec(text)?.[0] ?? '';
}

function longer(part: WordPart, rest: string): WordPart {
  return part.type === 'SimpleExpansion' ? { ...part, text: part.text + rest } : part;
}
