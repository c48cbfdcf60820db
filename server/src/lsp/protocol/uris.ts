import { URI } from 'vscode-uri';
import { kindOfLanguage } from '../../recognise.ts';
import { isShellName, isYamlName, shareOf, shares } from '../../text/fileNames.ts';

/** Maps between paths of the engine (`/`-separated, absolute) and the editor's URIs. */
export interface UriMap {
  pathOf(uri: string): string;
  uriOf(path: string): string;
  /** The path of a workspace folder; files below it get URIs like the folder's. */
  addFolder(uri: string): string;
  /** Sets the editor's language of a document, which determines the kind of documents whose name does not. */
  register(uri: string, languageId: string): void;
}

/** Extensions for documents whose name does not tell their kind. */
const endings = { shell: '.sh', yaml: '.yaml', other: '' } as const;

/** Where the paths below a folder come from. */
interface Origin {
  readonly scheme: string;
  readonly authority: string;
  /** What precedes the URI's path in the path of the engine. */
  readonly prefix: string;
}

/** Unpaired surrogates, which a truncated text may contain but no URI can. */
const halfCharacters = /\p{Surrogate}/gu;

/** Leading slashes of a path: a script may write any number of them, but in a URI two mean the name of a machine. */
const leadingSlashes = /^\/{2,}/;

/** A parsed URI; one that cannot be parsed gets a scheme of its own, so that it is never taken for a file. */
function parsedUri(uri: string): URI {
  try {
    return URI.parse(uri);
  } catch {
    return URI.from({ scheme: 'unreadable', path: `/${encodeURIComponent(uri)}` });
  }
}

/**
 * The path of a URI: it starts with a slash, the letter of a Windows drive is lower-case, as in `/c:/x`, and a share includes its machine
 * (`/unc:/machine/share/x`).
 */
function writtenPath({ scheme, authority, path }: URI): string {
  const absolute = path.startsWith('/') ? path : `/${path}`;
  if (scheme === 'file' && authority !== '' && authority.toLowerCase() !== 'localhost')
    return `${shares}/${authority}${absolute}`;
  return absolute.replace(/^\/([A-Z]):/, (_, letter: string) => `/${letter.toLowerCase()}:`);
}

/** The URI of a file on disk. */
function fileUri(path: string): URI {
  const [, authority, below] = shareOf.exec(path) ?? [];
  return authority === undefined || below === undefined
    ? URI.file(path)
    : URI.from({ scheme: 'file', authority, path: below });
}

/** The origin of the nearest folder that contains a path; undefined for the disk. */
function originOf(path: string, origins: ReadonlyMap<string, Origin>): Origin | undefined {
  for (let folder = path; folder.length > 1; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const origin = origins.get(folder);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/**
 * Maps URIs to paths. Files on disk and those below a workspace folder (`vscode-vfs://github/…`) have the path of their URI. Everything else –
 * the older version in a comparison (`git:/x/run.sh`), notebook cells, new documents – gets a path under its scheme, with the distinctive parts
 * of its URI, so that it is never taken for a file.
 */
export function createUriMap(): UriMap {
  const paths = new Map<string, string>();
  const uris = new Map<string, string>();
  const origins = new Map<string, Origin>();
  const schemes = new Set(['file']);
  const prefixOf = ({ scheme }: URI): string => (schemes.has(scheme) ? '' : `/${scheme}:`);

  const add = (uri: string, languageId?: string): string => {
    const parsed = parsedUri(uri);
    const { scheme, authority, query, fragment } = parsed;
    const prefix = prefixOf(parsed);
    const own = prefix === '' ? '' : `${query && `?${query}`}${fragment && `#${fragment}`}`;
    const written = `${prefix}${writtenPath(parsed)}${own}`;
    const ending =
      prefix === '' || isShellName(written) || isYamlName(written) ? '' : endings[kindOfLanguage(languageId)];
    const path = `${written}${ending}`;
    paths.set(uri, path);
    uris.set(path, uri);
    if (scheme !== 'file') origins.set(path.slice(0, path.lastIndexOf('/')), { scheme, authority, prefix });
    return path;
  };
  return {
    pathOf: (uri) => paths.get(uri) ?? add(uri),
    addFolder: (uri) => {
      const parsed = parsedUri(uri);
      const { scheme, authority } = parsed;
      schemes.add(scheme);
      const folder = writtenPath(parsed).replace(/(?<=.)\/$/, '');
      if (scheme !== 'file') origins.set(folder, { scheme, authority, prefix: '' });
      return folder;
    },
    register: (uri, languageId) => {
      // The editor may have held it in another language before.
      const before = paths.get(uri);
      if (before !== add(uri, languageId) && before !== undefined) uris.delete(before);
    },
    uriOf: (path) => {
      const seen = uris.get(path);
      if (seen !== undefined) return seen;
      const origin = originOf(path, origins);
      const whole = path.replace(halfCharacters, '\ufffd').replace(leadingSlashes, '/');
      if (origin === undefined) return fileUri(whole).toString();
      const { scheme, authority, prefix } = origin;
      return URI.from({ scheme, authority, path: whole.slice(prefix.length) }).toString();
    },
  };
}
