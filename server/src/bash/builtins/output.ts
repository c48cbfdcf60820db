import { assumedTextOf } from '../conditions/shadow.ts';
import { decodeEscapes } from '../library/escapes.ts';
import { formatPrintf } from '../library/printf.ts';
import { quoteForPrintf } from '../library/quote.ts';
import { doubtNamed } from '../state/doubt.ts';
import {
  displayed,
  hole,
  isUncounted,
  knownText,
  made,
  nothing,
  type Pieces,
  type ShellPiece,
} from '../state/pieces.ts';
import { failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { isReadonly } from '../words/read.ts';
import { joinValues } from '../words/split.ts';
import { type Builtin, type Call, textAt } from './builtin.ts';
import { formattedApart } from './formattedApart.ts';
import { assignTarget, targetOf } from './target.ts';

/** `echo`: its words separated by spaces, as pieces that keep their origins. */
export const echo: Builtin = (shell, words, { place }) => {
  shell.status = success;
  if (shell.stdout === undefined) return undefined;
  let index = 0;
  let newline = true;
  let escapes = false;
  for (; index < words.length; index += 1) {
    const text = textAt(words, index);
    if (text === undefined || !/^-[neE]+$/.test(text)) break;
    if (text.includes('n')) newline = false;
    if (text.includes('e')) escapes = true;
    if (text.includes('E')) escapes = false;
  }
  const values = words.slice(index).map((word) => word.pieces);
  const out = [...joinValues(values, ' ', place)];
  if (escapes && out.some((piece) => piece.kind === 'text' && piece.text.includes('\\'))) {
    const text = knownText(out);
    const decoded = text === undefined ? undefined : decodeEscapes(text, 'echo');
    if (decoded === undefined)
      shell.write([{ ...hole('too-complex', `$(echo ${displayed(out)})`, place), splits: true }]);
    else shell.write(made(decoded.text + (newline && !decoded.stopped ? '\n' : ''), place));
    return undefined;
  }
  if (newline) out.push(...made('\n', place));
  shell.write(out);
  return undefined;
};

/** `printf [-v NAME] FORMAT WORDS…`. */
export const printf: Builtin = (shell, words, call) => {
  shell.status = success;
  let rest = words;
  let target: string | undefined;
  const option = textAt(words, 0) ?? '';
  if (option.startsWith('-v')) {
    const isApart = option === '-v';
    target = isApart ? textAt(words, 1) : option.slice(2);
    rest = words.slice(isApart ? 2 : 1);
    if (target === undefined) {
      if (words.length < 2) shell.status = { ...failure, code: 2 };
      doubtNamed(shell, words[1]?.pieces ?? nothing, call.place);
      return undefined;
    }
  }
  if (textAt(rest, 0) === '--') rest = rest.slice(1);
  else if (/^-./.test(textAt(rest, 0) ?? '')) {
    // `printf '--tp %s' 8`: an invalid option.
    shell.status = { code: 2, needs: [], presumed: false };
    return undefined;
  }
  const [format, ...args] = rest;
  if (format === undefined) {
    shell.status = { ...failure, code: 2 };
    return undefined;
  }
  const pieces = formatted(shell, format, args, call, target === undefined);
  if (target === undefined) {
    shell.write(pieces);
    return undefined;
  }
  const variable = targetOf(target);
  if (variable === undefined) {
    shell.status = { code: 2, needs: [], presumed: false };
    return undefined;
  }
  if (isReadonly(shell, variable.name)) {
    shell.status = failure;
    return undefined;
  }
  assignTarget(shell, variable, pieces, [call.place]);
  return undefined;
};

/** What `printf` makes of its words; the output may contain the NUL bytes at which `xargs -0` splits. */
function formatted(
  shell: Shell,
  format: ShellWord,
  args: readonly ShellWord[],
  call: Call,
  isPiped: boolean,
): Pieces {
  const { place } = call;
  const label = `$(printf ${[format, ...args].map((word) => displayed(word.pieces)).join(' ')})`;
  const text = knownText(format.pieces);
  const holed = args.some((word) => knownText(word.pieces) === undefined);
  if (text === undefined) return [{ ...hole('too-complex', label, place), splits: true }];
  const isPlain = isPiped ? /^(?:[^%\\]|%s|%%|\\n|\\t|\\0(?!\d))*$/ : /^(?:[^%\\]|%s|%%|\\n|\\t)*$/;
  // `%%s` takes no argument.
  const taking = text.replaceAll('%%', '').split('%s').length - 1;
  const plain = (taking > 0 || (args.length === 0 && text.includes('\\0'))) && isPlain.test(text);
  const uncounted = args.some((word) => isUncounted(word.pieces));
  if (plain && !uncounted) return plainFormat(text, args, call);
  if (plain && taking === 1)
    // Each argument yields its own text: only arguments that may be absent yield an unknown one.
    return args.flatMap((word) => {
      const own = plainFormat(text, [word], call);
      const first = word.pieces.find((piece) => piece.kind === 'hole');
      if (first === undefined || !isUncounted(word.pieces)) return own;
      return [{ ...hole(first.kind === 'hole' ? first.reason : 'outside', label, place), splits: true }];
    });
  // Blanks keep the words of an argument apart, however many they are.
  const isQuoting = uncounted ? /^ *%q +$|^ +%q$/ : /^(?:[^%\\]|%q|\\n|\\t)*$/;
  if (holed && text.includes('%q') && isQuoting.test(text)) {
    const quoted = args.flatMap((word) => quotedWord(word) ?? []);
    if (quoted.length === args.length) return plainFormat(text.replaceAll('%q', '%s'), quoted, call);
  }
  if (!holed) {
    const output = formatPrintf(
      text,
      args.map((word) => knownText(word.pieces) ?? ''),
    );
    if (output !== undefined) {
      if (output.status !== 0) shell.status = failure;
      return made(output.output, place);
    }
  }
  if (holed && !uncounted) {
    const apart = formattedApart(shell, text, args, call);
    if (apart !== undefined) {
      if (apart.needsNumber) shell.status = presumedSuccess;
      return apart.pieces;
    }
  }
  const shadows = args
    .map((word) => ({ shadow: assumedTextOf(shell, word.pieces), vanishes: isUncounted(word.pieces) }))
    .filter(({ shadow, vanishes }) => !vanishes || shadow?.text !== '')
    .map(({ shadow }) => shadow);
  const output = shadows.every((shadow) => shadow !== undefined)
    ? formatPrintf(
        text,
        shadows.map((shadow) => shadow?.text ?? ''),
      )
    : undefined;
  const needs = shadows.flatMap((shadow) => shadow?.needs ?? []);
  // The user's values may be numbers where the assumed ones are not.
  if (output !== undefined && output.status !== 0) shell.status = { ...failure, needs };
  else if (output === undefined && /%[^%a-zA-Z]*[diouxXeEfFgG]/.test(text)) shell.status = presumedSuccess;
  const facts = output === undefined || !holed || uncounted ? {} : { assumed: output.output, needs };
  const first = args.flatMap((word) => word.pieces).find((piece) => piece.kind === 'hole');
  const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
  const blanks = [format, ...args].some(({ pieces }) =>
    pieces.some((piece) => (piece.kind === 'text' ? /\s/.test(piece.text) : piece.blanks === true)),
  );
  return [{ ...hole(reason, label, place, blanks ? { ...facts, blanks } : facts), splits: true }];
}

/** A word as `%q` prints it, each text next to a hole by itself; undefined for characters that are quoted in another way. */
function quotedWord({ pieces, place }: ShellWord): ShellWord | undefined {
  const out: ShellPiece[] = [];
  if (pieces.length === 0) out.push(...made("''", place));
  for (const piece of pieces) {
    if (piece.kind === 'hole') {
      const last = out.at(-1);
      if (piece.takesBlank !== true) out.push(piece);
      // The blank before it may be missing, and is unknown with it.
      else if (last?.kind === 'text' && last.text.endsWith('\\ '))
        out.splice(-1, 1, ...made(last.text.slice(0, -2), place), hole(piece.reason, piece.label, place));
      else return undefined;
      continue;
    }
    const quoted = quoteForPrintf(piece.text);
    if (quoted === undefined || quoted.startsWith('$')) return undefined;
    out.push(...(quoted === piece.text ? [piece] : made(quoted, place)));
  }
  return { pieces: out, place };
}

/** Formats with text and `%s` only: the arguments' pieces keep their origins. */
function plainFormat(format: string, args: readonly ShellWord[], call: Call): Pieces {
  const { place } = call;
  const out: ShellPiece[] = [];
  const parts = format.split(/(%s|%%|\\n|\\t|\\0)/);
  let at = 0;
  do {
    for (const part of parts) {
      if (part === '%s') {
        out.push(...(args[at]?.pieces ?? []));
        at += 1;
      } else if (part === '%%') out.push(...made('%', place));
      else if (part === '\\n') out.push(...made('\n', place));
      else if (part === '\\t') out.push(...made('\t', place));
      else if (part === '\\0') out.push(...made('\0', place));
      else out.push(...made(part, place));
    }
  } while (at < args.length);
  return out;
}
