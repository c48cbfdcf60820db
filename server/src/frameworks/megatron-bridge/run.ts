import type { Launch } from '../../launch/launch.ts';
import type { Value } from '../../value/value.ts';
import type { Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Run, Scope, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { makeScope, type Presets } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { configurationFields, withCertainDefaults } from './fields.ts';
import { withMegatron } from './megatron.ts';
import { unlessRecipe, withRecipeVariables } from './recipeVariables.ts';
import type { Program } from './recognise.ts';
import { rewrittenFields } from './rewritten.ts';

/** The parts of a run. A configuration on its own has neither launch nor program. */
export interface RunParts {
  readonly because: string;
  readonly launch: Launch | undefined;
  readonly program: Program | undefined;
  readonly document: YamlDocument | undefined;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly presets: Presets | undefined;
  readonly recipes: RecipeFacts | undefined;
  /** Whether flags are applied after the overrides. */
  readonly flagsWin: boolean;
  readonly problems: readonly BindingProblem[];
  readonly worldSize: Value;
  readonly open: boolean;
  /** How a new override of a field begins, if not with its name. */
  readonly addition: ((name: string) => string) | undefined;
  readonly context: BindingContext;
}

/** The run with the scopes of the configuration and of the underlying Megatron-LM. */
export function makeRun(parts: RunParts): Run {
  const { options, settings, program, recipes, context } = parts;
  const env: ReadonlyMap<string, Word> = parts.launch?.env ?? new Map();
  const environment = withRecipeVariables(env, settings);
  const isUpstreams = program !== undefined && program !== 'own';
  const facts = makeFacts({ worldSize: parts.worldSize, environment, machine: context.machine });
  const scopesFrom = (presets: Presets | undefined): readonly [Scope, Scope] => {
    const scope = makeScope({
      set: 'megatron-bridge',
      role: undefined,
      options: isUpstreams ? withCertainDefaults(options) : options,
      derivations: context.knowledge.derivations,
      settings,
      presets,
      forced: rewrittenFields({ options, settings, program, presets, recipes, flagsWin: parts.flagsWin }),
      facts: (name) => unlessRecipe(name, facts(name), environment, presets),
      spelling: (name) => settings.get(name)?.written ?? flagOf(name, options) ?? name,
    });
    const { addition } = parts;
    const written = addition === undefined ? scope : { ...scope, addition };
    return withMegatron(written, options, !isUpstreams, context);
  };
  const scopes = scopesFrom(parts.presets);
  const top = parts.document?.root?.place ?? { path: parts.document?.path ?? '', span: { start: 0, end: 0 } };
  return {
    framework: 'megatron-bridge',
    because: parts.because,
    launch: parts.launch,
    documents: parts.document === undefined ? [] : [parts.document],
    place: parts.launch?.place ?? { path: top.path, span: { start: top.span.start, end: top.span.start } },
    settings: [...settings.values()],
    problems: parts.problems,
    scopes:
      parts.presets === undefined
        ? scopes
        : scopes.map((scope, at) => ({ ...scope, certain: () => scopesFrom(undefined)[at] ?? scope })),
    env: variablesOf(env),
    worldSize: parts.worldSize,
    open: parts.open,
    upstreamEntry: isUpstreams,
  };
}

/** The flag of an option that is not a configuration field. */
function flagOf(name: string, options: ReadonlyMap<string, OptionFact>): string | undefined {
  return configurationFields(options).has(name) ? undefined : options.get(name)?.flags?.[0];
}
