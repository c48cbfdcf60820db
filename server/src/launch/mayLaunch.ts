import modules from '../../../schemas/common/modules.json';
import data from '../../../schemas/common/programs.json';
import { literally } from '../text/literal.ts';
import type { Host } from '../value/host.ts';

/**
 * All programs of ours are Python scripts or modules; without one of these words no text starts one itself. What installs packages,
 * Python text within the script and what only sets Python's variables do not count. A module may lack the -m that is to stand before it.
 */
const python = new RegExp(
  [
    /\.py\b|torchrun|python(?!path|unbuffered|hashseed|warnings|dont|io|fault|-version|3?-dev|[\d.]*\s+(?:-m\s+(?:pip|venv|build|ensurepip)\b|-c\s|-?\s*<<))|\s-\w*m\s+["']?(?:\$|\w+\.\w)|--module\b|oomlint/
      .source,
    ...modules.names.map(literally),
  ].join('|'),
  'i',
);
/** Another shell text that is run or sourced, by its name. */
const shellFile = /(?<![\w./${}~*?+-])[\w./${}~*?+-]*\.(?:sh|bash|slurm|sbatch)\b/g;
/**
 * Shell text whose file has no telling name. What stands in the command itself (`bash -c …`), what the user's own folder holds, and a path of which
 * only the folder is asked for (`source "$(dirname …)/x.sh"`) has one.
 */
const nameless =
  /(?:(?:^|[;&|({`]|\b(?:then|do|else|exec|eval)\s)[ \t]*(?:source|\.)|(?:^|[\s;&|({`"'])(?:bash|sh|zsh|sbatch))(?:[ \t]|\\\n)+(?:-[a-bd-zA-Z]+(?:[ \t]|\\\n)+)*(?!\S*\.(?:sh|bash|slurm|sbatch)\b|["']?\$\{?(?:0|BASH_SOURCE)\b|["']?\$\([^\n;]{0,200}\.(?:sh|bash)\b|~)[^\s;&|#<>=+*[-]/m;

/** Programs that start what stands behind them, as alternatives. */
const starters = data.starters.join(' ').replaceAll(' ', '|');
/** Words that a text was given and runs: `numactl "$@"`, `srun -n 8 $CMD`, `eval "$CMD"`, `bash -c "$1"`, or a command that is a variable. */
const givenWords = new RegExp(
  [
    // The words that it was given, behind any other.
    /[ \t]["']?\$(?:@|\{@)|[ \t]\$(?:\*|\{\*)/.source,
    // A variable behind a program that starts another one.
    `\\b(?:${starters})\\b${/(?:[^\n;&|\\]|\\\n?){0,400}?[ \t]["']?\$[\w{]/.source}`,
    // Text that is run.
    /\b(?:eval|exec)[ \t]+["']?\$|[ \t]-\w*c[ \t]+["']?\$/.source,
    // A variable where a command begins.
    /(?:^|[;&|({])[ \t]*["']?\$[\w{@*]|\b(?:then|do|else)\s+["']?\$[\w{@*]/.source,
  ].join('|'),
  'm',
);

/** A shell text and those that it runs or sources, as far as its words name them. */
export interface Reach {
  /** Without their comments; the text itself is the first. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  /** Further texts may belong to it that cannot be told. */
  readonly open: boolean;
}

/**
 * Which shell texts a shell text may come to. A quick look at the words: nothing is evaluated.
 * @param path where the text lies
 */
export function reachOf(path: string, written: string, host: Host): Reach {
  const texts = [{ path, text: withoutCommentLines(written) }];
  const known = new Set([path]);
  let open = false;
  for (const { path: at, text } of texts) {
    open ||= nameless.test(text);
    for (const { 0: name, index } of text.matchAll(shellFile)) {
      const before = text.charAt(index - 1);
      // A web address, or a pattern for grep and sed.
      if (before === '\\' || (before === ':' && name.startsWith('//'))) continue;
      const tail = tailOf(name);
      const found = isTelling(tail) ? fileNamed(at, name, host) : undefined;
      const isAbsolute = name.startsWith('/') && !/\)"?$/.test(text.slice(Math.max(0, index - 2), index));
      if (found === undefined) open ||= !isTelling(tail) || !isAbsolute;
      else if (!known.has(found)) {
        known.add(found);
        texts.push({ path: found, text: withoutCommentLines(host.read(found) ?? '') });
      }
    }
  }
  return { texts, open };
}

/**
 * Whether a shell text, or one that it comes to, names any program of ours's kind, so that the many scripts of a repository that only
 * build, copy and test are not evaluated.
 * @returns true also when it cannot be told
 */
export function mayLaunch({ texts, open }: Reach): boolean {
  return open || texts.some(({ text }) => namesProgram(text));
}

/**
 * Whether a script that another one starts may start any program: `mayLaunch`, or one that it was given in its arguments or its
 * environment.
 */
export function mayLaunchGiven(reach: Reach): boolean {
  return mayLaunch(reach) || reach.texts.some(({ text }) => givenWords.test(text));
}

/** Whether a text itself names any program of ours's kind, be it in a comment. */
export function namesProgram(text: string): boolean {
  return python.test(text);
}

/** A shell text without the lines that are comments, but those that are meant for this program. */
export function withoutCommentLines(text: string): string {
  return text.replace(/^[ \t]*#(?!\s*oomlint).*$/gm, '');
}

/** The end of a path of which the beginning may be variables: what stands behind the last of them. */
export function tailOf(name: string): string {
  return name
    .slice(name.lastIndexOf('}') + 1)
    .replace(/^.*\$\w*/, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
}

/** Whether the end of a path names one file: not a part of a name, and no pattern. */
export function isTelling(tail: string): boolean {
  return !/[{*?$]/.test(tail) && !/(?:^|\/)\.\w+$/.test(tail);
}

/** A file by its path, or by the end of that in the folder of the text that names it or one of those above it. */
export function fileNamed(path: string, name: string, host: Host): string | undefined {
  if (name.startsWith('/') && host.kind(name) === 'file') return name;
  const tail = tailOf(name);
  const root = host.rootOf(path);
  for (let folder = path; folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const candidate = `${folder}/${tail}`;
    if (host.kind(candidate) === 'file') return candidate;
    if (root === undefined || folder === root) return undefined;
  }
  return undefined;
}
