import type { Place } from '../text/span.ts';
import { type Piece, textOf, type Word } from '../value/word.ts';
import type { YamlNode } from './document.ts';
import {
  environmentKeys,
  imageKeys,
  imagePaths,
  operatorKeys,
  operatorVariables,
  variableFileKeys,
} from './jobKeys.ts';
import { operatorNumbers, volcanoNumbers } from './operatorNumbers.ts';
import { parseYaml } from './parse.ts';
import { piecesBetween } from './pieces.ts';
import { withoutPlaceholders } from './placeholders.ts';
import {
  child,
  descendant,
  isDstack,
  isSkypilot,
  type StatedNumber,
  type StatedResources,
  wholeNumber,
} from './resources.ts';
import { environmentWord, hole, joined, locator, wordOf } from './words.ts';

/** The variables around a command. */
export interface Surroundings {
  /** Variables that the YAML sets around the command; inner ones override outer ones. */
  readonly env: ReadonlyMap<string, Word>;
  /**
   * Places that name further variables which are not read (`envFrom:`, `env_file:`); empty if the command only runs in an image, which may set
   * some of its own; undefined if there are none.
   */
  readonly unseen: readonly Place[] | undefined;
}

/** The variables of a map's `env:` and the like, on top of the surrounding ones. */
export function surroundingsOf(
  node: YamlNode,
  outer: Surroundings,
  resources: StatedResources,
): Surroundings {
  const env = new Map(outer.env);
  const { nodes, gpusPerNode } = resources;
  if (isSkypilot(node)) {
    setNumber(env, 'SKYPILOT_NUM_NODES', nodes);
    setNumber(env, 'SKYPILOT_NUM_GPUS_PER_NODE', gpusPerNode);
  }
  if (isDstack(node)) {
    setNumber(env, 'DSTACK_NODES_NUM', nodes);
    setNumber(env, 'DSTACK_GPUS_PER_NODE', gpusPerNode);
  }
  if (operatorKeys.some((key) => child(node, key) !== undefined)) {
    for (const name of operatorVariables) env.set(name, setOutside(name, node.place));
    for (const [name, number] of operatorNumbers(node)) setNumber(env, name, number);
  }
  if (child(node, 'plugins') !== undefined && child(node, 'tasks') !== undefined) {
    if (descendant(node, 'plugins', 'pytorch') !== undefined)
      for (const name of ['WORLD_SIZE', 'RANK']) env.set(name, setOutside(name, node.place));
    for (const [name, number] of volcanoNumbers(node)) setNumber(env, name, number);
  }
  setNumber(env, 'LWS_GROUP_SIZE', wholeNumber(descendant(node, 'leaderWorkerTemplate', 'size')));
  // The entry point of a RayJob runs in the container of its head node.
  const head = descendant(node, 'rayClusterSpec', 'headGroupSpec', 'template', 'spec', 'containers')
    ?.items[0];
  for (const around of head === undefined ? [node] : [head, node])
    for (const entry of around.entries)
      if (environmentKeys.has(entry.key)) addVariables(env, variablesIn(entry.node));
  if (isSkypilot(node)) leaveToTheLaunch(env, node);
  const runtime = child(node, 'runtimeEnvYAML');
  if (runtime !== undefined) addRuntimeVariables(env, runtime);
  const files = [node, ...(head === undefined ? [] : [head])].flatMap(filesOfVariables);
  const isInImage = [...imageKeys.map((key) => [key]), ...imagePaths].some(
    (path) => descendant(node, ...path) !== undefined,
  );
  const unseen = files.length > 0 || isInImage ? [...(outer.unseen ?? []), ...files] : outer.unseen;
  return { env, unseen };
}

/** Variables that SkyPilot gets with `--env` or `--secret` at launch: they have no value in the file. */
function leaveToTheLaunch(env: Map<string, Word>, node: YamlNode): void {
  const declared = node.entries.filter(({ key }) => environmentKeys.has(key));
  for (const { key, node: value } of declared.flatMap((entry) => entry.node.entries))
    if (value.kind === 'scalar' && joined(value.pieces) === '') env.set(key, setOutside(key, value.place));
}

/** Where a map names variables that are not read: files, and what the steps of a workflow write for later steps. */
function filesOfVariables(node: YamlNode): readonly Place[] {
  const files = node.entries.filter(({ key }) => variableFileKeys.has(key)).map((entry) => entry.node.place);
  const steps = child(node, 'steps')?.items ?? [];
  const writing = steps.flatMap((step) => child(step, 'run') ?? []).filter(writesVariables);
  // What GitLab runs before every script.
  const before = [child(node, 'before_script'), descendant(node, 'default', 'before_script')];
  const isOwn = child(node, 'script') !== undefined;
  return [...files, ...[...writing, ...(isOwn ? [] : before)].flatMap((text) => text?.place ?? [])];
}

function writesVariables(step: YamlNode): boolean {
  return joined(step.pieces).includes('GITHUB_ENV');
}

/** The variables of an environment, which Determined keeps next to its image. */
function variablesIn(environment: YamlNode): YamlNode {
  const inner = child(environment, 'environment_variables') ?? environment;
  return child(inner, 'cuda') ?? inner;
}

/** `{A: b}`, `[{name: A, value: b}]`, `[{key: A, value: b}]` or `[A=b]`. */
function addVariables(env: Map<string, Word>, node: YamlNode): void {
  for (const entry of node.entries)
    if (entry.node.kind === 'scalar') env.set(entry.key, withoutPlaceholders(environmentWord(entry.node)));
  for (const item of node.items) {
    const name = child(item, 'name') ?? child(item, 'key');
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

/** KubeRay's `runtimeEnvYAML: |`: YAML text within YAML text. */
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

/** A variable set by something that is not read here. */
function setOutside(name: string, place: Place): Word {
  const origin = { place, via: [], verbatim: false };
  return {
    pieces: [{ kind: 'hole', reason: 'environment', label: `$${name}`, shape: 'any', splits: false, origin }],
    place,
  };
}

/** Kubernetes' `$(NAME)`: replaced if the container sets NAME, otherwise left as is; `$$(NAME)` is an escaped `$(NAME)`. */
export function referring(word: Word, env: ReadonlyMap<string, Word>): Word {
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
