import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';
import { numbers } from '../../support/random.ts';
import { thorough } from '../../support/thorough.ts';
import { helm, jinja, randomTemplate } from './randomTemplate.ts';

const path = '/repository/job.yaml';
const lint = (text: string): readonly Finding[] => lintFile(path, text).findings;

/** What the template engine makes of a text, with all conditions true or none, and with loops that run once or not at all. */
function rendered(text: string, holds: boolean): string {
  const out: string[] = [];
  const open: boolean[] = [];
  for (const line of text.split('\n')) {
    const mark = /^\s*\{[{%]-?\s*(if|else|end|range|for)/.exec(line)?.[1];
    const isAlone = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/.test(line);
    if (isAlone && mark === 'else') open.push(open.pop() === false);
    else if (isAlone && mark === 'end') open.pop();
    else if (isAlone && mark !== undefined) open.push(holds);
    if (!isAlone && open.every((each) => each)) out.push(line.replace(/\{\{.*?\}\}/g, '1e-4'));
  }
  return out.join('\n');
}

const isValid = (text: string): boolean => parseAllDocuments(text).every(({ errors }) => errors.length === 0);
const kept = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^\s*\{[{%#]|#/.test(line));

test.each([
  ['Helm', helm],
  ['Jinja', jinja],
])('each fix in a template of %s fixes its finding and leaves a template that produces YAML', (_, marks) => {
  const random = numbers(7);
  let applied = 0;
  for (let run = 0; run < (thorough ? 2000 : 25); run += 1) {
    const text = randomTemplate(random, marks);
    const before = lint(text);
    for (const finding of before)
      for (const fix of finding.fixes) {
        const after = applyEdits(text, fix.edits) ?? '';
        const what = `${finding.rule}: ${fix.title}\n${text}\n=== becomes\n${after}`;
        applied += 1;
        for (const holds of [true, false])
          expect(isValid(rendered(after, holds)), what).toBe(isValid(rendered(text, holds)));
        expect(kept(after), what).toEqual(kept(text));
        const isSame = ({ rule, message }: Finding): boolean =>
          rule === finding.rule && message === finding.message;
        expect(lint(after).filter(isSame).length, what).toBeLessThan(before.filter(isSame).length);
      }
  }
  expect(applied).toBeGreaterThan(20);
});
