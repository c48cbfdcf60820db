import data from '../../../../schemas/areal/recognise.json';
import type { Host } from '../../value/host.ts';
import { foldersAbove } from '../above.ts';

/** Files in which a project says which packages it is installed with. */
const requirements = ['pyproject.toml', 'requirements.txt', 'Dockerfile'];

const repository = String.raw`github\.com[/:](?:${data.repositories.join('|')})(?:\.git)?`;
const release = String.raw`v?(\d+\.\d+\.\d+)(?![\w*]|\.[\d*])`;
/** A requirement of exactly one release: of the package, of upstream's tag, or of a clone of the tag. */
const pins = [
  String.raw`(?<![\w.-])${data.package}(?:\[[\w, -]*\])?\s*={2,3}\s*${release}`,
  `${repository}@${release}`,
  String.raw`${repository}["']\s*,\s*(?:tag|rev)\s*=\s*["']${release}["']`,
  String.raw`\bgit clone\b.*(?:-b|--branch)[ =]${release}.*${repository}`,
  String.raw`\bgit clone\b.*${repository}.*(?:-b|--branch)[ =]${release}`,
].map((pattern) => new RegExp(pattern, 'gi'));
const mentions = new RegExp(data.package, 'i');

/**
 * The AReaL release that a project pins in the nearest folder, above any of the paths, that pins one; undefined if none does, or if that folder
 * names two. Pins of a fork, a range or a commit do not count.
 */
export function pinnedRelease(paths: readonly string[], host: Host): string | undefined {
  const folders = new Set(paths.flatMap((path) => foldersAbove(path, host)));
  for (const folder of folders) {
    const pinned = pinsIn(requirements.map((name) => host.read(`${folder}/${name}`) ?? '').join('\n'));
    if (pinned.size > 0) return pinned.size === 1 ? [...pinned][0] : undefined;
  }
  return undefined;
}

function pinsIn(text: string): ReadonlySet<string> {
  const lines = mentions.test(text) ? text.replace(/^[ \t]*#.*$|[ \t]#.*$/gm, '') : '';
  return new Set(pins.flatMap((pin) => [...lines.matchAll(pin)].map(([, pinned = '']) => pinned)));
}
