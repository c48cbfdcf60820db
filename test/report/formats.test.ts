import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { FileReport } from '../../server/src/linter.ts';
import { checkstyle } from '../../server/src/report/formats/checkstyle.ts';
import { concise } from '../../server/src/report/formats/concise.ts';
import { github, githubSummary } from '../../server/src/report/formats/github.ts';
import { gitlab } from '../../server/src/report/formats/gitlab.ts';
import { junit } from '../../server/src/report/formats/junit.ts';
import { locatedFindings } from '../../server/src/report/formats/located.ts';
import { ndjson } from '../../server/src/report/formats/ndjson.ts';
import { rdjson } from '../../server/src/report/formats/rdjson.ts';
import { sarif } from '../../server/src/report/formats/sarif.ts';
import type { Finding } from '../../server/src/rules/finding.ts';
import { exampleReports } from '../support/exampleReports.ts';

const { reports, options } = exampleReports();
const found = locatedFindings(reports, options);

/** A finding whose texts try to break out of every format. */
function hostile(message: string, path = '/repository/a,b:c%0A<"&>.sh'): FileReport[] {
  const finding: Finding = {
    rule: 'slime/x',
    severity: 'error',
    certainty: 'certain',
    phase: 'startup',
    message,
    framework: 'slime',
    place: { path, span: { start: 0, end: 1 } },
    related: [],
    settings: [],
    fixes: [],
    tags: [],
  };
  const report = reports[0];
  if (report === undefined) throw new Error('no reports');
  return [{ ...report, path, findings: [finding] }];
}

const nasty =
  'a\u001b[31mred\u0007 "x" <b>&amp;</b> ]]> %0A ::error::no\r\n::stop-commands::y\u202e|`*_\ufffe';

const integer = z.string().regex(/^[1-9]\d*$/);
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value]),
    z.array(item),
  );
const count = z.string().regex(/^\d+$/).transform(Number);

function parsed(text: string): unknown {
  expect(XMLValidator.validate(text)).toBe(true);
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    ignoreDeclaration: true,
    parseAttributeValue: false,
    processEntities: { enabled: true, maxTotalExpansions: 1e6, maxExpandedLength: 1e8 },
  }).parse(text);
}

const checkstyleShape = z.strictObject({
  checkstyle: z.strictObject({
    version: z.string(),
    file: list(
      z.strictObject({
        name: z.string().min(1),
        error: list(
          z.strictObject({
            line: integer,
            column: integer,
            severity: z.enum(['ignore', 'info', 'warning', 'error']),
            message: z.string().min(1),
            source: z.string().regex(/^oomlint\./),
          }),
        ),
      }),
    ),
  }),
});

const junitShape = z.strictObject({
  testsuites: z.strictObject({
    name: z.string(),
    tests: count,
    failures: count,
    errors: count,
    time: count,
    testsuite: list(
      z.strictObject({
        name: z.string(),
        tests: count,
        failures: count,
        errors: count,
        skipped: count,
        time: count,
        testcase: list(
          z.strictObject({
            name: z.string(),
            classname: z.string(),
            time: count,
            failure: z
              .strictObject({ message: z.string(), type: z.string(), '#text': z.string() })
              .optional(),
          }),
        ),
      }),
    ),
  }),
});

describe('checkstyle', () => {
  it('is well-formed and lists each finding under its file', () => {
    const { checkstyle: top } = checkstyleShape.parse(parsed(checkstyle(reports, options)));
    expect(top.file.flatMap(({ error }) => error).length).toBe(found.length);
    expect(new Set(top.file.map(({ name }) => name)).size).toBe(top.file.length);
  });

  it('escapes markup, line breaks and characters that XML forbids', () => {
    const { checkstyle: top } = checkstyleShape.parse(parsed(checkstyle(hostile(nasty), options)));
    expect(top.file[0]?.name).toBe('a,b:c%0A<"&>.sh');
    expect(top.file[0]?.error[0]?.message).toContain('<b>&amp;</b> ]]> %0A');
    expect(top.file[0]?.error[0]?.message).not.toMatch(/\p{Cc}(?<![\r\n])|\ufffe/u);
  });
});

describe('JUnit', () => {
  it('is well-formed, and its counts match its cases', () => {
    const { testsuites } = junitShape.parse(parsed(junit(reports, options)));
    for (const suite of testsuites.testsuite) {
      expect(suite.tests).toBe(suite.testcase.length);
      expect(suite.failures).toBe(suite.testcase.filter(({ failure }) => failure !== undefined).length);
    }
    const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);
    expect(testsuites.tests).toBe(sum(testsuites.testsuite.map(({ tests }) => tests)));
    expect(testsuites.failures).toBe(found.length);
  });

  it('escapes user text', () => {
    const { testsuites } = junitShape.parse(parsed(junit(hostile(nasty), options)));
    expect(testsuites.testsuite[0]?.testcase[0]?.failure?.message).toContain('<b>&amp;</b> ]]>');
  });
});

/** Reads workflow commands as GitHub's runner does. */
function annotations(text: string): { level: string; properties: Map<string, string>; message: string }[] {
  const decode = (part: string): string =>
    part
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const [, level, list, message] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
      if (level === undefined || list === undefined || message === undefined)
        throw new Error(`no command: ${line}`);
      const properties = new Map(
        list.split(',').map((part) => {
          const equals = part.indexOf('=');
          return [part.slice(0, equals), decode(part.slice(equals + 1))];
        }),
      );
      return { level, properties, message: decode(message) };
    });
}

describe('GitHub annotations', () => {
  it('give level, file, lines and title of each finding', () => {
    const all = annotations(github(reports, options));
    expect(all.length).toBe(found.length);
    all.forEach(({ level, properties, message }, at) => {
      const item = found[at];
      expect(level).toBe(
        { error: 'error', warning: 'warning', info: 'notice' }[item?.finding.severity ?? 'error'],
      );
      expect(properties.get('file')).toBe(item?.path);
      expect(properties.get('line')).toBe(String(item?.line));
      expect(properties.get('title')).toBe(`oomlint ${item?.finding.rule}`);
      const [first, second, ...others] = message.split('\n');
      expect(first).toBe(item?.finding.message);
      expect(second).toMatch(/^Shows [a-z ]+ \((?:certain|likely|possible)\)\.$/);
      expect(others.length).toBe(item?.finding.fixes.length);
    });
  });

  it('mark columns within one line only: GitHub rejects them across several', () => {
    const [report] = hostile('Both lines are meant.');
    const [finding] = report?.findings ?? [];
    if (report === undefined || finding === undefined) throw new Error('no report');
    const marked = (end: number): (string | undefined)[] => {
      const place = { path: report.path, span: { start: 2, end } };
      const text = 'A=1\nB=2\n';
      const [only] = annotations(
        github([{ ...report, findings: [{ ...finding, place }] }], { ...options, read: () => text }),
      );
      return ['line', 'endLine', 'col', 'endColumn'].map((name) => only?.properties.get(name));
    };
    expect(marked(3)).toEqual(['1', '1', '3', '4']);
    expect(marked(7)).toEqual(['1', '2', undefined, undefined]);
  });

  it('let no value start a command or colour the log', () => {
    const text = github(hostile(nasty), options);
    const [only, ...others] = annotations(text);
    expect(others).toEqual([]);
    expect(only?.properties.get('file')).toBe('a,b:c%0A<"&>.sh');
    expect(only?.message).toContain('%0A ::error::no');
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });

  it('are summed up in a table that no value can break', () => {
    const lines = githubSummary(hostile(nasty), options).split('\n');
    const row = lines.find((line) => line.startsWith('| error')) ?? '';
    expect(row.replaceAll('\\|', '').split('|').length).toBe(7);
    expect(row).toContain('| at startup (certain) |');
    expect(row).not.toMatch(/(?<!\\)<|\p{Cc}|\u202e/u);
    expect(lines.filter((line) => line.startsWith('|')).length).toBe(3);
  });
});

describe('a fix in a report', () => {
  it.each([
    ['github', github],
    ['gitlab', gitlab],
    ['junit', junit],
    ['rdjson', rdjson],
    ['sarif', sarif],
  ] as const)('stands behind the message, with its cost, in %s', (_, format) => {
    const [report] = hostile('x');
    const [finding] = report?.findings ?? [];
    if (report === undefined || finding === undefined) throw new Error('no finding');
    const fixes: Finding['fixes'] = [
      { title: 'Halve it', safety: 'suggested', cost: 'more steps', edits: [] },
      { title: 'Leave it out', safety: 'safe', cost: undefined, edits: [] },
    ];
    const text = format([{ ...report, findings: [{ ...finding, fixes }] }], options);
    expect(text).toMatch(
      /Shows at startup \(certain\)\..{1,10}Suggestion: Halve it \(cost: more steps\).{1,10}Fix: Leave it out/,
    );
  });

  it('loses nothing when read as Markdown', () => {
    const [report] = hostile('x');
    const [finding] = report?.findings ?? [];
    if (report === undefined || finding === undefined) throw new Error('no finding');
    const fixes: Finding['fixes'] = [
      { title: 'Name <path>/__init__.py', safety: 'example', cost: undefined, edits: [] },
    ];
    const changed = [{ ...report, findings: [{ ...finding, message: 'Fill in <path>.', fixes }] }];
    const title = 'Example: Name \\<path>/\\_\\_init\\_\\_.py';
    const [issue] = JSON.parse(gitlab(changed, options));
    expect(issue).toMatchObject({
      description: 'Fill in <path>.',
      content: { body: expect.stringContaining(title) },
    });
    const { diagnostics } = JSON.parse(rdjson(changed, options));
    expect(diagnostics[0].message).toContain('Fill in \\<path>.');
    expect(diagnostics[0].message).toContain(title);
  });
});

describe('GitLab code quality', () => {
  it('has the fields that GitLab requires, with unique fingerprints', () => {
    const shape = z.array(
      z.looseObject({
        description: z.string().min(1),
        check_name: z.string().min(1),
        fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
        severity: z.enum(['info', 'minor', 'major', 'critical', 'blocker']),
        location: z.strictObject({
          path: z.string().regex(/^[^/.]/),
          lines: z.looseObject({ begin: z.number().int().positive() }),
        }),
      }),
    );
    const issues = shape.parse(JSON.parse(gitlab(reports, options)));
    expect(issues.length).toBe(found.length);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });
});

describe('rdjson', () => {
  const position = z.strictObject({ line: z.number().int().positive(), column: z.number().int().positive() });
  const range = z.strictObject({ start: position, end: position });
  const shape = z.strictObject({
    source: z.strictObject({ name: z.literal('oomlint'), url: z.url() }),
    diagnostics: z.array(
      z.strictObject({
        message: z.string().min(1),
        location: z.strictObject({ path: z.string().min(1), range }),
        severity: z.enum(['ERROR', 'WARNING', 'INFO']),
        code: z.strictObject({ value: z.string(), url: z.url() }),
        suggestions: z.array(z.strictObject({ range, text: z.string() })).optional(),
      }),
    ),
  });

  it('follows reviewdog’s format', () => {
    const { diagnostics } = shape.parse(JSON.parse(rdjson(reports, options)));
    expect(diagnostics.length).toBe(found.length);
    expect(diagnostics.some(({ suggestions }) => suggestions !== undefined)).toBe(true);
  });

  it('counts columns in UTF-8 bytes', () => {
    const [report] = hostile('x', '/repository/a.sh');
    if (report === undefined) throw new Error('no report');
    const text = '# größe 𝕏\necho "é𝕏" --bad\n';
    const start = text.indexOf('--bad');
    const findings = report.findings.map((finding) => ({
      ...finding,
      place: { path: report.path, span: { start, end: start + 5 } },
    }));
    const made = rdjson([{ ...report, text, findings }], { ...options, read: () => text });
    const { diagnostics } = shape.parse(JSON.parse(made));
    expect(diagnostics[0]?.location.range).toEqual({
      start: { line: 2, column: 15 },
      end: { line: 2, column: 20 },
    });
  });
});

describe('lines', () => {
  it('of concise and ndjson are one per finding, whatever the values contain', () => {
    const nastyReports = hostile(nasty, '/repository/a\nb.sh');
    expect(concise(nastyReports, options)).toMatch(/^[^\p{Cc}\u202e]+\n$/u);
    expect(concise(reports, options).trimEnd().split('\n').length).toBe(found.length);
    expect(ndjson(nastyReports, options).trimEnd().split('\n').length).toBe(1);
    for (const line of ndjson(nastyReports, options).trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ rule: expect.any(String), message: expect.any(String) });
  });
});
