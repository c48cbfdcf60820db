import modules from '../../../schemas/common/modules.json';
import data from '../../../schemas/common/programs.json';
import { literally } from '../text/literal.ts';
import type { Host } from '../value/host.ts';

/**
 * All programs that we check are Python scripts or modules; a text without one of these words starts none itself. Package installation, inline
 * Python text and mere settings of Python's variables do not count. A module counts even if the required -m before it is missing.
 */
const python = new RegExp(
  [
    /\.py\b|torchrun|python(?!path|unbuffered|hashseed|warnings|dont|io|fault|-version|3?-dev|[\d.]*\s+(?:-m\s+(?:pip|venv|build|ensurepip)\b|-c\s|-?\s*<<))|\s-\w*m\s+["']?(?:\$|\w+\.\w)|--module\b|oomlint/
      .source,
    ...modules.names.map(literally),
  ].join('|'),
  'i',
);
/** Another shell text that is run or sourced by name. */
const shellFile = /(?<![\w./${}~*?+-])[\w./${}~*?+-]*\.(?:sh|bash|slurm|sbatch)\b/g;
/**
 * Shell text in a file whose name is not visible. Not meant are text in the command itself (`bash -c …`), files in the user's home folder, and
 * paths of which only the folder is computed (`source "$(dirname …)/x.sh"`).
 */
const nameless =
  /(?:(?:^|[;&|({`]|\b(?:then|do|else|exec|eval)\s)[ \t]*(?:source|\.)|(?:^|[\s;&|({`"'])(?:bash|sh|zsh|sbatch))(?:[ \t]|\\\n)+(?:-[a-bd-zA-Z]+(?:[ \t]|\\\n)+)*(?!\S*\.(?:sh|bash|slurm|sbatch)\b|["']?\$\{?(?:0|BASH_SOURCE)\b|["']?\$\([^\n;]{0,200}\.(?:sh|bash)\b|~)[^\s;&|#<>=+*[-]/m;

/** Programs that start what follows them, as alternatives. */
const starters = data.starters.join(' ').replaceAll(' ', '|');
/** Words that a text received and runs: `numactl "$@"`, `srun -n 8 $CMD`, `eval "$CMD"`, `bash -c "$1"`, or a command that is a variable. */
const givenWords = new RegExp(
  [
    // The words that it received, after any other word.
    /[ \t]["']?\$(?:@|\{@)|[ \t]\$(?:\*|\{\*)/.source,
    // A variable after a program that starts another one.
    `\\b(?:${starters})\\b${/(?:[^\n;&|\\]|\\\n?){0,400}?[ \t]["']?\$[\w{]/.source}`,
    // Text that is run.
    /\b(?:eval|exec)[ \t]+["']?\$|[ \t]-\w*c[ \t]+["']?\$/.source,
    // A variable at the start of a command.
    /(?:^|[;&|({])[ \t]*["']?\$[\w{@*]|\b(?:then|do|else)\s+["']?\$[\w{@*]/.source,
  ].join('|'),
  'm',
);

/** A shell text and those that it runs or sources, as far as it names them. */
export interface Reach {
  /** Without comments; the text itself comes first. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  /** There may be further texts that cannot be determined. */
  readonly open: boolean;
}

/**
 * The shell texts that a shell text may run. A quick look at the words: nothing is evaluated.
 * @param path where the text is
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
 * Whether a shell text, or one that it runs, names a program of the kind that we check, so that the many scripts of a repository that only
 * build, copy and test need not be evaluated.
 * @returns true also if that is unknown
 */
export function mayLaunch({ texts, open }: Reach): boolean {
  return open || texts.some(({ text }) => namesProgram(text));
}

/** Whether a script that another one starts may start a program: as in `mayLaunch`, or one given in its arguments or environment. */
export function mayLaunchGiven(reach: Reach): boolean {
  return mayLaunch(reach) || reach.texts.some(({ text }) => givenWords.test(text));
}

/** Whether a text itself names a program of the kind that we check, even in a comment. */
export function namesProgram(text: string): boolean {
  return python.test(text);
}

/** A shell text without comment lines, except those meant for oomlint. */
export function withoutCommentLines(text: string): string {
  return text.replace(/^[ \t]*#(?!\s*oomlint).*$/gm, '');
}

/** The end of a path that may begin with variables: what follows the last of them. */
export function tailOf(name: string): string {
  return name
    .slice(name.lastIndexOf('}') + 1)
    .replace(/^.*\$\w*/, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
}

/** Whether the end of a path names one file: neither a part of a name nor a pattern. */
export function isTelling(tail: string): boolean {
  return !/[{*?$]/.test(tail) && !/(?:^|\/)\.\w+$/.test(tail);
}

/** A file by its path, or by the end of its path in the folder of the text that names it or in one above. */
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
