import type { Host } from '../value/host.ts';

/**
 * All programs of ours are Python scripts or modules; without one of these words no text starts one itself. What installs packages,
 * Python text within the script and what only sets Python's variables do not count.
 */
const python =
  /\.py\b|torchrun|python(?!path|unbuffered|hashseed|warnings|dont|io|fault|-version|3?-dev|[\d.]*\s+(?:-m\s+(?:pip|venv|build|ensurepip)\b|-c\s|-?\s*<<))|\s-\w*m\s+["']?(?:\$|\w+\.\w)|--module\b|oomlint/i;
/** Another shell text that is run or sourced, by its name. */
const shellFile = /[\w./${}~*?+-]*\.(?:sh|bash|slurm|sbatch)\b/g;
/** Shell text whose file has no telling name. */
const nameless =
  /(?:(?:^|[;&|({`]|\b(?:then|do|else|exec|eval)\s)\s*(?:source|\.)|(?:^|[\s;&|({`"'])(?:bash|sh|zsh|sbatch))\s+(?:-\w+\s+)*(?!\S*\.(?:sh|bash|slurm|sbatch)\b|["']?\$\{?(?:0|BASH_SOURCE)\b)[^\s;&|#<=+*[-]/m;

/**
 * Whether a shell text, or one that it runs or sources, names anything that could start a program of ours. A quick look at the
 * words, so that the many scripts of a repository that only build, copy and test are not evaluated.
 * @param path where the text lies
 * @param seen texts that were looked at already, by path
 * @returns true also when it cannot be told
 */
export function mayLaunch(path: string, written: string, host: Host, seen: Map<string, boolean>): boolean {
  const text = written.replace(/^\s*#(?!\s*oomlint).*$/gm, '');
  if (python.test(text) || nameless.test(text)) return true;
  for (const { 0: name, index } of text.matchAll(shellFile)) {
    const before = text.charAt(index - 1);
    // A web address, or a pattern for grep and sed.
    if (before === '\\' || (before === ':' && name.startsWith('//'))) continue;
    const tail = name
      .slice(name.lastIndexOf('}') + 1)
      .replace(/^.*\$\w*/, '')
      .replace(/^(?:\.{0,2}\/)+/, '');
    if (/[{*?$]/.test(tail) || /(?:^|\/)\.\w+$/.test(tail)) return true;
    const found = fileNamed(path, tail, host);
    if (found === undefined) {
      if (name.startsWith('/')) continue;
      return true;
    }
    if (found === path) continue;
    let may = seen.get(found);
    if (may === undefined) {
      // While it is looked at itself, a text that names it back learns nothing from it.
      seen.set(found, false);
      may = mayLaunch(found, host.read(found) ?? '', host, seen);
      seen.set(found, may);
    }
    if (may) return true;
  }
  return false;
}

/** A file by the end of its path, in the folder of the text that names it or one of those above it. */
function fileNamed(path: string, tail: string, host: Host): string | undefined {
  const root = host.rootOf(path);
  for (let folder = path; folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const candidate = `${folder}/${tail}`;
    if (host.kind(candidate) === 'file') return candidate;
    if (root === undefined || folder === root) return undefined;
  }
  return undefined;
}
