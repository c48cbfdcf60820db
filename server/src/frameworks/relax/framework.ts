import excluded from '../../../../schemas/relax/excludes.json';
import data from '../../../../schemas/relax/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { unknown } from '../../value/value.ts';
import { textOf } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import { knownFlags } from '../declaration.ts';
import { documentRun } from '../documentRun.ts';
import type { BindingContext, BindingProblem, Framework, FrameworkId, Run } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import { asInstalled } from '../otherVersion.ts';
import { megatronConstraintsReplaced } from '../slime/excludes.ts';
import { throughWrapper, trainerScript } from '../slime/recognise.ts';
import { bindTrainer } from '../slime/trainer.ts';
import { suggestSpelling } from '../suggest.ts';

const { entryScript } = data;
const entryModule = entryScript.replace(/\.py$/, '').replaceAll('/', '.');

/**
 * Constraints of slime that do not apply to Relax: it has no such option, behaves differently at that point, or has a more precise constraint
 * of its own.
 */
const notOfRelax: ReadonlySet<string> = new Set(excluded.slime);

/**
 * Constraints of Megatron-LM that do not apply to Relax: those that do not apply to slime, and checks that the Megatron-LM of Relax's image
 * (dev branch 85bced0ae, with Relax's patch) does not have yet: it accepts what they reject, or ignores the option.
 */
const megatronNotOfRelax: ReadonlySet<string> = new Set([
  ...megatronConstraintsReplaced,
  ...excluded['megatron-lm'],
]);

const excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>> = new Map([
  ['slime', notOfRelax],
  ['megatron-lm', megatronNotOfRelax],
]);

const declaration = knownFlags(data.declaration, ...data.furtherDeclarations);

/** Upstream's module that is meant by a launch that runs `train` in a folder whose name resembles Relax's. */
function moduleMeant({ entry }: Launch): string | undefined {
  const written = entry.kind === 'module' ? textOf(entry.word) : undefined;
  if (written === undefined || written === entryModule || !written.endsWith('.train')) return undefined;
  return suggestSpelling(written, [entryModule]);
}

/** Reports a misspelt module, unless the workspace has one of that name. */
function misspeltModule(launch: Launch, { host }: BindingContext): BindingProblem[] {
  const meant = moduleMeant(launch);
  const { word } = launch.entry;
  const name = textOf(word);
  if (meant === undefined || name === undefined) return [];
  const file = `${name.replaceAll('.', '/')}.py`;
  if (folderAbove([launch.place.path], file, host) !== undefined) return [];
  const [piece] = word.pieces;
  return [
    {
      rule: 'unknown-module',
      place: piece?.origin.place ?? word.place,
      values: { name, meant },
      setting: undefined,
      replacement: piece?.origin.verbatim === true && word.pieces.length === 1 ? meant : undefined,
      severity: 'warning',
      related: [],
    },
  ];
}

/** Relax: slime's descendant that runs its roles as services, with GPUs given by --resource. */
export const relax: Framework = {
  id: 'relax',

  recogniseLaunch(launch: Launch): string | undefined {
    const script = trainerScript(launch);
    if (script === undefined) return undefined;
    if (script.shown === entryScript || script.shown.endsWith(`/${entryScript}`))
      return `runs ${entryScript}${throughWrapper(launch)}`;
    return moduleMeant(launch) === undefined ? undefined : `runs ${script.shown}${throughWrapper(launch)}`;
  },

  isNamedIn(text: string): boolean {
    return /entrypoints|relax/.test(text);
  },

  recogniseDocument(): string | undefined {
    return undefined;
  },

  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    const run = bindTrainer(launch, because, context, {
      framework: 'relax',
      sets: ['relax', 'slime'],
      excludes,
      withoutTraining: [],
      upstream: true,
      entryScript: unknown('outside', 'the entry script'),
      otherDefaults: new Set(),
    });
    const checked = { ...run, problems: [...run.problems, ...misspeltModule(launch, context)] };
    return asInstalled(checked, importPaths(launch), declaration, context);
  },

  bindDocument(document: YamlDocument, because: string): Run {
    return documentRun(document, because, 'relax');
  },
};
