import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Data } from '../../../server/src/value/value.ts';
import type { Proposed } from './proposal.ts';
import { applied, bashReads, outcome, planShell } from './shellRun.ts';

const path = '/w/run.sh';

/** One flag as written in a script. */
interface Written {
  readonly name: 'tp' | 'pp' | 'cp' | 'lr' | 'bf16' | 'modules' | 'recompute';
  readonly value: number;
  readonly ownLine: boolean;
  readonly joined: boolean;
  readonly variable: boolean;
  readonly comment: boolean;
}

const flags = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom<Written['name']>('tp', 'pp', 'cp', 'lr', 'bf16', 'modules', 'recompute'),
    value: fc.integer({ min: 1, max: 9 }),
    ownLine: fc.boolean(),
    joined: fc.boolean(),
    variable: fc.boolean(),
    comment: fc.boolean(),
  }),
  { minLength: 2, maxLength: 6, selector: ({ name }) => name },
);
const forms = [
  'command',
  'array',
  'quoted',
  'lines',
  'nested',
  'here-document',
  'expanded here-document',
] as const;
type Form = (typeof forms)[number];

function wordsOf(flag: Written): string {
  const value = flag.variable ? `$V_${flag.name}` : String(flag.value);
  switch (flag.name) {
    case 'bf16':
    case 'recompute':
      return `--${flag.name}`;
    case 'modules':
      return `--modules ${value} x`;
    default:
      return flag.joined ? `--${flag.name}=${value}` : `--${flag.name} ${value}`;
  }
}

/** A script that starts `train.py` with the flags, written in one of the ways that people use. */
function scriptOf(written: readonly Written[], form: Form, piped: boolean): string {
  const bare = (flag: Written): boolean => flag.name === 'bf16' || flag.name === 'recompute';
  const variables = written
    .filter((flag) => flag.variable && !bare(flag))
    .map((flag) => `V_${flag.name}=${flag.value} # ${flag.name}\n`);
  const breaks = form === 'array' || form === 'lines' ? '\n  ' : ' \\\n  ';
  const text = written
    .map((flag, index) => {
      const comment =
        form === 'array' && flag.comment && written[index + 1]?.ownLine === true ? ' # why' : '';
      return `${flag.ownLine ? breaks : ' '}${wordsOf(flag)}${comment}`;
    })
    .join('');
  const end = piped ? ' 2>&1 | tee log' : '';
  const head = `#!/bin/bash\nset -e\n${variables.join('')}`;
  switch (form) {
    case 'command':
      return `${head}python train.py${text}${end}\necho done\n`;
    case 'array':
      return `${head}ARGS=(${text}\n)\npython train.py "\${ARGS[@]}"${end}\necho done\n`;
    case 'quoted':
      return `${head}ARGS="${text}"\npython train.py $ARGS${end}\n`;
    case 'lines':
      return `${head}ARGS="${text}\n"\npython train.py $ARGS${end}\n`;
    case 'nested':
      return `${head}srun bash -c "python train.py${text}"${end}\necho done\n`;
    case 'here-document':
      return `${head}sbatch <<EOF\n#!/bin/bash\npython train.py${text}${end}\necho done\nEOF\n`;
    case 'expanded here-document':
      return `${head}bash <<EOF\npython train.py${text.replaceAll('\\\n', '\\\\\n')}${end}\nEOF\n`;
  }
}

function expected(written: readonly Written[], change: Proposed): { [name: string]: Data } {
  const out: { [name: string]: Data } = {};
  for (const { name, value } of written)
    out[name] =
      name === 'bf16' || name === 'recompute' ? true : name === 'modules' ? [String(value), 'x'] : value;
  for (const [name, value] of Object.entries(change.set ?? {})) out[name] = value;
  for (const name of change.unset ?? []) delete out[name];
  return out;
}

const changes = fc
  .record({
    set: fc.dictionary(
      fc.constantFrom('tp', 'pp', 'recompute_num_layers'),
      fc.integer({ min: 10, max: 99 }),
      { maxKeys: 2, noNullPrototype: true },
    ),
    unset: fc.uniqueArray(fc.constantFrom('bf16', 'lr', 'modules', 'cp', 'recompute'), { maxLength: 3 }),
  })
  .filter(({ set, unset }) => Object.keys(set).length + unset.length > 0);

test('the launch gets what the change says, and every other line stays', () => {
  let planned = 0;
  fc.assert(
    fc.property(flags, fc.constantFrom(...forms), fc.boolean(), changes, (written, form, piped, change) => {
      const before = scriptOf(written, form, piped);
      const files = { [path]: before };
      expect(outcome(files, path).settings).toEqual(expected(written, {}));
      const fix = planShell(files, path, change);
      if (fix === undefined) return;
      planned += 1;
      const after = applied(files, fix)[path] ?? '';
      expect(bashReads(after)).toBe(true);
      expect(outcome({ [path]: after }, path).settings).toEqual(expected(written, change));
      expect(after).not.toMatch(/\\\n[ \t]*\n/);
      const touched = Object.keys(change.set).length + change.unset.length;
      const lines = new Set(after.split('\n'));
      const lost = before.split('\n').filter((line) => !lines.has(line)).length;
      // Removing a flag can also remove the `\` of the line before it.
      expect(lost).toBeLessThanOrEqual(touched * 2 + 1);
      for (const comment of before.match(/# why$/gm) ?? []) expect(after).toContain(comment);
      expect((after.match(/# why$/gm) ?? []).length).toBe((before.match(/# why$/gm) ?? []).length);
    }),
    { numRuns: 250 },
  );
  expect(planned).toBeGreaterThan(150);
});
