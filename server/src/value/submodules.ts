/** What is asked of a workspace to tell which of its submodules are not checked out. */
interface Folders {
  read(path: string): string | undefined;
  list(path: string): readonly string[] | undefined;
}

/** The setting of `.gitmodules` that says where a submodule lies, relative to the top of the repository. */
const pathSetting = /^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm;

/**
 * Whether a path lies in a submodule that is not checked out: its repository names it, but its folder holds nothing. What the job
 * finds there is then unknown.
 *
 * @param root the top of the repository
 */
export function inEmptySubmodule(folders: Folders, root: string): (path: string) => boolean {
  let empty: readonly string[] | undefined;
  return (path) => {
    empty ??= emptySubmodules(folders, root);
    return empty.some((folder) => path.startsWith(`${folder}/`));
  };
}

function emptySubmodules({ read, list }: Folders, root: string): readonly string[] {
  const top = root.endsWith('/') ? root.slice(0, -1) : root;
  return [...(read(`${top}/.gitmodules`) ?? '').matchAll(pathSetting)]
    .map(([, path = '']) => `${top}/${path.trim().replace(/\/+$/, '')}`)
    .filter((folder) => (list(folder) ?? []).length === 0);
}
