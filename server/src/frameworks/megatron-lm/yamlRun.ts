import recognition from '../../../../schemas/megatron-lm/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { known, unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { lastOf } from '../argparse/settings.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, Run, Scope, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { makeScope, type ScopeParts } from '../scope.ts';
import { optionMap } from './programOptions.ts';
import { releaseOf, rulesAfter } from './releases.ts';
import { releaseOfTree } from './tree.ts';
import { excludedForYaml, yamlSettings } from './yamlConfig.ts';

/** The file that `--yaml-cfg` names, if the workspace has it. */
export function yamlOf(
  setting: Setting,
  { launch, context }: { readonly launch: Launch | undefined; readonly context: BindingContext },
): YamlDocument | undefined {
  const { value } = setting;
  if (value.kind === 'unknown' || typeof value.data !== 'string') return undefined;
  const cwd = launch?.command.cwd;
  if (value.data.startsWith('/')) return context.document(value.data);
  return cwd === undefined ? undefined : context.document(`${cwd}/${value.data.replace(/^\.\//, '')}`);
}

interface YamlParts {
  readonly settings: readonly Setting[];
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly facts: ReturnType<typeof makeFacts>;
  readonly context: BindingContext;
  readonly release: string | undefined;
  /** What follows from the program that is started with the file; empty if there is none. */
  readonly ofProgram: NonNullable<ScopeParts['forced']>;
  /** The file may belong to another program, so that nothing about it is certain. */
  readonly mayBeForeign?: boolean;
}

/** The scope of a `--yaml-cfg` file in a release. The defaults of everything else are not those of the command line. */
export function yamlScope(parts: YamlParts): Scope {
  const { settings, options, facts, context, release, ofProgram } = parts;
  const given = lastOf(settings);
  const { knowledge } = context;
  return makeScope({
    set: 'megatron-lm',
    role: undefined,
    options,
    derivations: knowledge.derivations,
    settings: given,
    forced: new Map([
      ...ofProgram,
      ['configured_by_yaml', { value: known(true), because: 'they stand in a file for --yaml-cfg' }],
    ]),
    unknownDefault: () => true,
    ...(parts.mayBeForeign === true ? { ceiling: 'warning' } : {}),
    keepsKeys: true,
    excludes: new Set([...excludedForYaml(knowledge), ...rulesAfter(knowledge, release ?? '')]),
    spelling: (name) => given.get(name)?.written ?? name,
    facts,
  });
}

/** Whether a document lacks a key that Megatron-LM requires in every file: its relatives have the same sections but read fewer keys. */
function isPart(document: YamlDocument): boolean {
  return document.at([recognition.readOfEveryYaml.key]) === undefined;
}

/** A `--yaml-cfg` file that no launch names. */
export function bindYaml(document: YamlDocument, because: string, context: BindingContext): Run {
  const options = optionMap(context.knowledge.options, '');
  const settings = yamlSettings(document, options);
  const worldSize = unknown('outside', 'number of GPUs');
  const facts = makeFacts({ worldSize, environment: new Map(), machine: context.machine });
  const release = releaseOf(context) ?? releaseOfTree(undefined, document.path, context.host);
  return {
    framework: 'megatron-lm',
    because,
    launch: undefined,
    documents: [document],
    place: document.root?.place ?? { path: document.path, span: { start: 0, end: 0 } },
    settings,
    problems: [],
    scopes: [
      yamlScope({
        settings,
        options,
        facts,
        context,
        release,
        ofProgram: new Map(),
        mayBeForeign: isPart(document),
      }),
    ],
    env: new Map(),
    worldSize,
    open: false,
    upstreamEntry: false,
  };
}
