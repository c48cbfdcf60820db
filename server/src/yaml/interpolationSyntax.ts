/** A part of a text as OmegaConf reads it; offsets count in that text. */
export type InterpolationPart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'node';
      /** Leading dots: 0 starts at the root, 1 beside the value, 2 one level up, … */
      readonly dots: number;
      /** Keys, each of which is text or has parts of its own (`${a.${b}}`). */
      readonly keys: readonly (readonly InterpolationPart[])[];
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: 'resolver'; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: 'malformed'; readonly start: number; readonly end: number };

const nestingLimit = 20;

/** The characters of a key (INTER_KEY in OmegaConf's grammar). */
const keyText = /^[^\\{}()[\]:.\s'"]*$/;

/** Whether OmegaConf looks for interpolations in a text at all. */
export function hasInterpolation(text: string): boolean {
  return text.includes('${');
}

/**
 * Splits a text into literal text and interpolations: `${a.b}`, `${.c}`, `${a[0]}`, `${a.${b}}`, `${oc.env:X,1}`. `\${` is literal. The parts
 * cover the text without gaps.
 */
export function interpolationParts(text: string): readonly InterpolationPart[] {
  return partsBetween(text, 0, text.length, 0);
}

/** Why OmegaConf cannot parse the interpolations of a text, in a few words; undefined if it can. */
export function interpolationFault(text: string): string | undefined {
  const malformed = interpolationParts(text).find(({ kind }) => kind === 'malformed');
  if (malformed === undefined) return undefined;
  return text.slice(malformed.start, malformed.end).endsWith('}')
    ? 'OmegaConf cannot read it'
    : '${ is never closed';
}

function partsBetween(text: string, start: number, end: number, depth: number): readonly InterpolationPart[] {
  const parts: InterpolationPart[] = [];
  let at = start;
  while (at < end) {
    const open = text.indexOf('${', at);
    if (open === -1 || open >= end) break;
    let slashes = 0;
    while (open - slashes > at && text[open - slashes - 1] === '\\') slashes += 1;
    const plainEnd = open - slashes;
    if (plainEnd > at) parts.push({ kind: 'text', text: text.slice(at, plainEnd), start: at, end: plainEnd });
    if (slashes > 1)
      parts.push({
        kind: 'text',
        text: '\\'.repeat(slashes >> 1),
        start: plainEnd,
        end: open - (slashes % 2),
      });
    if (slashes % 2 === 1) {
      parts.push({ kind: 'text', text: '${', start: open - 1, end: open + 2 });
      at = open + 2;
      continue;
    }
    const close = depth < nestingLimit ? closingBrace(text, open + 2, end) : -1;
    if (close === -1) {
      parts.push({ kind: 'malformed', start: open, end });
      return parts;
    }
    parts.push(interpolation(text, open, close, depth));
    at = close + 1;
  }
  if (at < end) parts.push({ kind: 'text', text: text.slice(at, end), start: at, end });
  return parts;
}

/** Offset of the `}` that closes an interpolation whose content starts at `from`, or -1. */
function closingBrace(text: string, from: number, end: number): number {
  let open = 1;
  for (let at = from; at < end; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') open += 1;
    else if (character === '}') {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return -1;
}

function interpolation(text: string, open: number, close: number, depth: number): InterpolationPart {
  const whole = { start: open, end: close + 1 };
  const inside = text.slice(open + 2, close);
  const resolver = /^\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*:/.exec(inside);
  if (resolver !== null) return { kind: 'resolver', name: resolver[1] ?? '', ...whole };
  const lead = /^\s*(\.*)/.exec(inside);
  const dots = (lead?.[1] ?? '').length;
  const keys: (readonly InterpolationPart[])[] = [];
  let at = open + 2 + (lead?.[0] ?? '').length;
  const stop = open + 2 + inside.trimEnd().length;
  while (at < stop) {
    const bracketed = text[at] === '[';
    const from = bracketed ? at + 1 : at;
    const to = keyEnd(text, from, stop, bracketed);
    if (to === from || to === -1) return { kind: 'malformed', ...whole };
    const key = partsBetween(text, from, to, depth + 1);
    const [first, second] = key;
    // `${${name}:1}`: the name of a resolver can be an interpolation itself.
    if (first?.kind === 'node' && second?.kind === 'text' && second.text.startsWith(':'))
      return { kind: 'resolver', name: '', ...whole };
    const sound = key.every(
      (part) => part.kind === 'node' || (part.kind === 'text' && keyText.test(part.text)),
    );
    if (!sound) return { kind: 'malformed', ...whole };
    keys.push(key);
    at = bracketed ? to + 1 : to;
    if (text[at] === '.' && at + 1 < stop) at += 1;
    else if (at < stop && text[at] !== '[') return { kind: 'malformed', ...whole };
  }
  return keys.length === 0 ? { kind: 'malformed', ...whole } : { kind: 'node', dots, keys, ...whole };
}

function keyEnd(text: string, from: number, stop: number, bracketed: boolean): number {
  let at = from;
  while (at < stop) {
    const character = text[at];
    if (character === '$' && text[at + 1] === '{') {
      const close = closingBrace(text, at + 2, stop);
      if (close === -1) return -1;
      at = close + 1;
      continue;
    }
    if (bracketed ? character === ']' : character === '.' || character === '[') return at;
    at += 1;
  }
  return bracketed ? -1 : at;
}
