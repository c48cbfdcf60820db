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
 * The sections that a script passes to upstream's own loader unconditionally: by a statement directly in a function body, without checking the
 * section first.
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

/** Whether the nearest line above with less indentation begins a function, so that no condition decides whether the statement runs. */
function isInFunction(before: string, indent: number): boolean {
  const above = before
    .split('\n')
    .findLast((line) => line.trim() !== '' && line.length - line.trimStart().length < indent);
  return /^(?:async )?def \w+\(/.test(above ?? '');
}

/**
 * Sections that the launch's script loads but its configuration lacks. Upstream's loader (areal/dataset/__init__.py:199) warns about that and
 * then has no path.
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
    // The script's own class may give it a value.
    const isKnown = extraKeys?.has(name) === false;
    return isGiven || !isKnown ? [] : [problem('dataset-not-given', place, { name }, 'warning')];
  });
}
