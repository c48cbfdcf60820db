import type { FileSystemWatcher } from 'vscode-languageserver';
import { hasConfigName } from '../../config/discover.ts';
import {
  ignoreFile,
  isIgnoreFile,
  isPythonName,
  isShellName,
  isYamlName,
  lintedFiles,
  pythonFiles,
} from '../../text/fileNames.ts';
import type { Host } from '../../value/host.ts';
import type { HostAnswer } from '../../value/notedHost.ts';

/** Files that matter because of their names, whoever reads them. */
export const namedFiles: readonly FileSystemWatcher[] = [
  lintedFiles,
  pythonFiles,
  '**/pyproject.toml',
  `**/${ignoreFile}`,
].map((globPattern) => ({ globPattern }));

function isNamed(path: string): boolean {
  const isLinted = isShellName(path) || isYamlName(path);
  return isLinted || isPythonName(path) || isIgnoreFile(path) || hasConfigName(path);
}

/** Maximum number of names that are watched in addition: a script may ask for the files of thousands of runs. */
const most = 200;

/** The relevant events of a file that is only checked for existence: a growing log does not matter (WatchKind). */
const comesAndGoes = 1 | 4;
/** The same plus changes of its text (WatchKind). */
const everything = comesAndGoes | 2;

/**
 * Files that scripts refer to by other names, as in `source cluster.env`: an editor that watches patterns must be asked for each of these
 * names.
 */
export class OtherFiles {
  readonly #watch: (watchers: FileSystemWatcher[]) => void;
  readonly #isOurs: (path: string) => boolean;
  /** The watched events by name. */
  readonly #known = new Map<string, number>();
  #waiting = new Map<string, number>();

  /**
   * @param watch asks the editor to watch more files
   * @param isOurs whether the editor watches files at a path
   */
  constructor(watch: (watchers: FileSystemWatcher[]) => void, isOurs: (path: string) => boolean) {
    this.#watch = watch;
    this.#isOurs = isOurs;
  }

  /** Records a question of a lint. The editor is asked once the lint is done. */
  asked(question: keyof Host, path: string, answer: HostAnswer): void {
    const isFolder = question === 'list' || question === 'rootOf' || answer === 'directory';
    if (isFolder || isNamed(path) || !this.#isOurs(path)) return;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const wanted = question === 'read' ? everything : comesAndGoes;
    const known = this.#known.get(name) ?? 0;
    if ((known & wanted) === wanted || (known === 0 && this.#known.size >= most)) return;
    this.#known.set(name, known | wanted);
    if (this.#waiting.size === 0) queueMicrotask(() => this.#flush());
    this.#waiting.set(name, (this.#waiting.get(name) ?? 0) | (wanted & ~known));
  }

  #flush(): void {
    const watchers = [...this.#waiting].map(([name, kind]) => ({
      // Characters with a special meaning in patterns are replaced by a wildcard.
      globPattern: `**/${name.replace(/[*?[\]{}!,\\]/g, '?')}`,
      kind,
    }));
    this.#waiting = new Map();
    this.#watch(watchers);
  }
}
