import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, sliceWord, textOf, type Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { benchmarkOf, hasFlag } from './benchmarks.ts';
import { candidates, sourceOf, tail } from './scriptPlaces.ts';

/** Sections of Bridge's configuration (fields of ConfigContainer). */
export const sections: readonly string[] = data.sections;

/** Sections filled by the classes of a model family, so that a custom class may have further fields. */
export const openSections: readonly string[] = data.openSections;

const ownScript = new RegExp(data.ownScriptPatterns.join('|'), 'i');
const imports = new RegExp(data.importPatterns.join('|'), 'm');

/** Which of Bridge's programs runs: its recipe runner, the one that submits it as a job, its benchmarks, or a custom script. */
export type Program = 'run_recipe' | 'submit' | 'performance' | 'own';

/** Whether a program runs recipes by name, itself or in the job it submits (scripts/training/setup_experiment.py:324). */
export function runsRecipes(program: Program | undefined): boolean {
  return program === 'run_recipe' || program === 'submit';
}

/** Keys that only Bridge's configuration has, for files that nothing else identifies. */
const tellingKeys: readonly (readonly string[])[] = data.tellingKeys.map((key) => key.split('.'));

/** The program that a launch runs, or undefined if it is not one of Bridge's. */
export function programOf(launch: Launch, host: Host): Program | undefined {
  const path = tail(launch.entry.word);
  if (benchmarkOf(launch, host) !== undefined) return 'performance';
  if (launch.entry.kind === 'module')
    return /(?:^|\.)scripts\.training\.run_recipe$/.test(path) ? 'run_recipe' : undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'run_recipe.py' && (path.includes('scripts/training/') || namesRecipe(launch.args)))
    return 'run_recipe';
  if (name === 'setup_experiment.py') return path.includes('scripts/training/') ? 'submit' : undefined;
  if (!name.endsWith('.py')) return undefined;
  const within = /Megatron-Bridge\//i.test(path);
  if (within && (launch.args.some(isOverride) || ownScript.test(name))) return 'own';
  return trainsWithBridge(launch, host) ? 'own' : undefined;
}

// The length of a name is bounded, so that matching a long run of one letter takes only linear time.
const programNames = new RegExp(
  [
    'run_recipe|setup_experiment|scripts[/.]performance|--model_recipe_name',
    `(?<![\\w.])(?:${data.sections.join('|')})\\.[\\w.]*[=$]`,
    `(?:${data.ownScriptPatterns.join('|')})[\\w.-]{0,200}\\.py\\b`,
  ].join('|'),
  'i',
);

/** Whether a text names one of Bridge's programs, an override of its configuration, or a script whose name suggests training. */
export function namesBridge(text: string): boolean {
  return programNames.test(text);
}

/** Whether the source of a Python program trains with Bridge. */
export function usesBridge(source: string): boolean {
  return imports.test(source);
}

/** Why a launch belongs to Bridge, or undefined. */
export function recogniseLaunch(launch: Launch, host: Host): string | undefined {
  const program = programOf(launch, host);
  if (program === undefined) return undefined;
  const script = tail(launch.entry.word);
  const via = launch.wrappers.length === 0 ? '' : ` through ${launch.wrappers.at(-1)}`;
  if (program === 'own') return `${script} imports megatron.bridge`;
  const what = benchmarkOf(launch, host) === 'copy' ? `${script}, a copy of a benchmark` : script;
  return `runs ${what} of Megatron-Bridge${via}`;
}

/** Why a YAML file is a set of overrides for Bridge, or undefined. */
export function recogniseDocument(document: YamlDocument): string | undefined {
  const root = document.root;
  if (isWrittenByBridge(document)) return undefined;
  const recipe = recipeIn(document);
  if (recipe !== undefined) {
    const holdsSection = root?.entries.some(({ key }) => sections.includes(key)) === true;
    return holdsSection
      ? `changes the recipe ${recipe.slice(recipe.lastIndexOf('.') + 1)} of Bridge's`
      : undefined;
  }
  const isBroken = document.problems.some(({ severity }) => severity === 'error');
  const written = isBroken ? keysInText(document.text) : undefined;
  const keys = written?.top ?? (root?.kind === 'map' ? root.entries.map(({ key }) => key) : []);
  const signs = tellingKeys.filter((path) =>
    written === undefined ? document.at(path) !== undefined : written.all.has(path.join('.')),
  );
  const others = keys.filter((key) => !sections.includes(key)).length;
  // A misspelt section, or a key with too little indentation, is reported only if the rest leaves no doubt.
  const least = others === 0 && !isBroken ? 2 : 3;
  if (signs.length < least || others > 1 || (others > 0 && keys.length - others < 3)) return undefined;
  return `has the sections of Bridge's configuration (${signs
    .map((path) => path.join('.'))
    .slice(0, 2)
    .join(', ')})`;
}

/**
 * The Bridge function that a file names for a custom program, which calls it and changes its result (`recipe: {_target_:
 * megatron.bridge.recipes.qwen.qwen3_8b_finetune_config}`).
 */
export function recipeIn(document: YamlDocument): string | undefined {
  const target = document.at(['recipe', '_target_']);
  const text = target?.kind === 'scalar' && target.value.kind === 'known' ? target.value.data : undefined;
  return typeof text === 'string' && text.startsWith('megatron.bridge.recipes.') ? text : undefined;
}

/**
 * Whether Bridge wrote the file beside a checkpoint (`run_config.yaml`): it holds all settings of a past run, none of which was chosen in the
 * file.
 */
function isWrittenByBridge(document: YamlDocument): boolean {
  const target = document.at(['_target_']);
  return target?.kind === 'scalar' && /^_target_:\s*["']?megatron\.bridge\./m.test(document.text);
}

/** The keys of a text that is not valid YAML, judging by its lines: those without indentation, and those directly below them. */
function keysInText(text: string): { readonly top: readonly string[]; readonly all: ReadonlySet<string> } {
  const top: string[] = [];
  const all = new Set<string>();
  for (const line of text.split('\n')) {
    const [, indent, key] = /^(\s*)([A-Za-z_]\w*):(?:\s|$)/.exec(line) ?? [];
    if (key === undefined) continue;
    if (indent === '') top.push(key);
    else all.add(`${top.at(-1) ?? ''}.${key}`);
  }
  return { top, all };
}

/** Whether words name a recipe or a mode with Bridge's names, or set something of Bridge's: other programs run recipes as well. */
function namesRecipe(words: readonly Word[]): boolean {
  if (!hasFlag(words, data.recipeFlags)) return false;
  return words.some((word, at) => {
    if (isOverride(word)) return true;
    const [flag = '', joined] = knownPrefix(word).split('=', 2);
    const isRecipe = data.recipeFlags.includes(flag);
    if (!isRecipe && flag !== '--mode') return false;
    const value = joined === undefined ? words[at + 1] : sliceWord(word, flag.length + 1);
    const text = value === undefined ? '' : textOf(value);
    if (text === undefined) return isRecipe;
    return isRecipe ? text.endsWith('_config') : data.recipeModes.includes(text);
  });
}

/** Whether a word is an override of one of Bridge's sections. */
function isOverride(word: Word): boolean {
  const match = /^[+~]*([a-z_]+)\.[A-Za-z_]\w*(?:[.\w]*)=/.exec(knownPrefix(word));
  return match?.[1] !== undefined && sections.includes(match[1]);
}

/** Whether the script is in the workspace and imports Bridge's training code (converters and servers do not). */
function trainsWithBridge(launch: Launch, host: Host): boolean {
  const path = textOf(launch.entry.word);
  return path !== undefined && usesBridge(sourceOf(candidates(path, launch, host), host) ?? '');
}
