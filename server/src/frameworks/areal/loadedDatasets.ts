import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { codeOf } from '../pythonCode.ts';
import type { ExperimentChoice } from './experiment.ts';
import type { LaunchForm } from './launchForm.ts';
import { locate } from './located.ts';
import type { Merged } from './mergeInto.ts';

const call = /^([ \t]+)\w+[ \t]*=[ \t]*get_custom_dataset\(([^()]*)\)[ \t]*$/gm;
const section = /\bdataset_config\s*=\s*config\.((?:train|valid)_dataset)\b/;

/**
 * The sections that a script hands to upstream's own loader whatever they are: in a statement of a function's body, without a look at the
 * section before.
 */
function loadedDatasets(source: string): readonly string[] {
  if (!/^from areal\.dataset import\b[^#]*\bget_custom_dataset\b/m.test(source)) return [];
  const code = codeOf(source);
  return [...code.matchAll(call)].flatMap(({ 1: indent = '', 2: given = '', index }) => {
    const [, name] = section.exec(given) ?? [];
    const asks = new RegExp(`config\\.${name}\\b(?!\\s*[,.)])`);
    const isPlain = name !== undefined && !/\bpath\s*=/.test(given) && !asks.test(code);
    return isPlain && isInFunction(code.slice(0, index), indent.length) ? [name] : [];
  });
}

/** Whether the line above that stands further left begins a function: no condition decides whether the statement runs. */
function isInFunction(before: string, indent: number): boolean {
  const above = before
    .split('\n')
    .findLast((line) => line.trim() !== '' && line.length - line.trimStart().length < indent);
  return /^(?:async )?def \w+\(/.test(above ?? '');
}

/**
 * Sections that the script of a launch loads and that its configuration does not have. Upstream's loader (areal/dataset/__init__.py:199) warns
 * of that and then lacks the path.
 */
export function datasetsNotGiven(
  launch: Launch,
  form: LaunchForm | undefined,
  { extraKeys }: ExperimentChoice,
  { settings }: Merged,
  host: Host,
): readonly BindingProblem[] {
  const script = form?.script === undefined ? undefined : locate(form.script, launch, host);
  const place = form?.config?.place;
  if (script === undefined || place === undefined) return [];
  return loadedDatasets(host.read(script) ?? '').flatMap((name) => {
    const value = settings.get(name)?.value;
    const isGiven = value !== undefined && (value.kind === 'unknown' || value.data !== null);
    // A class of the script's own may give it a value.
    const isKnown = extraKeys?.has(name) === false;
    return isGiven || !isKnown ? [] : [problem('dataset-not-given', place, { name }, 'warning')];
  });
}
