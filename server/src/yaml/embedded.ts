import type { Place, Span } from '../text/span.ts';
import type { Piece, Word } from '../value/word.ts';
import { textOf } from '../value/word.ts';
import type { YamlDocument, YamlNode } from './document.ts';
import { parseYaml } from './parse.ts';
import { piecesBetween } from './pieces.ts';
import { withoutExpressions, withoutPlaceholders } from './placeholders.ts';
import {
  child,
  containerGpus,
  descendant,
  jobNodes,
  nothingStated,
  rayResources,
  type StatedNumber,
  type StatedResources,
  skypilotResources,
} from './resources.ts';
import { shellText } from './shell-command.ts';
import { environmentWord, hole, joined, locator, wordOf } from './words.ts';

/** The variables around a command. */
interface Surroundings {
  /** Variables that the YAML sets around the command, the inner over the outer. */
  readonly env: ReadonlyMap<string, Word>;
  /**
   * Where it names further variables that are not read (`envFrom:`, `env_file:`); empty where the command only runs in an image, which may set some
   * of its own; undefined where there are none.
   */
  readonly unseen: readonly Place[] | undefined;
}

interface EmbeddedBase extends Surroundings {
  readonly resources: StatedResources;
  /** The whole script or the list of words. */
  readonly place: Place;
  /** The key it stands under: `run`, `setup`, `command`. */
  readonly key: string;
}

/** Shell text in a YAML value. */
export interface EmbeddedScript extends EmbeddedBase {
  readonly kind: 'script';
  readonly text: string;
  /** The place in the YAML file of a span of `text`. */
  readonly toPlace: (span: Span) => Place;
  /** The text with its origins. */
  readonly pieces: readonly Piece[];
}

/** A command that is given word by word, as containers are. */
export interface EmbeddedCommand extends EmbeddedBase {
  readonly kind: 'command';
  readonly words: readonly Word[];
}

export type Embedded = EmbeddedScript | EmbeddedCommand;

const scriptKeys: ReadonlySet<string> = new Set([
  'run',
  'setup',
  'script',
  'before_script',
  'after_script',
  'entrypoint',
  'command',
]);
/** Keys of maps whose values are environment variables, as files of ours and of schedulers and CI have them. */
export const environmentKeys: ReadonlySet<string> = new Set([
  'env',
  'envs',
  'environment',
  'environment_variables',
  'env_vars',
  'variables',
  'secrets',
]);

/** Keys of Kubernetes and of Compose for variables that stand elsewhere. */
const variableFileKeys: ReadonlySet<string> = new Set(['envFrom', 'env_file']);

/**
 * The shell scripts and commands that a job description holds, in the order of the text: SkyPilot's `run:`, CI steps, containers of Kubernetes
 * (also in PyTorchJob, RayJob and the like), `entrypoint:` of Ray and Anyscale jobs.
 */
export function embedded(document: YamlDocument): readonly Embedded[] {
  if (document.root === undefined) return [];
  const search = new Search();
  search.walk(document.root, [], { env: new Map(), unseen: undefined });
  return search.found;
}

class Search {
  readonly found: Embedded[] = [];
  readonly #seen = new Set<YamlNode>();

  walk(node: YamlNode, ancestors: readonly YamlNode[], outer: Surroundings): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const around = [...ancestors, node];
    if (node.kind === 'list') for (const item of node.items) this.walk(item, around, outer);
    if (node.kind !== 'map') return;
    const resources = statedAround(node, ancestors);
    const surroundings = surroundingsOf(node, outer, resources);
    if (child(node, 'image') !== undefined && this.#container(node, surroundings, resources)) {
      for (const entry of node.entries)
        if (entry.key !== 'command' && entry.key !== 'args') this.walk(entry.node, around, surroundings);
      return;
    }
    for (const entry of node.entries) {
      if (environmentKeys.has(entry.key)) continue;
      const pieces =
        scriptKeys.has(entry.key) && !isOfOtherShell(node) ? scriptPieces(entry.node) : undefined;
      if (pieces !== undefined) this.#script(entry.key, pieces, entry.node.place, surroundings, resources);
      else this.walk(entry.node, around, surroundings);
    }
  }

  /** `command` and `args` of a container; true when there is one of them. */
  #container(node: YamlNode, surroundings: Surroundings, resources: StatedResources): boolean {
    const { env } = surroundings;
    const lists = [child(node, 'command'), child(node, 'args')].filter((list) => list?.kind === 'list');
    const [first] = lists;
    if (first === undefined) return false;
    const last = lists.at(-1) ?? first;
    const words = lists.flatMap((list) => list?.items ?? []).map((item) => referring(wordOf(item), env));
    const place = {
      path: first.place.path,
      span: {
        start: Math.min(first.place.span.start, last.place.span.start),
        end: Math.max(first.place.span.end, last.place.span.end),
      },
    };
    const script = shellText(words);
    if (script !== undefined) this.#script('command', script.pieces, script.place, surroundings, resources);
    else if (words.length > 0)
      this.found.push({
        kind: 'command',
        key: 'command',
        words: words.map(withoutPlaceholders),
        ...surroundings,
        resources,
        place,
      });
    return true;
  }

  #script(
    key: string,
    pieces: readonly Piece[],
    place: Place,
    surroundings: Surroundings,
    resources: StatedResources,
  ): void {
    const shell = withoutExpressions(pieces);
    const toPlace = locator(shell, place);
    this.found.push({
      kind: 'script',
      key,
      text: joined(shell),
      toPlace,
      pieces: shell,
      ...surroundings,
      resources,
      place,
    });
  }
}

/** A text, or a list of texts that run one after the other, when it is more than a name. */
function scriptPieces(node: YamlNode): readonly Piece[] | undefined {
  const texts = node.kind === 'list' ? node.items : [node];
  const pieces: Piece[] = [];
  for (const text of texts) {
    if (text.kind !== 'scalar' || text.value.kind !== 'known' || typeof text.value.data !== 'string')
      return undefined;
    const end = { path: text.place.path, span: { start: text.place.span.end, end: text.place.span.end } };
    if (pieces.length > 0)
      pieces.push({ kind: 'text', text: '\n', origin: { place: end, via: [], verbatim: false } });
    pieces.push(...text.pieces);
  }
  return /\S\s+\S/.test(joined(pieces)) ? pieces : undefined;
}

/** A variable that something sets which is not read here. */
function setOutside(name: string, place: Place): Word {
  const origin = { place, via: [], verbatim: false };
  return {
    pieces: [{ kind: 'hole', reason: 'environment', label: `$${name}`, shape: 'any', splits: false, origin }],
    place,
  };
}

/** Whether a step of a workflow runs its text in something that is no shell: `shell: python`. */
function isOfOtherShell(step: YamlNode): boolean {
  const value = child(step, 'shell')?.value;
  return (
    value?.kind === 'known' &&
    typeof value.data === 'string' &&
    /^(?:python|pwsh|powershell|cmd|node|perl|ruby)\b/.test(value.data)
  );
}

/** Variables of a map's `env:` and its like, over those from around it. */
function surroundingsOf(node: YamlNode, outer: Surroundings, resources: StatedResources): Surroundings {
  const env = new Map(outer.env);
  const files = node.entries.filter(({ key }) => variableFileKeys.has(key)).map((entry) => entry.node.place);
  const isInImage = child(node, 'image') !== undefined || child(node, 'container') !== undefined;
  const unseen = files.length > 0 || isInImage ? [...(outer.unseen ?? []), ...files] : outer.unseen;
  if (isSkypilot(node)) {
    setNumber(env, 'SKYPILOT_NUM_NODES', resources.nodes);
    setNumber(env, 'SKYPILOT_NUM_GPUS_PER_NODE', resources.gpusPerNode);
  }
  // What the operator of a PyTorchJob sets in its containers.
  if (child(node, 'pytorchReplicaSpecs') !== undefined)
    for (const name of ['WORLD_SIZE', 'RANK', 'PET_NNODES', 'PET_NPROC_PER_NODE'])
      env.set(name, setOutside(name, node.place));
  for (const entry of node.entries) if (environmentKeys.has(entry.key)) addVariables(env, entry.node);
  const runtime = child(node, 'runtimeEnvYAML');
  if (runtime !== undefined) addRuntimeVariables(env, runtime);
  return { env, unseen };
}

/** `{A: b}`, `[{name: A, value: b}]` or `[A=b]`. */
function addVariables(env: Map<string, Word>, node: YamlNode): void {
  for (const entry of node.entries)
    if (entry.node.kind === 'scalar') env.set(entry.key, withoutPlaceholders(environmentWord(entry.node)));
  for (const item of node.items) {
    const name = child(item, 'name');
    const key = name === undefined ? undefined : textOf(wordOf(name));
    if (key !== undefined) {
      const value = child(item, 'value');
      const word =
        value === undefined ? undefined : withoutPlaceholders(referring(environmentWord(value), env));
      env.set(key, word ?? { pieces: [hole(item.place, `$${key}`)], place: item.place });
    } else if (item.kind === 'scalar') {
      const text = joined(item.pieces);
      const at = text.indexOf('=');
      if (at > 0)
        env.set(
          text.slice(0, at),
          withoutPlaceholders({
            pieces: piecesBetween(item.pieces, at + 1, text.length),
            place: item.place,
          }),
        );
    }
  }
}

/** KubeRay's `runtimeEnvYAML: |`: a YAML text within the YAML text. */
function addRuntimeVariables(env: Map<string, Word>, node: YamlNode): void {
  const text = joined(node.pieces);
  const toPlace = locator(node.pieces, node.place);
  const variables = parseYaml(node.place.path, text)[0]?.at(['env_vars']);
  for (const entry of variables?.entries ?? []) {
    const inner = environmentWord(entry.node);
    const pieces = inner.pieces.map((piece) => ({
      ...piece,
      origin: { ...piece.origin, place: toPlace(piece.origin.place.span) },
    }));
    env.set(entry.key, { pieces, place: toPlace(inner.place.span) });
  }
}

function setNumber(env: Map<string, Word>, name: string, number: StatedNumber | undefined): void {
  const [place] = number?.places ?? [];
  if (number === undefined || place === undefined) return;
  const text = String(number.value);
  const verbatim = number.places.length === 1 && place.span.end - place.span.start === text.length;
  env.set(name, { pieces: [{ kind: 'text', text, origin: { place, via: [], verbatim } }], place });
}

/** Kubernetes' `$(NAME)`: replaced when the container sets NAME, left alone otherwise; `$$(NAME)` stands for itself. */
function referring(word: Word, env: ReadonlyMap<string, Word>): Word {
  const text = joined(word.pieces);
  if (!text.includes('$(')) return word;
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/(\$?)\$\(([A-Za-z_.][\w.-]*)\)/g)) {
    const value = env.get(match[2] ?? '');
    if (match[1] === '' && value === undefined) continue;
    const start = match.index;
    const end = start + match[0].length;
    pieces.push(...piecesBetween(word.pieces, at, start));
    if (match[1] === '$') pieces.push(...piecesBetween(word.pieces, start + 1, end));
    else {
      const used = piecesBetween(word.pieces, start, end)[0]?.origin.place ?? word.place;
      for (const piece of value?.pieces ?? [])
        pieces.push({ ...piece, origin: { ...piece.origin, via: [used, ...piece.origin.via] } });
    }
    at = end;
  }
  pieces.push(...piecesBetween(word.pieces, at, text.length));
  return { pieces, place: word.place };
}

function isSkypilot(node: YamlNode): boolean {
  const script = child(node, 'run') ?? child(node, 'setup');
  return (
    script !== undefined && (child(node, 'resources') !== undefined || child(node, 'num_nodes') !== undefined)
  );
}

/** What is said of the machines for the commands of one map. */
function statedAround(node: YamlNode, ancestors: readonly YamlNode[]): StatedResources {
  if (isSkypilot(node)) return skypilotResources(node);
  const cluster = child(node, 'rayClusterSpec');
  if (cluster !== undefined) return rayResources(cluster);
  const gpus = containerGpus(node);
  if (
    gpus === undefined &&
    descendant(node, 'command') === undefined &&
    descendant(node, 'args') === undefined
  )
    return nothingStated;
  return { nodes: jobNodes(ancestors), gpusPerNode: gpus, gpu: undefined };
}
