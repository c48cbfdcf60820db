import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isConfig } from '../../../server/src/config/discover.ts';
import { machineProfile } from '../../../server/src/config/machine.ts';
import { readProfile } from '../../../server/src/config/profile.ts';
import { readConfig } from '../../../server/src/config/read.ts';
import { packages } from '../../../server/src/frameworks/packages.ts';
import { LineIndex } from '../../../server/src/text/lines.ts';

/** The sound part of a configuration, and its faults with their lines. */
function read(text: string): { config: unknown; problems: string[] } {
  const { config, problems } = readConfig('/repository/.oomlint.yaml', text);
  const lines = new LineIndex(text);
  return {
    config,
    problems: problems.map(({ span, message }) => `${lines.positionAt(span.start).line + 1} ${message}`),
  };
}

describe('versions and variables', () => {
  it('are taken as written, even if YAML reads a number', () => {
    expect(
      read(
        'machine: {versions: {torch: 2.10, vllm: "0.9"}}\nvariables: {LR: 1.0, PORT: 029500, N: &n 4, M: *n}\n',
      ).config,
    ).toEqual({
      machine: { versions: { torch: '2.10', vllm: '0.9' } },
      variables: { LR: '1.0', PORT: '029500', N: '4', M: '4' },
    });
    expect(read('machine: {nodes: 4, gpu_memory_gib: 80.0}\n').config).toEqual({
      machine: { nodes: 4, gpu_memory_gib: 80 },
    });
  });
});

describe('a second document', () => {
  it('is reported, as it is not read', () => {
    expect(read('fail_on: error\n---\nfail_on: info\nrules: {}\n')).toEqual({
      config: { fail_on: 'error' },
      problems: ['3 only what stands before the next --- is read, and this stands after it'],
    });
    for (const text of [
      '# ours\n---\nfail_on: error\n',
      'fail_on: error\n---\n',
      'fail_on: error\n---\n# end\n...\n',
    ])
      expect(read(text)).toEqual({ config: { fail_on: 'error' }, problems: [] });
  });
});

describe('a faulty setting', () => {
  it('drops only itself, however deeply nested', () => {
    expect(
      read(`machine:
  gpus_per_node: eight
  nodes: 4
  versions: {torch: [2], vllm: "0.9"}
overrides:
  - paths: ["a/**"]
    rules: {unknown-option: loud, invalid-value: info}
    machine: {nodes: 0, nvlink: true}
`),
    ).toEqual({
      config: {
        machine: { nodes: 4, versions: { vllm: '0.9' } },
        overrides: [{ paths: ['a/**'], rules: { 'invalid-value': 'info' }, machine: { nvlink: true } }],
      },
      problems: [
        '2 machine.gpus_per_node takes a number, not "eight"',
        '4 machine.versions.torch takes a text or a number, not a list',
        '7 overrides.0.rules.unknown-option takes off, info, warning or error, not "loud"',
        '8 overrides.0.machine.nodes takes more than 0, not 0',
      ],
    });
  });

  it('takes with it what cannot be without it, and is reported once', () => {
    expect(
      read(
        'overrides:\n  - {paths: a, rules: {x: info}}\n  - {paths: [b]}\n  - {rules: {}}\nfail_on: error\n',
      ),
    ).toEqual({
      config: { overrides: [{ paths: ['b'] }], fail_on: 'error' },
      problems: [
        '2 overrides.0.paths takes a list, not "a" (did you mean ["a"]?)',
        '4 overrides.2.paths is missing',
      ],
    });
  });

  it('is reported with how to write it: a list of one, a disabled rule, a package by one of its names', () => {
    const { problems } = read(
      'exclude: x/\nrules: {duplicate-option: false}\nmachine: {versions: {pytoch: 2}}\n',
    );
    expect(problems).toEqual([
      '1 exclude takes a list, not "x/" (did you mean ["x/"]?)',
      '2 rules.duplicate-option takes off, info, warning or error, not false (did you mean off?)',
      '3 machine.versions.pytoch is wrong: oomlint has no use for a package called pytoch (did you mean pytorch?)',
    ]);
  });

  it('is reported with what was probably meant', () => {
    expect(
      read('variable: {A: 1}\nmachine: {gpu_per_node: 8}\nframework: slim\nvariables: [1]\nextends: 1\n')
        .problems,
    ).toEqual([
      '1 there is no setting called variable (did you mean variables?)',
      '2 there is no setting called machine.gpu_per_node (did you mean gpus_per_node?)',
      '3 framework takes megatron-lm, megatron-bridge, areal, skyrl, skyrl-train, relax or slime, not "slim" (did you mean slime?)',
      '4 variables takes a map, not a list',
      '5 extends takes a text or a list, not 1',
    ]);
  });

  it('may be the beginning of what was meant, or a list item', () => {
    expect(read('fail_on: warn\nmin_certainty: l\nextends: [a.yaml, 1]\n').problems).toEqual([
      '1 fail_on takes error, warning, info or never, not "warn" (did you mean warning?)',
      '2 min_certainty takes certain, likely or possible, not "l"',
      '3 extends.1 takes a text, not 1',
    ]);
  });

  it('does not make an error of the list that it leaves empty', () => {
    expect(read('overrides:\n  - paths: ["a*b*c*d*e*f*"]\n').problems).toEqual([
      '2 overrides.0.paths.0 is wrong: a pattern has at most 4 * between two slashes',
    ]);
    expect(read('overrides:\n  - paths: []\n').problems).toEqual([
      '2 overrides.0.paths takes at least 1, not an empty list',
    ]);
  });

  it.each([
    '\uFEFF[tool.oomlint.rules]\nunknown-option = "off"\n',
    'tool.oomlint.rules.unknown-option = "off"\n',
    'tool.oomlint = { rules = { unknown-option = "off" } }\n',
    '[tool."oomlint".rules]\nunknown-option = "off"\n',
    '[tool]\nblack = {}\noomlint = { rules = { unknown-option = "off" } }\n',
    '[tool]\noomlint.rules.unknown-option = "off"\n',
  ])('is not seen in any TOML form of the table in pyproject.toml: %j', (text) => {
    expect(isConfig('pyproject.toml', () => text)).toBe(true);
    expect(readConfig('/pyproject.toml', text)).toMatchObject({
      config: { rules: { 'unknown-option': 'off' } },
      problems: [],
    });
  });

  it.each([
    '[tool]\nname = "oomlint"\n',
    '[tool]\nx = 1\n[other]\noomlint = {}\n',
    '[project.tool]\noomlint = 1\n',
  ])('is not one of ours in %j', (text) => {
    expect(isConfig('pyproject.toml', () => text)).toBe(false);
  });

  it('is reported at its own position in TOML, whatever has the same name', () => {
    const text = `[project]
name = "nodes"
[tool.oomlint]
# exclude nodes and gpus_per_node
exclude = ["nodes/**", 3]
nope = 1
[tool.oomlint.machine]
# gpus_per_node = 8
gpus_per_node = "x"
[[tool.oomlint.overrides]]
paths = ["a/**"]
machine = { nodes = -1 }
[[tool.oomlint.overrides]]
paths = ["b/**"]
machine.nodes = "many"
files = ["c"]
`;
    const { problems } = readConfig('/pyproject.toml', text);
    expect(
      problems.map(({ span, message }) => [
        text.slice(0, span.start).split('\n').length,
        text.slice(span.start, span.end),
        message,
      ]),
    ).toEqual([
      [5, '3', 'exclude.1 takes a text, not 3'],
      [6, 'nope', 'there is no setting called nope'],
      [9, '"x"', 'machine.gpus_per_node takes a number, not "x"'],
      [12, '-1', 'overrides.0.machine.nodes takes more than 0, not -1'],
      [15, '"many"', 'overrides.1.machine.nodes takes a number, not "many"'],
      [16, 'files', 'there is no setting called overrides.1.files'],
    ]);
  });

  it('in TOML may be a date', () => {
    const { problems } = readConfig('/pyproject.toml', '[tool.oomlint.variables]\nDAY = 2025-01-02\n');
    expect(problems.map(({ message }) => message)).toEqual([
      'variables.DAY takes a text or a number, not a date',
    ]);
  });

  it('is reported with its proper place if that is below machine', () => {
    expect(
      read('versions: {torch: 2.8}\noverrides:\n  - paths: [a]\n    nodes: 2\nmachine:\n  nodes: 2\n')
        .problems,
    ).toEqual([
      '1 there is no setting called versions here; it stands below machine',
      '4 there is no setting called overrides.0.nodes here; it stands below machine',
    ]);
  });
});

it('a profile written like a configuration is reported with where its fields belong', () => {
  expect(readProfile('machine.yaml', 'machine: {nodes: 2}\n')).toEqual({
    problems: [
      'machine.yaml:1:1 there is no setting called machine; the fields of `machine` stand at the top level of a profile',
    ],
  });
});

describe('versions of packages', () => {
  it('have the names that pip accepts, and are reported if they are no versions', () => {
    const text =
      'machine:\n  nodes: 2\n  versions:\n    Transformer_Engine: 2.10\n    pytorch: v2.8\n    torhc: "2.8"\n    vllm: latest\n    flash_attn: 2.7\n';
    expect(read(text).problems).toEqual([
      '6 machine.versions.torhc is wrong: oomlint has no use for a package called torhc (did you mean torch?)',
      '7 machine.versions.vllm is wrong: latest is not a version',
    ]);
    const { config } = readConfig('/repository/.oomlint.yaml', text);
    expect(machineProfile(config.machine)).toMatchObject({
      profile: { nodes: 2, versions: { 'transformer-engine': '2.10', torch: 'v2.8', 'flash-attn': '2.7' } },
    });
  });

  it('are the numbers as written, in TOML too', () => {
    const table = (name: string): string => `[[tool.oomlint.overrides]]\npaths = ["${name}/**"]\n`;
    const text = `[tool.oomlint.machine.versions]\ntorch = 2.10\nvllm = "0.10"\n[tool.oomlint.variables]\nRATE = 1.0\n${table('a')}machine = {nodes = 1.0, versions = {sglang = 0.50}}\n`;
    expect(readConfig('/repository/pyproject.toml', text)).toMatchObject({
      problems: [],
      config: {
        machine: { versions: { torch: '2.10', vllm: '0.10' } },
        variables: { RATE: '1.0' },
        overrides: [{ machine: { nodes: 1, versions: { sglang: '0.50' } } }],
      },
    });
  });

  it('are known under all names that rules use', () => {
    const folder = resolve(import.meta.dirname, '../../../schemas');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.yaml'),
    );
    const asked = files.flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(/\bversion\("([\w-]+)"/g)].map(
        ([, name]) => name,
      ),
    );
    expect(new Set(asked).size).toBeGreaterThan(5);
    for (const name of asked) expect(packages).toContain(name);
  });
});

describe('the name of a GPU', () => {
  it.each([
    ['H1000', 'H100'],
    ['NVIDIA-A10O0-SXM4', undefined],
    ['nvidia b20 0', undefined],
    ['gb2000', 'GB200'],
    ['H010', 'H100'],
    ['V10', 'V100'],
    ['H20', undefined],
    ['NVIDIA A100-SXM4-80GB', undefined],
    ['RTX A1000', undefined],
    ['R200', undefined],
    ['MI300X', undefined],
  ])('is reported with a digit too many, too few or misplaced, else taken as is: %s', (name, meant) => {
    const { config, problems } = read(`machine: {gpu: ${name}, nodes: 2}\n`);
    const reported = `1 machine.gpu is wrong: no GPU is called ${name} (did you mean ${meant}?)`;
    expect(problems).toEqual(meant === undefined ? [] : [reported]);
    expect(config).toEqual({ machine: meant === undefined ? { gpu: name, nodes: 2 } : { nodes: 2 } });
  });
});
