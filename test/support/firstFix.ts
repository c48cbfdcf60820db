import { applyEdits } from '../../server/src/text/edit.ts';
import { lintFile } from './lintFile.ts';

/** The findings of a launch script. */
export const lint = (text: string) => lintFile('/w/run.sh', text).findings;

/** The script after a rule's first fix, and the rules of its findings then; undefined if the rule offers none. */
export function fixed(
  rule: string,
  text: string,
  title?: string,
): { readonly text: string; readonly rules: string[] } | undefined {
  const fixes = lint(text).find((finding) => finding.rule === rule)?.fixes ?? [];
  const fix = fixes.find((one) => title === undefined || one.title === title);
  if (fix === undefined) return undefined;
  const after = applyEdits(text, fix.edits) ?? '';
  return { text: after, rules: lint(after).map((finding) => finding.rule) };
}

/** The titles of the fixes that a rule offers. */
export const titles = (rule: string, text: string): readonly string[] =>
  lint(text)
    .find((finding) => finding.rule === rule)
    ?.fixes.map(({ title }) => title) ?? [];

/** A launch of SkyRL with some overrides. */
export const skyrl = (...words: readonly string[]): string =>
  `python -m skyrl.train.entrypoints.main_base \\\n  trainer.logger=console \\\n  ${words.join(' \\\n  ')}\n`;

/** A launch of Megatron-LM with some flags. */
export const megatron = (...words: readonly string[]): string =>
  ['torchrun --nproc_per_node 8 pretrain_gpt.py', '--num-layers 8', ...words].join(' \\\n  ').concat('\n');
