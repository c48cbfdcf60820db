import type { Host } from '../../value/host.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { type Branch, type ConfigNode, writtenData } from './tree.ts';

/** The folder of a file, with a trailing slash. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** What the `defaults` list of an experiment file does. */
export interface DefaultsList {
  /** Other files, which are not read here, are composed with this one. */
  readonly isOpen: boolean;
  readonly problems: readonly BindingProblem[];
}

/**
 * Reads the `defaults` of the file as Hydra does (hydra/_internal/config_repository.py): a list of file names, of groups with their file, and
 * `_self_`. Files named in the list must exist.
 * @param path the path of the experiment file
 * @param searchesElsewhere whether Hydra is told to search other folders too
 */
export function readDefaults(
  root: Branch,
  path: string,
  host: Host,
  searchesElsewhere: boolean,
): DefaultsList {
  const node = root.entries.get('defaults');
  if (node === undefined) return { isOpen: false, problems: [] };
  const data = writtenData(node);
  if (node.kind !== 'list') {
    const isKnown = node.kind === 'map' || data !== undefined;
    return { isOpen: !isKnown, problems: isKnown ? [notOne(node, 'a list', 'defaults')] : [] };
  }
  const isThere: IsThere = (name) =>
    searchesElsewhere || root.entries.has('hydra') || host.kind(folderOf(path) + name) !== 'absent';
  const selves = node.items.filter((item) => writtenData(item) === '_self_');
  const others = node.items.filter((item) => writtenData(item) !== '_self_');
  const again = selves[1];
  return {
    isOpen: others.length > 0,
    problems: [
      ...(again === undefined
        ? []
        : [
            problem('invalid-value', again.at.place, {
              name: 'defaults',
              expected: '_self_ once',
              value: '_self_',
            }),
          ]),
      ...others.flatMap((item) => problemsOf(item, isThere)),
    ],
  };
}

/** Whether a file may exist beside the experiment file, or elsewhere on Hydra's search path. */
type IsThere = (name: string) => boolean;

function notOne(node: ConfigNode, expected: string, name: string): BindingProblem {
  const data = writtenData(node);
  const value = node.kind === 'leaf' ? String(data) : node.kind === 'map' ? 'a map' : 'a list';
  return problem('invalid-value', node.at.place, { name, expected, value });
}

const entry = 'the name of a file, or a group with the file in it';

function problemsOf(item: ConfigNode, isThere: IsThere): readonly BindingProblem[] {
  if (item.kind === 'list') return [notOne(item, entry, 'defaults')];
  if (item.kind === 'leaf') {
    if (item.value.kind === 'unknown') return [];
    const { data } = item.value;
    return typeof data === 'string' ? absent(data, item, isThere) : [notOne(item, entry, 'defaults')];
  }
  const [[group, file] = [], ...more] = item.entries;
  if (group === undefined || file === undefined || more.length > 0) return [notOne(item, entry, 'defaults')];
  const data = writtenData(file);
  if (typeof data === 'number' || typeof data === 'boolean')
    return [notOne(file, 'the name of a file, a list of names, or null', `defaults.${group}`)];
  // `optional` needs no file, and `override` replaces another entry.
  return typeof data === 'string' && !group.includes(' ')
    ? absent(`${group.split('@')[0] ?? ''}/${data}`, file, isThere)
    : [];
}

/** Reports a file that certainly does not exist; Hydra's own files are left out. */
function absent(name: string, { at: { place } }: ConfigNode, isThere: IsThere): readonly BindingProblem[] {
  const [file = ''] = name.split('@');
  const isPlain = /^\/?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(file) && !/^\/?hydra\//.test(file);
  const named = `${file.replace(/^\//, '').replace(/\.yaml$/, '')}.yaml`;
  return isPlain && !isThere(named) ? [problem('missing-config', place, { value: named })] : [];
}
