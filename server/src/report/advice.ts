import type { Finding, Fix } from '../rules/finding.ts';
import { whenOf } from './phase.ts';

const labels = { safe: 'fix', suggested: 'suggestion', example: 'example' } as const;

/** What a fix is called: one that only takes something away is no example of what to write, but the user's to choose. */
export function labelOf(fix: Pick<Fix, 'safety' | 'edits'>): string {
  return isChoice(fix) ? 'choice' : labels[fix.safety];
}

/** Whether a fix is one of several that only the user can choose from, with nothing of the user's own to fill in. */
export function isChoice({ safety, edits }: Pick<Fix, 'safety' | 'edits'>): boolean {
  return safety === 'example' && edits.length > 0 && edits.every(({ newText }) => newText.trim() === '');
}

/** What a fix does, and what it costs. */
export function fixText({ title, cost }: Pick<Fix, 'title' | 'cost'>): string {
  return cost === undefined ? title : `${title} (cost: ${cost})`;
}

/** When a finding shows, how sure that is, and what helps, in lines: for formats that show people nothing but a message. */
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

/** The message of a finding with the advice behind it. */
export function fullMessage(finding: Finding): string {
  return [finding.message, ...advice(finding)].join('\n');
}
