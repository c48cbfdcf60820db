import type { Place, Span } from '../text/span.ts';
import { templateVariable } from '../value/template.ts';
import type { Piece, Word } from '../value/word.ts';
import type { YamlDocument, YamlNode } from './document.ts';
import { commandKeys, containerImageKeys, environmentKeys, scriptKeys, textKeys } from './jobKeys.ts';
import { piecesBetween } from './pieces.ts';
import { fromCompose, withoutExpressions, withoutGone, withoutPlaceholders } from './placeholders.ts';
import { child, descendant, type StatedResources } from './resources.ts';
import { runaiContainer, runaiLine } from './runai.ts';
import { generatedText, lineOf, shellText } from './shellCommand.ts';
import { statedAround } from './statedResources.ts';
import { referring, type Surroundings, surroundingsOf } from './surroundings.ts';
import { joined, locator, wordOf } from './words.ts';

interface EmbeddedBase extends Surroundings {
  readonly resources: StatedResources;
  /** The whole script or list of words. */
  readonly place: Place;
  /** Its key: `run`, `setup`, `command`. */
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

/** A command given word by word, as for containers. */
export interface EmbeddedCommand extends EmbeddedBase {
  readonly kind: 'command';
  readonly words: readonly Word[];
}

/** Something in a YAML file that is run. */
export type Embedded = EmbeddedScript | EmbeddedCommand;

/** Keys of a ConfigMap for files that are shell scripts. */
const fileKey = /\.(?:sh|bash|slurm|sbatch)$/;

/**
 * The shell scripts and commands in a job description, in text order: SkyPilot's `run:`, CI steps, containers of Kubernetes (also in
 * PyTorchJob, RayJob and the like), `entrypoint:` of Ray and Anyscale jobs.
 */
export function embedded(document: YamlDocument): readonly Embedded[] {
  if (document.root === undefined) return [];
  const search = new Search(document.root);
  search.walk(document.root, [], { env: new Map(), unseen: undefined });
  return search.found;
}

/** A command turned into a script that starts it. */
export function scriptOfCommand({ words, ...around }: EmbeddedCommand): EmbeddedScript {
  return { ...around, kind: 'script', ...shellOf(lineOf(words), around.place, [], around) };
}

/** Shell text with what maps it to its place; `beside` are the keys of the map that contains it. */
function shellOf(
  pieces: readonly Piece[],
  place: Place,
  beside: readonly string[],
  { env, unseen = [] }: Surroundings,
): Pick<EmbeddedScript, 'text' | 'toPlace' | 'pieces'> {
  const shell = withoutExpressions(withoutGone(pieces), beside, unseen.length === 0 ? env : new Map());
  return { text: joined(shell), toPlace: locator(shell, place), pieces: shell };
}

class Search {
  readonly found: Embedded[] = [];
  readonly #root: YamlNode;
  readonly #seen = new Set<YamlNode>();

  constructor(root: YamlNode) {
    this.#root = root;
  }

  walk(node: YamlNode, ancestors: readonly YamlNode[], outer: Surroundings): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const path = [...ancestors, node];
    if (node.kind === 'list') for (const item of node.items) this.walk(item, path, outer);
    if (node.kind !== 'map') return;
    const resources = statedAround(node, ancestors);
    const surroundings = surroundingsOf(runaiContainer(node) ?? node, outer, resources);
    const isOfCompose = isService(ancestors);
    if (this.#runai(node, surroundings, resources)) return;
    if (isContainer(node) && this.#container(node, surroundings, resources, isOfCompose)) {
      for (const entry of node.entries)
        if (!commandKeys.includes(entry.key)) this.walk(entry.node, path, surroundings);
      return;
    }
    for (const entry of node.entries) {
      if (environmentKeys.has(entry.key)) continue;
      const { key } = entry;
      const isFile = fileKey.test(key);
      const isScript =
        isFile ||
        scriptKeys.has(key) ||
        (textKeys.has(key) && isShellText(entry.node)) ||
        (key === 'source' && child(node, 'image') !== undefined);
      const pieces =
        isScript && !isOfOtherShell(node)
          ? scriptPieces(entry.node, textBefore(key, node), this.#root)
          : undefined;
      // Whoever reads a file has variables of its own.
      const around = isFile ? { ...surroundings, unseen: surroundings.unseen ?? [] } : surroundings;
      const handed = pieces && isOfCompose ? fromCompose(pieces, surroundings.env) : pieces;
      const script = handed && shellOf(handed, entry.node.place, keysOf(node), around);
      if (script !== undefined) this.#script(key, script, entry.node.place, around, resources);
      else this.walk(entry.node, path, surroundings);
    }
  }

  /** Adds the command of a Run:ai workload. Returns true if it did. */
  #runai(node: YamlNode, surroundings: Surroundings, resources: StatedResources): boolean {
    const container = runaiContainer(node);
    const line = container === undefined ? undefined : runaiLine(container);
    if (line === undefined) return false;
    const place = child(node, 'command')?.place ?? child(node, 'arguments')?.place ?? node.place;
    this.#script('command', shellOf(line, place, [], surroundings), place, surroundings, resources);
    return true;
  }

  /** Adds the words of a container: its entry point, its command, their arguments. Returns true if it did. */
  #container(
    node: YamlNode,
    surroundings: Surroundings,
    resources: StatedResources,
    isOfCompose: boolean,
  ): boolean {
    const { env } = surroundings;
    const parts = commandKeys.flatMap((key) => child(node, key) ?? []);
    const [first] = parts;
    const last = parts.at(-1);
    // A single text is read as a script.
    if (first === undefined || last === undefined) return false;
    if (parts.length === 1 && first.kind !== 'list') return false;
    const lists = parts.map(wordsOf);
    if (!lists.every((list) => list !== undefined)) return false;
    const handed = (word: Word): Word =>
      isOfCompose ? { ...word, pieces: fromCompose(word.pieces, env) } : referring(word, env);
    const words = lists.flat().map(handed);
    const spans = parts.map(({ place }) => place.span);
    const place = {
      path: first.place.path,
      span: {
        start: Math.min(...spans.map(({ start }) => start)),
        end: Math.max(...spans.map(({ end }) => end)),
      },
    };
    const script = shellText(words);
    if (script !== undefined) {
      const shell = shellOf(script.pieces, script.place, keysOf(node), surroundings);
      this.#script('command', shell, script.place, surroundings, resources);
    } else if (words.length > 0)
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
    script: Pick<EmbeddedScript, 'text' | 'toPlace' | 'pieces'>,
    place: Place,
    surroundings: Surroundings,
    resources: StatedResources,
  ): void {
    this.found.push({ kind: 'script', key, ...script, ...surroundings, resources, place });
  }
}

/** Whether a node is a single text that is not a template for calling a shell: `bash -e {0}`, with which GitHub runs steps. */
function isShellText(node: YamlNode): boolean {
  return node.kind === 'scalar' && !joined(node.pieces).includes('{0}');
}

function keysOf(node: YamlNode): readonly string[] {
  return node.kind === 'map' ? node.entries.map(({ key }) => key) : [];
}

/** The words of a list or of an unquoted text; undefined for other texts. */
function wordsOf(node: YamlNode): readonly Word[] | undefined {
  if (node.kind === 'list') return node.items.map(wordOf);
  const text = node.kind === 'scalar' ? joined(node.pieces) : '"';
  if (/["'\\]/.test(text)) return undefined;
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    pieces: piecesBetween(node.pieces, index, index + word.length),
    place: node.place,
  }));
}

/** Whether a map is a service of Compose. */
function isService([root, services, ...others]: readonly YamlNode[]): boolean {
  return services !== undefined && others.length === 0 && child(root, 'services') === services;
}

/** Whether a map describes a container whose words are given: of Kubernetes, or a service of Compose. */
function isContainer(node: YamlNode): boolean {
  // Argo passes a script to the command.
  if (child(node, 'source') !== undefined) return false;
  const isBuilt = child(node, 'build') !== undefined && child(node, 'command') !== undefined;
  return isBuilt || containerImageKeys.some((key) => child(node, key) !== undefined) || hasWords(node);
}

/** Whether the list of a command holds the words of one command, a program and its options, rather than several commands. */
function hasWords(node: YamlNode): boolean {
  const [first, ...others] = (child(node, 'entrypoint') ?? child(node, 'command'))?.items ?? [];
  if (first === undefined || /\s/.test(joined(first.pieces))) return false;
  return (
    child(node, 'args') !== undefined || others.some(({ pieces }) => /^-|^\S+\.py$/.test(joined(pieces)))
  );
}

/** What GitLab runs before a script in the same shell, if it is written in the same form. */
function textBefore(key: string, node: YamlNode): YamlNode | undefined {
  const before = key === 'script' ? child(node, 'before_script') : undefined;
  return before?.kind === child(node, 'script')?.kind ? before : undefined;
}

/**
 * A text, or a list of texts that run one after the other, if it is more than a name.
 *
 * @param before what runs before it
 */
function scriptPieces(
  node: YamlNode,
  before: YamlNode | undefined,
  root: YamlNode,
): readonly Piece[] | undefined {
  const texts = [before, node].flatMap((each) => (each === undefined ? [] : textsOf(each, root)));
  const pieces: Piece[] = [];
  for (const text of texts) {
    const own = isReference(text) ? elsewhere(text) : textOfScript(text);
    if (own === undefined) return undefined;
    const end = { path: text.place.path, span: { start: text.place.span.end, end: text.place.span.end } };
    if (pieces.length > 0) pieces.push(generatedText('\n', end));
    pieces.push(...own);
  }
  return /\S\s+\S/.test(joined(pieces)) ? pieces : undefined;
}

function textOfScript({ kind, value, pieces }: YamlNode): readonly Piece[] | undefined {
  return kind === 'scalar' && value.kind === 'known' && typeof value.data === 'string' ? pieces : undefined;
}

/** Shell text that is not in the file: it may set anything, like a missing file. */
function elsewhere({ place }: YamlNode): readonly Piece[] {
  return [generatedText(`. "${templateVariable}"`, place)];
}

function isReference({ kind, tag }: YamlNode): boolean {
  return kind === 'list' && tag === '!reference';
}

/** The most references that GitLab follows in a chain. */
const mostReferences = 10;

/** The texts of a script; GitLab's `!reference [job, script]` stands for those of another script in the file. */
function textsOf(node: YamlNode, root: YamlNode, followed = 0): readonly YamlNode[] {
  if (node.kind !== 'list') return [node];
  if (!isReference(node)) return node.items.flatMap((item) => textsOf(item, root, followed));
  const there = descendant(root, ...node.items.map(({ pieces }) => joined(pieces)));
  return there === undefined || followed >= mostReferences ? [node] : textsOf(there, root, followed + 1);
}

/** Whether a step of a workflow or a script of Argo runs its text in something other than a shell: `shell: python`. */
function isOfOtherShell(step: YamlNode): boolean {
  const value = (child(step, 'shell') ?? child(step, 'command')?.items[0])?.value;
  return (
    value?.kind === 'known' &&
    typeof value.data === 'string' &&
    /^(?:.*\/)?(?:python[\d.]*|pwsh|powershell|cmd|node|perl|ruby)\b/.test(value.data)
  );
}
