import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkedFix } from '../support/checkedFix.ts';
import { loadKnowledge } from '../support/knowledge.ts';
import { exampleScript, lintedExample } from '../support/lintedExample.ts';
import { thorough } from '../support/thorough.ts';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const knowledge = loadKnowledge();

/** Ways in which people lay out a launch instead of one flag a line, as the examples do; each starts the same command. */
const layouts: { readonly [name: string]: (script: string) => string } = {
  'one line': (script) => script.replaceAll(' \\\n  ', ' '),
  'an array with comments': (script) => {
    const [head = '', ...lines] = script.trimEnd().split(' \\\n  ');
    const before = head.split('\n');
    const command = before.pop() ?? '';
    const items = lines.map((line, index) =>
      index % 3 === 0 ? `  # about ${index}\n  ${line}` : `  ${line}`,
    );
    return `${[...before, 'ARGS=(', ...items, ')', `${command} "\${ARGS[@]}"`].join('\n')}\n`;
  },
  'values from variables': (script) => {
    const variables: string[] = [];
    const body = script.replace(
      /(\s--[a-z][\w-]*|\s[\w.]+=)(\s?)(\d+)(?=\s)/g,
      (_, flag: string, blank: string, value: string) => {
        variables.push(`V${variables.length}=${value}   # value ${variables.length}`);
        return `${flag}${blank}$V${variables.length - 1}`;
      },
    );
    const [first = '', ...rest] = body.split('\n');
    return [first, ...variables, ...rest].join('\n');
  },
};

/** The scripts after their fixes. */
const scripts: string[] = [];

for (const [framework, { entries }] of knowledge.frameworks)
  describe(`fixes of ${framework}`, () => {
    const examples = entries.flatMap(({ entry }) =>
      entry.each === undefined
        ? [entry.bad].flat().map((example) => ({ example, rule: `${framework}/${entry.id}` }))
        : [],
    );
    for (const [at, [layout, layOut]] of Object.entries(layouts).entries())
      it(layout, () => {
        let fixes = 0;
        // Each example in one layout, by turns.
        for (const [index, { example, rule }] of examples.entries()) {
          if (!thorough && index % Object.keys(layouts).length !== at) continue;
          const linted = lintedExample(knowledge, framework, example, layOut);
          for (const finding of linted.report.findings.filter((each) => each.rule === rule))
            for (const fix of finding.fixes) {
              const what = `${rule}: "${fix.title}" (${layout})`;
              const { files } = checkedFix(linted, finding, fix, what);
              scripts.push(files[exampleScript] ?? '');
              fixes++;
            }
        }
        expect(fixes).toBeGreaterThan(0);
      });
  });

it('a fix is safe only as the first of its rule: after another one it would choose for the user', () => {
  for (const [framework, { entries }] of knowledge.frameworks)
    for (const { entry } of entries) {
      const [first, ...others] = entry.fixes.map(({ safety }) => safety);
      expect(first === 'safe' ? [] : others, `${framework}/${entry.id}`).not.toContain('safe');
    }
});

describe('every fixed script', () => {
  it('is accepted by bash -n', () => {
    const whole = scripts.map((text, index) => `fixed_${index}() {\n${text.replace(/^#!.*\n/, '')}\n:\n}`);
    // Via a file, because Bash reads a pipe byte by byte.
    const made = workspace({ 'fixed.sh': whole.join('\n') });
    const done = spawnSync('bash', ['-n', made.path('fixed.sh')], { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(done.stderr).toBe('');
    expect(scripts.length).toBeGreaterThan(500);
  });
});
