import type { Place } from '../../text/span.ts';
import { display } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { nameRules } from '../nameRules.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { duplicateKeys } from '../omegaconf/duplicateKeys.ts';
import { refusedOfHydra } from '../omegaconf/hydraOwn.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { meantKey, type Override, type OverrideProblem, parseOverride } from '../omegaconf/overrides.ts';
import { beginsVerbatim } from '../places.ts';
import { asWarning } from '../problem.ts';
import { applyOverrides } from './compose.ts';
import { folderOf, readDefaults } from './defaultsList.ts';
import { emptyTree, endOfFirst, rawTree, unreadAsOne } from './experimentFile.ts';
import type { Inputs } from './inputs.ts';
import type { LaunchForm } from './launchForm.ts';
import { rawReferences } from './rawReferences.ts';
import type { Branch } from './tree.ts';

/** A configuration with the overrides applied, before it is checked against a class. */
export interface Composition {
  readonly root: Branch;
  readonly problems: readonly BindingProblem[];
  /** There is no file, or it holds no keys. */
  readonly withoutFile: boolean;
  /** Other files are composed in as well, so that only names are certain. */
  readonly isComposed: boolean;
  /** There may be further settings that cannot be seen. */
  readonly open: boolean;
}

/** Applies the overrides of a launch to its file, as Hydra does. */
export function composeConfiguration(inputs: Inputs, place: Place): Composition {
  const { launch, form, document, context, missing } = inputs;
  const { overrides, problems: refused, isOpen } = overridesOf(form);
  const raw = rawTree(document);
  const folder = document === undefined ? undefined : folderOf(document.path);
  const composed = applyOverrides(
    raw ?? emptyTree(place),
    overrides,
    (name) => folder !== undefined && context.host.kind(folder + name) === 'directory',
  );
  const searchesElsewhere = overrides.some(({ key }) => key.startsWith('hydra.'));
  const list =
    document === undefined
      ? undefined
      : readDefaults(composed.root, document.path, context.host, searchesElsewhere);
  const isCutOff = document !== undefined && endOfFirst(document) !== undefined;
  const isComposed = composed.isOpen || list?.isOpen === true;
  const ofFile =
    raw === undefined
      ? []
      : [
          ...composed.problems.map((problem) => weakenedIfComposed(problem, isComposed)),
          ...(list?.problems ?? []),
          ...duplicateKeys(document),
        ];
  return {
    root: composed.root,
    problems: [
      ...(missing === undefined ? [] : [missing]),
      ...refused,
      ...(launch === undefined || document === undefined ? [] : unreadAsOne(document)),
      ...ofFile,
      ...(form === undefined || form.mode === 'controller' ? [] : rawReferences(composed.root)),
    ],
    withoutFile: raw === undefined,
    isComposed,
    open: raw === undefined || isCutOff || isOpen || (launch?.open.length ?? 0) > 0 || isComposed,
  };
}

/** A problem with the severity it has when other files may be composed in: name problems stay as they are, others become warnings. */
export function weakenedIfComposed(problem: BindingProblem, isComposed: boolean): BindingProblem {
  return isComposed && !nameRules.has(problem.rule) ? asWarning(problem) : problem;
}

/** The overrides of a command line, those Hydra rejects, and whether some have unknown names. */
function overridesOf(form: LaunchForm | undefined): {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
  readonly isOpen: boolean;
} {
  // Hydra rejects any word without an equals sign; it sees no words at all if no configuration is named.
  const words = form?.config === undefined ? [] : form.overrides;
  const rejoined = rejoin(words, (text) => /^\+*[A-Za-z_][\w.]*$/.test(text), 'error');
  const overrides: Override[] = [];
  const problems = [...rejoined.problems];
  let isOpen = false;
  for (const word of rejoined.words) {
    const parsed = parseOverride(word, 'hydra');
    if (parsed.kind === 'override') overrides.push(parsed);
    else if (parsed.reason === 'open-key') isOpen = true;
    else problems.push(refusedOverride(parsed));
  }
  return { overrides, problems: [...problems, ...refusedOfHydra(overrides)], isOpen };
}

function refusedOverride(problem: OverrideProblem): BindingProblem {
  const reason =
    problem.reason === 'sweep' ? 'several values need --multirun, which AReaL does not run' : problem.detail;
  return invalidOverride({
    key: problem.key,
    shown: display(problem.word),
    reason,
    place: problem.place,
    severity: 'error',
    replacement: beginsVerbatim(problem.word, problem.key.length) ? meantKey(problem.key) : undefined,
  });
}
