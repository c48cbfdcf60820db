import type { Finding, Fix } from '../rules/finding.ts';
import { whenOf } from './phase.ts';

const labels = { safe: 'fix', suggested: 'suggestion', example: 'example' } as const;

/** The label of a fix: one that only removes something is no example of what to write, but a choice for the user. */
export function labelOf(fix: Pick<Fix, 'safety' | 'edits'>): string {
  return isChoice(fix) ? 'choice' : labels[fix.safety];
}

/** Whether a fix is one of several among which only the user can choose, with nothing to fill in. */
export function isChoice({ safety, edits }: Pick<Fix, 'safety' | 'edits'>): boolean {
  return safety === 'example' && edits.length > 0 && edits.every(({ newText }) => newText.trim() === '');
}

/** What a fix does, and what it costs. */
export function fixText({ title, cost }: Pick<Fix, 'title' | 'cost'>): string {
  return cost === undefined ? title : `${title} (cost: ${cost})`;
}

/** When a finding shows, how certain that is, and what helps, as lines: for formats that only show a message. */
export function advice({ phase, certainty, fixes }: Finding): string[] {
  const shows = phase === 'never' ? [] : [`Shows ${whenOf(phase)} (${certainty}).`];
  return [
    ...shows,
    ...fixes.map((fix) => {
      const label = labelOf(fix);
      return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${fixText(fix)}`;
    }),
  ];
}

/** The message of a finding, followed by the advice. */
export function fullMessage(finding: Finding): string {
  return [finding.message, ...advice(finding)].join('\n');
}
