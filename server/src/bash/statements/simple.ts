import type { Assignment, CommandArgument, Command as CommandNode, Word as WordNode } from 'unbash';
import type { OpenPlace, Slip } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { declarations, declare } from '../builtins/declare.ts';
import { hasUnknownOption } from '../builtins/optionLetters.ts';
import { builtins } from '../builtins/table.ts';
import { redirect, withRedirections } from '../files/redirections.ts';
import { executeExternal } from '../programs/external.ts';
import { noteBlanksAroundEquals } from '../slips/equals.ts';
import { lacksBracket, noteMissingBracket } from '../slips/missingBracket.ts';
import { slipsOf } from '../slips/slips.ts';
import { noteSwallowedFlags } from '../slips/swallowed.ts';
import { assumedOn, type Fork } from '../state/fork.ts';
import { hole, made, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, notRedirected, type Shell, success } from '../state/shell.ts';
import type { ShellFunction } from '../state/shellFunction.ts';
import { commandName, type ShellWord } from '../state/shellWord.ts';
import type { Source } from '../text/source.ts';
import { expandValue, expandWord } from '../words/expand.ts';
import { assignNode } from './assign.ts';
import { callFunction } from './functions.ts';
import { type Keywords, type PlacedAssignment, withoutKeywords } from './keywordArguments.ts';
import { isSpecial, withAssignments } from './temporary.ts';

const noAssignments: readonly Assignment[] = [];
const noKeywords: readonly PlacedAssignment[] = [];

/** Assignments that make up a whole command. */
function assignAll(shell: Shell, source: Source, assignments: readonly Assignment[]): Flow {
  shell.expanding(() => {
    for (const assignment of assignments) assignNode(shell, source, assignment);
  });
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  shell.status = shell.substitution ?? success;
  return undefined;
}

/** Runs a simple command: its assignments, or the function, builtin or program that it names. */
export function executeSimple(shell: Shell, source: Source, node: CommandNode): Flow {
  shell.openPlaces = [];
  shell.substitution = undefined;
  shell.refused = undefined;
  const prefix =
    node.prefix.length === 0
      ? noAssignments
      : node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
  if (node.name === undefined) return executeAssignments(shell, source, prefix, node.redirects);
  noteBlanksAroundEquals(shell, source, node);
  const declaring = constantName(node.name);
  const isDeclaration = declaring !== undefined && declarations.has(declaring);
  // Under `set -k` a declaration gets its assignments like any other command.
  if (isDeclaration && !shell.functions.has(declaring) && !shell.switches.keyword)
    return executeDeclaration(shell, source, declaring, node, prefix);
  const { args, assignments: keywords }: Keywords = shell.switches.keyword
    ? withoutKeywords(source, node)
    : { args: node.args, assignments: noKeywords };
  const { nodes, words, ends, touched } = expandCommand(shell, source, node.name, args);
  const open = shell.openPlaces;
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  if (words.length === 0) return assignAll(shell, source, prefix);
  noteSwallowedFlags(shell, words);
  const place = source.place(node.pos, node.end);
  const name = commandName(words);
  if (shell.stderr !== undefined && shell.switches.xtrace)
    shell.writeTo(shell.stderr, [{ ...hole('command-output', 'set -x', place), splits: true }]);
  if (name === 'exec' && words.length === 1) return redirectShell(shell, source, node.redirects);
  const isProgram = name === undefined || !(shell.functions.has(name) || builtins.has(name));
  if (isProgram && lacksBracket(name, words)) noteMissingBracket(shell, source, node, words);
  const slips = isProgram || name === 'exec' ? slipsOf(shell, source, nodes, ends, words) : undefined;
  const assignments =
    prefix.length + keywords.length === 0
      ? noKeywords
      : [...prefix.map((assignment) => ({ assignment, source })), ...keywords];
  const flow = withRedirections(
    shell,
    source,
    node.redirects,
    () =>
      withAssignments(shell, assignments, name, () =>
        runNamed(shell, name, words, { source, place, end: node.end, open, touched, slips }),
      ),
    isProgram,
  );
  return shell.refused === 'unset' || shell.refused === 'expansion' ? shell.giveUp(shell.refused) : flow;
}

/** A command without a name: assignments, or only redirections, which open files and leave the status unchanged if that works. */
function executeAssignments(
  shell: Shell,
  source: Source,
  assignments: readonly Assignment[],
  redirects: CommandNode['redirects'],
): Flow {
  const given = assignAll(shell, source, assignments);
  if (given !== undefined || redirects.length === 0) return given;
  const { status } = shell;
  const flow = withRedirections(shell, source, redirects, () => undefined);
  if (shell.status.code === 0) shell.status = status;
  return flow;
}

/** `export`, `declare`, `local` …, whose words are expanded differently: `export A=$B` does not split. */
function executeDeclaration(
  shell: Shell,
  source: Source,
  name: string,
  { args, redirects, pos, end }: CommandNode,
  prefix: readonly Assignment[],
): Flow {
  const flow = withRedirections(shell, source, redirects, () => {
    const place = source.place(pos, end);
    const kept = prefix.filter(
      (assignment) =>
        assignment.index === undefined &&
        (isSpecial(shell, name) || keepsAssignment(shell, name, args, assignment.name)),
    );
    const give = (): void => {
      for (const assignment of kept) shell.expanding(() => assignNode(shell, source, assignment));
      for (const { name: each } of kept) {
        const variable = shell.store.get(each);
        // Variables assigned before a command are passed to programs.
        if (variable !== undefined && !variable.exported)
          shell.store.set(each, { ...variable, exported: true });
      }
    };
    if (name === 'readonly') give();
    const inner = shell.expanding(() => declare(shell, source, name, args, place));
    if (name !== 'readonly') give();
    if (shell.stderr !== undefined) complain(shell, name, place);
    return inner;
  });
  return shell.refused === undefined ? flow : shell.giveUp(shell.refused);
}

/**
 * Whether a variable assigned before a declaration is one that it exports or makes readonly without a value: it keeps the value (`X=1 export
 * X`). Nothing else assigned before a declaration survives it.
 */
function keepsAssignment(shell: Shell, command: string, args: CommandNode['args'], name: string): boolean {
  const options = args
    .filter(({ type, text }) => type === 'Word' && /^[-+]/.test(text))
    .map(({ text }) => text);
  if (options.some((text) => /^\+|[nfpgF]/.test(text))) return false;
  const isForPrograms = command === 'export' || options.some((text) => text.includes('x'));
  const isKept = isForPrograms || command === 'readonly' || (shell.store.inFunction && options.length === 0);
  return isKept && args.some(({ type, text }) => type === 'Word' && text === name);
}

/** The words of a command, and what they depend on. */
interface Expanded {
  readonly nodes: readonly WordNode[];
  readonly words: readonly ShellWord[];
  /** For each node, the index after its last word. */
  readonly ends: readonly number[];
  /** Names that were read. */
  readonly touched: ReadonlySet<string>;
}

function expandCommand(
  shell: Shell,
  source: Source,
  name: WordNode,
  args: readonly CommandArgument[],
): Expanded {
  const outer = shell.touched;
  shell.touched = new Set();
  const nodes = [name];
  for (const argument of args) nodes.push(argument.type === 'Word' ? argument : asWord(argument));
  const words: ShellWord[] = [];
  const ends: number[] = [];
  shell.expanding(() => {
    for (const one of nodes) {
      const argument = args[ends.length - 1];
      if (argument?.type === 'Assignment') words.push(assignmentWord(shell, source, argument));
      else expandWord(shell, source, one, words);
      ends.push(words.length);
    }
  });
  const { touched } = shell;
  shell.touched = outer;
  if (outer !== undefined) for (const name of touched) outer.add(name);
  return { nodes, words, ends, touched };
}

/** `exec > log`: the redirections stay for the rest of the script. */
function redirectShell(shell: Shell, source: Source, redirects: CommandNode['redirects']): Flow {
  const questions: Fork[] = [];
  // Those after a failing one are not carried out.
  const fails = redirects.some((redirection) => !redirect(shell, source, redirection, [], questions));
  for (const fork of questions) shell.run.assume(assumedOn(fork, 0, 'guard'));
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  shell.status = fails ? notRedirected : success;
  return undefined;
}

/** What a running command has besides its words. */
export interface Occasion {
  readonly source: Source;
  readonly place: Place;
  /** Where it ends in its source. */
  readonly end: number;
  /** Places among its words of `"$@"` that are empty as written. */
  readonly open: readonly OpenPlace[];
  /** Names that the values of its words depend on. */
  readonly touched: ReadonlySet<string>;
  /** Slips in its words. */
  readonly slips?: readonly Slip[] | undefined;
}

/** Runs expanded words: a function, a builtin or a program. */
export function runNamed(
  shell: Shell,
  name: string | undefined,
  words: readonly ShellWord[],
  occasion: Occasion,
): Flow {
  if (name !== undefined) {
    const defined = shell.functions.get(name);
    if (defined !== undefined) return callFunction(shell, defined, name, words.slice(1), occasion);
    const builtin = builtins.get(name);
    if (builtin !== undefined && hasUnknownOption(name, words.slice(1))) {
      shell.status = { ...failure, code: 2 };
      return undefined;
    }
    if (builtin !== undefined) {
      // What `exec` starts has all words but the first.
      const slips = name === 'exec' ? occasion.slips?.map(movedForward) : [];
      const flow = builtin(shell, words.slice(1), { ...occasion, name, slips });
      if (shell.stderr !== undefined) complain(shell, name, occasion.place);
      return flow;
    }
  }
  const definitions = words.length === 1 ? definitionsIn(words[0]?.pieces ?? []) : [];
  if (definitions.length === 0) return executeExternal(shell, name, words, occasion);
  for (const [defined, definition] of definitions) shell.define(defined, definition);
  shell.status = success;
  return undefined;
}

/**
 * `bash -c "$(declare -f NAME); …"`: the functions that such a text defines at the start of a statement, by name; with `old_` before it (`eval
 * "old_$(declare -f NAME)"`) the first one gets that name. Empty for other texts.
 */
function definitionsIn(pieces: Pieces): readonly (readonly [string, ShellFunction])[] {
  const [first, ...others] = pieces;
  const prefix = first?.kind === 'text' ? first.text : '';
  const written = prefix === '' ? pieces : others;
  if (!/^\w*$/.test(prefix) || written.length === 0) return [];
  const definitions: (readonly [string, ShellFunction])[] = [];
  for (const piece of written) {
    if (piece.kind !== 'hole' || piece.defines === undefined) return [];
    for (const [name, definition] of piece.defines)
      definitions.push([definitions.length === 0 ? `${prefix}${name}` : name, definition]);
  }
  return definitions;
}

function movedForward(slip: Slip): Slip {
  return { ...slip, from: slip.from - 1, to: slip.to - 1 };
}

/** Builtins that print why they fail; `[` does so if it cannot be parsed. */
const complaining: ReadonlySet<string> = new Set(
  'cd pushd popd dirs printf declare typeset local export readonly type hash getopts unset source . exec let wait kill mapfile'.split(
    ' ',
  ),
);

/** Builtins whose status is that of something else, or given as an argument. */
const silent: ReadonlySet<string> = new Set(['return', 'exit', 'eval', 'command', 'builtin']);

/** Writes the unknown error message of a failed builtin. */
function complain(shell: Shell, name: string, place: Place): void {
  const { code, presumed, fork } = shell.status;
  const fails = code !== 0 || presumed || fork !== undefined;
  if (!fails || silent.has(name) || (code <= 1 && !complaining.has(name))) return;
  shell.writeTo(shell.stderr, [{ ...hole('command-output', `$(${name})`, place), splits: true }]);
}

function constantName(word: WordNode): string | undefined {
  return word.parts === undefined ? word.value : undefined;
}

/** The `NAME=text` of `alias`: one word, as in an assignment. */
function assignmentWord(shell: Shell, source: Source, node: Assignment): ShellWord {
  const place = source.place(node.pos, node.end);
  if (node.value.type === 'ArrayValue') return { pieces: made(node.text, place), place };
  return { pieces: [...made(`${node.name}=`, place), ...expandValue(shell, source, node.value)], place };
}

/** An argument that looks like an assignment, as a word for checks of the words as written. */
function asWord(node: Assignment): WordNode {
  return { type: 'Word', pos: node.pos, end: node.end, text: node.text, value: node.text };
}
