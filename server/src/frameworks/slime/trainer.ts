import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { sameData, textOfData, unknown } from '../../value/value.ts';
import { lastOf } from '../argparse/settings.ts';
import type { BindingContext, BindingProblem, Run, Setting } from '../framework.ts';
import { duplicateKeys } from '../omegaconf/duplicateKeys.ts';
import { variablesOf } from '../variables.ts';
import { flagsOf, isMegatron, ofBackend } from './backend.ts';
import { customSettings, filesOf } from './files.ts';
import { missingFunctions } from './functionPaths.ts';
import { textsForNumbers } from './numberTexts.ts';
import { parseLaunch } from './parsers.ts';
import { roleProblems } from './roles.ts';
import { scopesOf, type Trainer } from './scopes.ts';

/** Binds a launch of slime or of a trainer that descends from it. */
export function bindTrainer(launch: Launch, because: string, context: BindingContext, trainer: Trainer): Run {
  const parsed = parseLaunch(launch, trainer.upstream, context);
  const written = lastOf(parsed.settings);
  const files = filesOf(written, launch, context);
  const later = customSettings(files.custom.document, parsed.options);
  const settings = new Map([...written, ...lastOf(later)]);
  const open = parsed.open || launch.open.length > 0;
  const scopes = scopesOf({
    launch,
    context,
    trainer,
    options: parsed.options,
    settings: new Map([...settings, ...lastOf(parsed.dropped)]),
    written: later.length === 0 ? undefined : written,
    addedByFile: later.map(({ name }) => name).filter((name) => !written.has(name)),
    files,
    open,
    // A custom program may take anything from such a file, and from its own flags.
    isElsewhere:
      !trainer.upstream &&
      (parsed.namesSettings || (trainer.isOpaque === true && parsed.foreign.size >= data.flagsOfAnother)),
  });
  return {
    framework: trainer.framework,
    because,
    launch,
    documents: Object.values(files).flatMap(({ document }) => (document === undefined ? [] : [document])),
    hasSideFilesOnly: true,
    place: launch.place,
    settings: [...parsed.settings, ...later],
    problems: ofBackend(isMegatron(settings, launch), flagsOf(context.knowledge.options), [
      ...parsed.problems,
      ...missingFunctions([...settings.values()], launch, context),
      ...overriddenByFile(written, later),
      ...roleProblems(files.roles.document, parsed.options),
      ...duplicateKeys(files.evaluation.document),
      ...textsForNumbers(files.custom.document, files.roles.document, parsed.options),
    ]),
    scopes,
    env: variablesOf(launch.env),
    worldSize: scopes[0]?.lookup('job_gpus')?.value ?? unknown('outside', 'number of GPUs'),
    open: open || (settings.has('custom_config_path') && files.custom.document === undefined),
    upstreamEntry: trainer.upstream,
  };
}

/** Options of the command line to which the file of `--custom-config-path` later gives other values. */
function overriddenByFile(
  written: ReadonlyMap<string, Setting>,
  later: readonly Setting[],
): BindingProblem[] {
  return later.flatMap((setting) => {
    const earlier = written.get(setting.name);
    if (earlier === undefined || earlier.value.kind === 'unknown' || setting.value.kind === 'unknown')
      return [];
    if (sameData(earlier.value.data, setting.value.data)) return [];
    return [
      {
        rule: 'duplicate-option',
        place: earlier.keyPlace,
        values: { name: earlier.written, value: textOfData(setting.value.data) },
        setting: earlier,
        replacement: undefined,
        severity: 'warning',
        related: [{ place: setting.keyPlace, message: 'the file of --custom-config-path sets it later' }],
      },
    ];
  });
}
