import type { Finding, Fix } from '../rules/finding.ts';
import { whenOf } from './phase.ts';

/** What fixes are called. */
export const fixLabels = { safe: 'fix', suggested: 'suggestion', example: 'example' } as const;

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
      const label = fixLabels[fix.safety];
      return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${fixText(fix)}`;
    }),
  ];
}

/** The message of a finding with the advice behind it. */
export function fullMessage(finding: Finding): string {
  return [finding.message, ...advice(finding)].join('\n');
}
