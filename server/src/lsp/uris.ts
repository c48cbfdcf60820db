import { URI } from 'vscode-uri';

/** Paths of the engine (`/`-separated, absolute) and the editor's URIs, both ways. */
export interface UriMap {
  pathOf(uri: string): string;
  uriOf(path: string): string;
}

/**
 * Maps URIs to paths. Files of other schemes (`vscode-vfs://github/…`, `untitled:`) keep their path; the scheme and authority of
 * each folder and document seen are remembered for the way back.
 */
export function createUriMap(): UriMap {
  const known = new Map<string, string>();
  const origins = new Map<string, { readonly scheme: string; readonly authority: string }>();
  return {
    pathOf: (uri) => {
      const parsed = URI.parse(uri);
      // Windows drives: `/c:/x` everywhere in the engine, so that every path begins with a slash.
      const path = parsed.path.startsWith('/') ? parsed.path : `/${parsed.path}`;
      known.set(path, uri);
      if (parsed.scheme !== 'file') origins.set(path, { scheme: parsed.scheme, authority: parsed.authority });
      return path;
    },
    uriOf: (path) => {
      const seen = known.get(path);
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
