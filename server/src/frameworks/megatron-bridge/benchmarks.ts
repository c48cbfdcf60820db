import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { placesOf, sourceOf, tail } from './scriptPlaces.ts';

const names = data.performanceScripts.join('|');
const module = new RegExp(`(?:^|\\.)scripts\\.performance\\.(?:${names})$`);
const script = new RegExp(`scripts/performance/(?:${names})\\.py$`);
const copied = data.copiedPerformanceScripts.join('|');
const named = new RegExp(`(?:^|[/_-])(${copied})(?:[_-][\\w-]*)?\\.py$`);
const parserImport = new RegExp(data.performanceParser.imports, 'm');

/** Whether a launch runs Bridge's benchmarks: upstream's own program, or a modified copy. */
export function benchmarkOf(launch: Launch, host: Host): 'own' | 'copy' | undefined {
  const path = tail(launch.entry.word);
  if (launch.entry.kind === 'module') return module.test(path) ? 'own' : undefined;
  if (script.test(path)) return 'own';
  if (named.test(path) && path.includes('scripts/performance/')) return 'copy';
  if (!hasFlag(launch.args, data.performanceFlags)) return undefined;
  if (/(?:^|\/)setup_experiment\.py$/.test(path)) return 'own';
  if (named.test(path)) return 'copy';
  return path.endsWith('.py') && parserImport.test(sourceOf(placesOf(launch, host), host) ?? '')
    ? 'copy'
    : undefined;
}

/** The upstream benchmark program that a script is, or that a copy is named after. */
export function benchmarkName(launch: Launch): string {
  const path = textOf(launch.entry.word) ?? '';
  return named.exec(path)?.[1] ?? /([^/.]+)(?:\.py)?$/.exec(path)?.[1] ?? '';
}

/**
 * Problems without those of flags that the workspace declares, in a copied script or in the parser beside it. A launch may copy the script
 * beside it into the folder where it runs.
 */
export function exceptDeclaredFlags(
  problems: readonly BindingProblem[],
  launch: Launch,
  host: Host,
): readonly BindingProblem[] {
  const isOfFlag = ({ rule, values: { name = '' } }: BindingProblem): boolean =>
    rule === 'unknown-option' && name.startsWith('-');
  if (!problems.some(isOfFlag)) return problems;
  const parser = data.performanceParser.file;
  const text = placesOf(launch, host)
    .flatMap((path) => [path, path.replace(/[^/]*$/, parser)])
    .map((path) => host.read(path) ?? '')
    .join('\n');
  const isDeclared = (name: string): boolean => text.includes(`"${name}"`) || text.includes(`'${name}'`);
  return problems.filter((found) => !isOfFlag(found) || !isDeclared(found.values.name ?? ''));
}

/** Whether a flag is among the words, with its value joined or separate. */
export function hasFlag(words: readonly Word[], flags: readonly string[]): boolean {
  return words.some((word) =>
    flags.some((flag) => knownPrefix(word) === flag || knownPrefix(word).startsWith(`${flag}=`)),
  );
}
