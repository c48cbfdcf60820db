import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { FileReport } from '../../server/src/linter.ts';
import type { ExampleEntry } from '../../server/src/rules/constraintFile.ts';
import type { Finding, Fix } from '../../server/src/rules/finding.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { exampleFiles } from '../support/exampleFiles.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';
import { thorough } from '../support/thorough.ts';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const knowledge = loadKnowledge();
const path = '/repository/run.sh';

type Files = { readonly [path: string]: string };

/** Ways in which people lay out a launch; each starts the same command. */
const layouts: { readonly [name: string]: (script: string) => string } = {
  'one flag a line': (script) => script,
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

function apply(files: Files, fix: Fix): Files | undefined {
  const out: { [path: string]: string } = { ...files };
  for (const file of new Set(fix.edits.map((edit) => edit.path))) {
    const after = applyEdits(
      files[file] ?? '',
      fix.edits.filter((edit) => edit.path === file),
    );
    if (after === undefined) return undefined;
    out[file] = after;
  }
  return out;
}

/** The comments of a text, in order: none may get lost. */
function comments(text: string): string[] {
  return text.split('\n').flatMap((line) => /(?:^|\s)(# (?:about|value) \d+)/.exec(line)?.[1] ?? []);
}

/** The lines that a fix's edits do not touch. */
function untouched(text: string, fix: Fix, file: string): string[] {
  let at = 0;
  return text.split('\n').filter((line) => {
    const start = at;
    at += line.length + 1;
    return !fix.edits.some(
      (edit) => edit.path === file && edit.span.start <= start + line.length && edit.span.end >= start,
    );
  });
}

const scripts: { text: string; what: string }[] = [];

function checkFix(framework: FrameworkId, example: ExampleEntry, rule: string, layout: string): number {
  const base = knowledge.frameworks.get(framework)?.base;
  if (base === undefined) throw new Error(`no base.yaml for ${framework}`);
  const made = exampleFiles(base, example);
  const text = layouts[layout]?.(made.script) ?? made.script;
  const files: Files = {
    [path]: text,
    ...(made.yaml === undefined ? {} : { [`/repository/${made.yaml.name}`]: made.yaml.text }),
  };
  const lint = (all: Files): FileReport =>
    testLinter(knowledge, memoryHost(all), made.machine).lint(path, all[path] ?? '');
  const before = lint(files);
  const errors = (report: FileReport): Finding[] =>
    report.findings.filter(({ severity }) => severity === 'error');
  let count = 0;
  for (const finding of before.findings.filter((item) => item.rule === rule))
    for (const fix of finding.fixes) {
      const what = `${rule}: "${fix.title}" (${layout})`;
      const after = apply(files, fix);
      expect(after, `${what}: the edits fit`).toBeDefined();
      if (after === undefined) continue;
      count++;
      for (const [file, content] of Object.entries(after)) {
        const kept = untouched(files[file] ?? '', fix, file);
        const now = new Set(content.split('\n'));
        expect(
          kept.filter((line) => !now.has(line)),
          `${what}: untouched lines`,
        ).toEqual([]);
        if (file === path) expect(comments(content), `${what}: comments`).toEqual(comments(text));
      }
      const report = lint(after);
      const same = (item: Finding): boolean => item.rule === finding.rule && item.message === finding.message;
      expect(report.runs.length, `${what}: still recognised`).toBeGreaterThanOrEqual(before.runs.length);
      expect(report.findings.filter(same).length, `${what}: gone\n${after[path] ?? ''}`).toBeLessThan(
        before.findings.filter(same).length,
      );
      expect(
        errors(report).length,
        `${what}: no new error, but ${errors(report)
          .map(({ message }) => message)
          .join('; ')}`,
      ).toBeLessThanOrEqual(errors(before).length);
      scripts.push({ text: after[path] ?? '', what });
    }
  return count;
}

/** Whether the fixes of the example at an index are tried in a layout: in the first always, in the others by turns. */
function isTried(index: number, layout: number): boolean {
  return layout === 0 || thorough || index % (Object.keys(layouts).length - 1) === layout - 1;
}

for (const [framework, { entries }] of knowledge.frameworks)
  describe(`fixes of ${framework}`, () => {
    const examples = entries.flatMap(({ entry }) =>
      entry.each === undefined
        ? [entry.bad].flat().map((example) => ({ example, rule: `${framework}/${entry.id}` }))
        : [],
    );
    for (const [at, layout] of Object.keys(layouts).entries())
      it(layout, () => {
        let fixes = 0;
        for (const [index, { example, rule }] of examples.entries())
          if (isTried(index, at)) fixes += checkFix(framework, example, rule, layout);
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
    const whole = scripts.map(
      ({ text }, index) => `fixed_${index}() {\n${text.replace(/^#!.*\n/, '')}\n:\n}`,
    );
    // Via a file, because Bash reads a pipe byte by byte.
    const made = workspace({ 'fixed.sh': whole.join('\n') });
    const done = spawnSync('bash', ['-n', made.path('fixed.sh')], { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(done.stderr).toBe('');
    expect(scripts.length).toBeGreaterThan(500);
  });
});
