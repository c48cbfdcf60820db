import { URI } from 'vscode-uri';

/** Paths of the engine (`/`-separated, absolute) and the editor's URIs, both ways. */
export interface UriMap {
  pathOf(uri: string): string;
  uriOf(path: string): string;
  /** Says in which language the editor holds a document, which decides for documents without a telling name. */
  register(uri: string, languageId: string): void;
}

const endings: { readonly [languageId: string]: string } = { shellscript: '.sh', yaml: '.yaml' };

/**
 * Maps URIs to paths. Files of other schemes (`vscode-vfs://github/…`, `untitled:`) keep their path; the scheme and authority of
 * each folder and document seen are remembered for the way back. Two documents never share a path: the older version that a
 * comparison shows (`git:/x/run.sh`) stands under its scheme.
 */
export function createUriMap(): UriMap {
  const paths = new Map<string, string>();
  const uris = new Map<string, string>();
  const origins = new Map<string, { readonly scheme: string; readonly authority: string }>();
  const add = (uri: string, ending: string): string => {
    const parsed = URI.parse(uri);
    // Windows drives: `/c:/x` everywhere in the engine, so that every path begins with a slash.
    const written = `${parsed.path.startsWith('/') ? '' : '/'}${parsed.path}${ending}`;
    const taken = uris.get(written);
    const other = taken !== undefined && URI.parse(taken).scheme !== parsed.scheme;
    const path = other ? `/${parsed.scheme}:${written}` : written;
    paths.set(uri, path);
    uris.set(path, uri);
    if (parsed.scheme !== 'file') origins.set(path, { scheme: parsed.scheme, authority: parsed.authority });
    return path;
  };
  return {
    pathOf: (uri) => paths.get(uri) ?? add(uri, ''),
    register: (uri, languageId) => {
      if (!paths.has(uri))
        add(uri, uri.startsWith('untitled:') && !/\.\w+$/.test(uri) ? (endings[languageId] ?? '') : '');
    },
    uriOf: (path) => {
      const seen = uris.get(path);
      if (seen !== undefined) return seen;
      for (
        let folder = path;
        folder.length > 1;
        folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
      ) {
        const origin = origins.get(folder);
        if (origin !== undefined) return URI.from({ ...origin, path }).toString();
      }
      return URI.file(path).toString();
    },
  };
}
