/** The part of a workspace that tells which of its submodules are not checked out. */
interface Folders {
  read(path: string): string | undefined;
  list(path: string): readonly string[] | undefined;
}

/** A repository inside another one, as the outer one's `.gitmodules` describes it. */
export interface Submodule {
  /** Its absolute path. */
  readonly folder: string;
  /** Where it comes from. */
  readonly url: string;
  /** The branch that it follows; empty if none is given. */
  readonly branch: string;
}

/**
 * The submodules of a repository.
 * @param root the top of the repository
 */
export function submodulesOf({ read }: Pick<Folders, 'read'>, root: string): readonly Submodule[] {
  const top = root.endsWith('/') ? root.slice(0, -1) : root;
  const [, ...sections] = (read(`${top}/.gitmodules`) ?? '').split(/^[ \t]*\[/m);
  return sections.flatMap((section) => {
    const settings = settingsOf(section);
    const path = settings.get('path')?.replace(/\/+$/, '');
    if (path === undefined) return [];
    const [url = '', branch = ''] = ['url', 'branch'].map((name) => settings.get(name));
    return [{ folder: `${top}/${path}`, url, branch }];
  });
}

function settingsOf(section: string): ReadonlyMap<string, string> {
  const lines = [...section.matchAll(/^[ \t]*(\w+)[ \t]*=(.*)$/gm)];
  return new Map(lines.map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
}

/**
 * Makes a function that tells whether a path is in a submodule that is not checked out: its repository names it, but its folder is empty. What
 * the job finds there is unknown.
 *
 * @param root the top of the repository
 */
export function inEmptySubmodule(folders: Folders, root: string): (path: string) => boolean {
  let empty: readonly Submodule[] | undefined;
  return (path) => {
    empty ??= submodulesOf(folders, root).filter(({ folder }) => (folders.list(folder) ?? []).length === 0);
    return empty.some(({ folder }) => path.startsWith(`${folder}/`));
  };
}
