import type { Place } from '../../text/span.ts';
import type { HoleShape } from '../../value/word.ts';
import { absolutePath, fileTest, isBehindLink, kindOf } from '../conditions/fileTests.ts';
import { ask, both, lookup, outcome } from '../conditions/verdict.ts';
import { fileKey } from '../files/fileKey.ts';
import { listing } from '../files/listing.ts';
import { fileText } from '../files/redirections.ts';
import { normalizePath } from '../library/paths.ts';
import { asPresumed, isDirectoryGuessed, isPresumed, restsOnStart } from '../state/elsewhere.ts';
import { displayed, hole, knownText, made, nothing, type Pieces, type ShellPiece } from '../state/pieces.ts';
import { failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { globField } from '../words/glob.ts';
import { withEnvironment } from './environmentText.ts';

/** The answer of a program that is not run but understood. */
export interface Answer {
  readonly pieces: Pieces;
  readonly status: Status;
}

/** The answer of a program that asks the machine, the clock or the file system; undefined for all others. */
export function ownAnswer(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
  place: Place,
): Answer | undefined {
  const args = words.slice(1).map((word) => knownText(word.pieces));
  const label = `$(${[name, ...args.map((arg) => arg ?? '…')].join(' ')})`;
  const one = (
    shape: HoleShape,
    reason: 'random' | 'command-output' | 'outside' = 'command-output',
  ): Answer => ({
    pieces: [hole(reason, label, place, { shape, nonEmpty: true, oneLine: true }), ...made('\n', place)],
    status: presumedSuccess,
  });
  switch (name) {
    case 'date':
      if (isDateInWords(args)) return severalWords(label, 'random', place);
      return one(
        args.length === 1 && /^\+(%[sYmdHMSjNuwVU]|\d)+$/.test(args[0] ?? '') ? 'integer' : 'unique',
        'random',
      );
    case 'mktemp':
      return madeFile(one('generated', 'random'), args);
    case 'uuidgen':
      return one('generated', 'random');
    case 'hostname':
      return args.some((arg) => arg === undefined || /^(?:-[a-z]*[IA]|--all-)/.test(arg))
        ? severalWords(label, 'command-output', place)
        : one('host');
    case 'shuf': {
      const [, lowest] = /^(?:-n ?1 )?-i ?(\d+)-\d+(?: -n ?1)?$/.exec(args.join(' ')) ?? [];
      const isOne = lowest !== undefined && args.some((arg) => arg?.startsWith('-n') === true);
      return isOne ? one('integer', 'random') : undefined;
    }
    case 'nproc':
      return one('integer');
    case 'whoami':
      return one('any', 'outside');
    case 'scontrol':
      return args[0] === 'show' && args[1]?.startsWith('hostname') === true
        ? severalLines(one('host'), label, place)
        : undefined;
    case 'nvidia-smi':
      return gpus(shell, args, label, place);
    case 'git':
      return gitAnswer(shell, args, place);
    case 'realpath':
    case 'readlink':
      return resolved(shell, name, words, place);
    case 'ls': {
      const text = shell.stdout === undefined ? undefined : listing(shell, args);
      if (text !== undefined) return { pieces: made(text, place), status: success };
      return presence(shell, words, label, place);
    }
    case 'stat':
      return presence(shell, words, label, place);
    case 'compgen':
      return args.length === 2 && args[0] === '-G' ? matching(shell, words[2], label, place) : undefined;
    case 'envsubst': {
      const pieces = withEnvironment(shell, words, place);
      return pieces === undefined ? undefined : { pieces, status: success };
    }
    case 'cmp':
    case 'diff':
      return compared(shell, words, place);
    case 'which':
      return args.length === 1
        ? { ...one('any'), status: lookup(args[0] ?? displayed(words[1]?.pieces ?? []), place) }
        : undefined;
    case 'python':
    case 'python3':
      return importable(args, place);
    default:
      return undefined;
  }
}

/** The path that `mktemp` prints; with `-u` it makes nothing there. */
function madeFile({ pieces, status }: Answer, options: readonly (string | undefined)[]): Answer {
  const isAsked = (option: RegExp): boolean =>
    options.some((text) => text === undefined || option.test(text));
  if (isAsked(/^(?:-\w*u|--dry-run)/)) return { pieces, status };
  const makes = isAsked(/^(?:-\w*d|--directory)/) ? 'folder' : 'file';
  return { pieces: pieces.map((piece) => (piece.kind === 'hole' ? { ...piece, makes } : piece)), status };
}

/** Whether `date` prints several words: without a format, or with one that has blanks. */
function isDateInWords(args: readonly (string | undefined)[]): boolean {
  if (args.includes(undefined)) return false;
  const format = args.find((arg) => arg?.startsWith('+') === true);
  if (format !== undefined) return /\s|%[-_0^#]*[cnrtkle]/.test(format.replaceAll('%%', ''));
  return !args.some((arg) => /^(?:-\w*I|--iso)/.test(arg ?? ''));
}

/** One line of several words: `date`, the addresses of the machine (`hostname -I`). */
function severalWords(label: string, reason: 'random' | 'command-output', place: Place): Answer {
  const facts = { nonEmpty: true, oneLine: true, blanks: true };
  const words: ShellPiece = { ...hole(reason, label, place, facts), splits: true };
  return { pieces: [words, ...made('\n', place)], status: presumedSuccess };
}

/** The first line of an output, followed by any number of others. */
function severalLines({ pieces, status }: Answer, label: string, place: Place): Answer {
  const others: ShellPiece = { ...hole('command-output', label, place, { apart: true }), splits: true };
  return { pieces: [...pieces, others], status };
}

/** `if ls ckpt/*.pt`: in a condition this asks whether the named files exist; undefined elsewhere. */
function presence(
  shell: Shell,
  words: readonly ShellWord[],
  label: string,
  place: Place,
): Answer | undefined {
  if (shell.conditionDepth === 0) return undefined;
  const operands = words.slice(1).filter(({ pieces }) => knownText(pieces)?.startsWith('-') !== true);
  let status: Status | undefined;
  for (const { pieces } of operands) {
    const found = fileTest(shell, '-e', pieces, place);
    status = status === undefined ? found : both(status, found, place);
  }
  if (status === undefined) return undefined;
  const output: Pieces = [{ ...hole('command-output', label, place), splits: true }];
  const isSilent = status.code !== 0 && status.fork === undefined && operands.length === 1;
  if (shell.stderr !== undefined && shell.stderr !== shell.stdout) shell.writeTo(shell.stderr, output);
  return { pieces: isSilent && shell.stderr !== shell.stdout ? nothing : output, status };
}

/** `compgen -G PATTERN`: the names that match, as far as they are known. */
function matching(
  shell: Shell,
  word: ShellWord | undefined,
  label: string,
  place: Place,
): Answer | undefined {
  if (word === undefined) return undefined;
  const field = { parts: word.pieces.map((piece) => ({ piece, quoted: false })) };
  const names = globField(shell, field, place)?.map(knownText) ?? [];
  const pieces: Pieces = [{ ...hole('command-output', label, place), splits: true }];
  if (names.length === 0) return { pieces, status: fileTest(shell, '-e', word.pieces, place) };
  if (!names.includes(undefined)) return { pieces, status: success };
  const spoken = displayed(word.pieces);
  const [yes, no] = [`${spoken} is there`, `${spoken} is not there`];
  return { pieces, status: ask({ key: `-e ${spoken}`, yes, no, first: false, ofMachine: true }, place) };
}

/** `cmp A B`, `diff A B`: whether two files have the same content. */
function compared(shell: Shell, words: readonly ShellWord[], place: Place): Answer | undefined {
  const isOption = ({ pieces }: ShellWord): boolean => knownText(pieces)?.startsWith('-') === true;
  const files = words.slice(1).filter((word) => !isOption(word));
  if (files.length !== 2) return undefined;
  const [a, b] = files.map(({ pieces }) => {
    const text = fileText(shell, fileKey(shell, pieces));
    return text === undefined ? undefined : knownText(text);
  });
  const spoken = displayed(
    words.flatMap(({ pieces }, index) => [...(index > 0 ? made(' ', place) : []), ...pieces]),
  );
  const output: Pieces = [{ ...hole('command-output', `$(${spoken})`, place), splits: true }];
  if (a !== undefined && b !== undefined)
    return {
      pieces: a === b && files.length === words.length - 1 ? nothing : output,
      status: outcome(a === b),
    };
  const question = {
    key: `${spoken} ${place.path} ${place.span.start}`,
    yes: `“${spoken}” finds no difference`,
    no: `“${spoken}” finds a difference`,
    first: true,
    ofMachine: true,
  };
  return { pieces: output, status: ask(question, place) };
}

/** A Python statement that imports modules. */
const importing = /^(?:import|from)\s[\w\s.,]+$/;

/** `python -c 'import torch_npu'` prints nothing; whether the modules are installed is not known. */
function importable([flag, code]: readonly (string | undefined)[], place: Place): Answer | undefined {
  if (flag !== '-c' || code === undefined) return undefined;
  const statements = code.split(/[;\n]/).flatMap((statement) => statement.trim() || []);
  if (statements.length === 0 || !statements.every((statement) => importing.test(statement)))
    return undefined;
  const spoken = statements.join('; ');
  const [yes, no] = [`“${spoken}” works`, `“${spoken}” fails`];
  return { pieces: nothing, status: ask({ key: yes, yes, no, first: true, ofMachine: true }, place) };
}

function gitAnswer(shell: Shell, args: readonly (string | undefined)[], place: Place): Answer | undefined {
  if (args.at(-2) !== 'rev-parse' || args.at(-1) !== '--show-toplevel') return undefined;
  const directory = args[0] === '-C' && args[1] !== undefined ? absolutePath(shell, args[1]) : shell.cwd;
  const root =
    directory === undefined || isDirectoryGuessed(shell)
      ? undefined
      : shell.run.shared.options.host.rootOf(directory);
  if (root === undefined)
    return {
      pieces: [hole('outside', '$(git rev-parse --show-toplevel)', place, { nonEmpty: true })],
      status: presumedSuccess,
    };
  return { pieces: made(`${root}\n`, place), status: success };
}

/** `realpath PATH`, `readlink -f PATH`. Symbolic links in the workspace are not known. */
function resolved(shell: Shell, name: string, words: readonly ShellWord[], place: Place): Answer | undefined {
  const flags: string[] = [];
  const operands: string[] = [];
  for (const word of words.slice(1)) {
    const text = knownText(word.pieces);
    if (text === undefined) return undefined;
    if (text.startsWith('-') && text !== '-') {
      if (text !== '--') flags.push(text);
    } else operands.push(text);
  }
  const known = /^(-[fme]+|-m?s|-sm|--canonicalize(-missing|-existing)?|--no-symlinks|--strip)$/;
  if (operands.length !== 1 || !flags.every((flag) => known.test(flag))) return undefined;
  if (name === 'readlink' && flags.length === 0) return undefined;
  const path = absolutePath(shell, operands[0] ?? '');
  if (operands[0] === '') return { pieces: nothing, status: failure };
  if (path === undefined) return undefined;
  const missing = flags.some((flag) => /^-[a-z]*m|missing/.test(flag));
  const existing = flags.some((flag) => /^-[a-z]*e|existing/.test(flag));
  const kind = kindOf(shell, path);
  const way = missing ? 'clear' : wayTo(shell, operands[0] ?? '');
  if (way === 'blocked' || (existing && kind === 'absent')) return { pieces: nothing, status: failure };
  const isStripped = flags.some((flag) => /^-m?sm?$|symlinks|strip/.test(flag));
  const isLinked = !isStripped && isBehindLink(shell, path);
  const isGuessed = operands[0]?.startsWith('/') === false && isDirectoryGuessed(shell);
  if (way === 'unknown' || isGuessed || isLinked || (kind === 'unknown' && !missing)) {
    // Outside the workspace a symbolic link may lead elsewhere.
    return {
      pieces: [hole('outside', `$(${name} ${operands[0]})`, place, { nonEmpty: true }), ...made('\n', place)],
      status: presumedSuccess,
    };
  }
  const operand = words.slice(1).find((word) => knownText(word.pieces) === operands[0])?.pieces ?? nothing;
  const isWritten = operand.every(({ origin }) => origin.verbatim);
  const pieces = made(`${path}\n`, place);
  const restsOnIt = isPresumed(operand) || (isWritten && restsOnStart(shell, operand));
  return { pieces: restsOnIt ? asPresumed(pieces) : pieces, status: success };
}

/** Whether all folders along a path exist, including those before a `..`. */
function wayTo(shell: Shell, operand: string): 'clear' | 'blocked' | 'unknown' {
  const names = (operand.startsWith('/') ? operand : `${shell.cwd}/${operand}`).split('/');
  const isFolder = operand.endsWith('/');
  let folder = '/';
  for (const [index, name] of names.entries()) {
    if (name === '') continue;
    const path = normalizePath(`${folder}/${name}`);
    const isLast = names.slice(index + 1).every((rest) => rest === '');
    const kind = isLast && name !== '.' && !isFolder ? 'directory' : kindOf(shell, path);
    if (kind === 'file') return 'blocked';
    if (kind === 'absent' && (!isLast || name === '.')) return 'blocked';
    // Outside the workspace a symbolic link may lead elsewhere.
    if (kind === 'unknown' && names[index + 1] === '..') return 'unknown';
    folder = path;
  }
  return 'clear';
}

/** `nvidia-smi`: what the machine profile declares, else holes. */
function gpus(shell: Shell, args: readonly (string | undefined)[], label: string, place: Place): Answer {
  const { machine } = shell.run.shared.options;
  const answer = (pieces: Pieces): Answer => ({ pieces, status: presumedSuccess });
  const unknown = answer([{ ...hole('command-output', label, place, { joins: true }), splits: true }]);
  const first = args[0];
  if (first === 'topo' || first === 'nvlink') {
    if (machine.nvlink === undefined) return unknown;
    const count = machine.gpusPerNode ?? 8;
    const link = machine.nvlink ? 'NV18' : 'PHB';
    const rows = Array.from({ length: Math.min(count, 64) }, (_, row) =>
      [
        `GPU${row}`,
        ...Array.from({ length: Math.min(count, 64) }, (_, column) => (row === column ? ' X ' : link)),
      ].join('\t'),
    );
    const text = first === 'topo' ? `${rows.join('\n')}\n` : machine.nvlink ? ' Link 0: 26.562 GB/s\n' : '';
    return answer([
      hole('command-output', label, place, { assumed: text, needs: [], nonEmpty: text !== '' }),
    ]);
  }
  const query = args.find((arg) => arg?.startsWith('--query-gpu=') === true);
  const lists = first === '-L' || first === '--list-gpus';
  if (machine.gpusPerNode === undefined || (query === undefined && !lists)) return unknown;
  const lines: ShellPiece[] = [];
  if (query !== undefined && !args.some((arg) => arg?.includes('noheader') === true))
    lines.push(...made(`${query.slice('--query-gpu='.length)}\n`, place));
  const count = Math.min(machine.gpusPerNode, 64);
  for (let index = 0; index < count; index += 1) {
    if (lists) lines.push(...made(`GPU ${index}: `, place));
    if (query === '--query-gpu=index') lines.push(...made(String(index), place));
    else if (query === '--query-gpu=count') lines.push(...made(String(count), place));
    else if (query === '--query-gpu=name' && machine.gpu !== undefined)
      // The driver's name includes more than the model: memory and form factor.
      lines.push(
        hole('command-output', label, place, {
          assumed: `NVIDIA ${machine.gpu.replace(/^nvidia\s+/i, '')}`,
          needs: [],
          nonEmpty: true,
          oneLine: true,
        }),
      );
    else lines.push(hole('command-output', label, place, { nonEmpty: true, oneLine: true, joins: true }));
    lines.push(...made('\n', place));
  }
  return answer(lines);
}
