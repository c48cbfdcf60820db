import { describe, expect, it } from 'vitest';
import type { Command } from '../../../server/src/launch/command.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { display, type Word } from '../../../server/src/value/word.ts';
import { evaluate } from '../bash/support.ts';
import { command } from './command.ts';

function env(given: Command): { readonly [name: string]: string } {
  const launch = launchesOf(given, noProfile)[0];
  return Object.fromEntries([...(launch?.env ?? [])].map(([name, word]) => [name, display(word)]));
}

describe('the environment inside wrappers', () => {
  const outer = { A: '1', B: '2' };
  const cases: readonly [string, { readonly [name: string]: string }][] = [
    ['python t.py', { A: '1', B: '2' }],
    ['env A=9 C="x $D" python t.py', { A: '9', B: '2', C: 'x $D' }],
    ['env -u A python t.py', { B: '2' }],
    ['env -i C=3 python t.py', { C: '3' }],
    ['env - C=3 python t.py', { C: '3' }],
    ['sudo C=3 python t.py', { C: '3' }],
    ['sudo -E python t.py', { A: '1', B: '2' }],
    ['sudo -EH python t.py', { A: '1', B: '2' }],
    ['sudo -HS python t.py', {}],
    ['docker run -e A -e C=3 --env=D=4 img python t.py', { A: '1', C: '3', D: '4' }],
    ['srun --export=ALL,C=3,D="$E" python t.py', { A: '1', B: '2', C: '3', D: '$E' }],
    ['srun --export=B,C=3 python t.py', { B: '2', C: '3' }],
    ['srun --export=NONE python t.py', {}],
    ['mpirun -x A -x C=3 -genv D 4 python t.py', { A: '1', B: '2', C: '3', D: '4' }],
    ['apptainer exec --env C=3,D=4 img python t.py', { A: '1', B: '2', C: '3', D: '4' }],
    ['apptainer exec --nv -C --env C=3 img python t.py', { C: '3' }],
    ['apptainer exec --containall img python t.py', {}],
    ['ssh host env C=3 python t.py', { C: '3' }],
    [
      `ray job submit --runtime-env-json='{"env_vars": {"A": "9", "C": "3"}, "pip": ["x", {"y": 1}]}' -- python t.py`,
      { A: '9', B: '2', C: '3' },
    ],
    ['ray job submit --address=http://127.0.0.1:8265 -- python t.py', { A: '1', B: '2' }],
    ['ray job submit --address http://$HEAD:8265 -- python t.py', { A: '1', B: '2' }],
    [
      `ray job submit --address http://10.0.0.7:8265 --runtime-env-json '{"env_vars": {"C": "3"}}' -- python t.py`,
      { C: '3' },
    ],
    ['ray job submit --address=ray-head.jobs.svc:8265 -- python t.py', {}],
  ];
  it.each(cases)('%s', (line, expected) => {
    expect(env(command(line, { env: outer }))).toEqual(expected);
  });

  it('strips the prefix from names meant for a container', () => {
    const given = { env: { A: '1', SINGULARITYENV_A: '8', APPTAINERENV_A: '9', APPTAINERENV_B: '2' } };
    const kept = { ...given.env, A: '9', B: '2' };
    expect(env(command('apptainer exec img python t.py', given))).toEqual(kept);
    expect(env(command('apptainer exec -e img python t.py', given))).toEqual({ A: '9', B: '2' });
    expect(env(command('apptainer exec --env A=3 img python t.py', given))).toEqual({ ...kept, A: '3' });
    expect(env(command('docker run img python t.py', given))).toEqual({});
  });

  it('prefers what the inner shell set to what the wrapper passed', () => {
    const via = [command('env A=9 B=9 bash -c "x"', { env: { A: '1', B: '2' } })];
    const inner = command('python t.py', { via, env: { A: '1', B: '3' } });
    expect(env(inner)).toEqual({ A: '9', B: '3' });
  });
});

describe('unseen variables', () => {
  const unseen = (line: string, rest: Parameters<typeof command>[1] = {}) =>
    launchesOf(command(line, rest), noProfile)[0]?.unseenVariables?.map(({ span }) =>
      line.slice(span.start, span.end),
    );

  it.each([
    ['python t.py', undefined],
    ['srun -N 2 python t.py', undefined],
    ['docker run img python t.py', []],
    ['srun --container-image=img python t.py', []],
    ['kubectl exec pod -- python t.py', []],
    ['docker run --env-file .env img python t.py', ['.env']],
    ['uv run --env-file=.env t.py', ['--env-file=.env']],
    ['env A=1 $VARIABLES python t.py', ['$VARIABLES']],
    ['env A=1 python t.py', undefined],
    ['doppler run -- python t.py', []],
    ['ray job submit --runtime-env env.yaml -- python t.py', ['env.yaml']],
    ['ray job submit --runtime-env-json "$JSON" -- python t.py', ['"$JSON"']],
    [`ray job submit --runtime-env-json '{"env_vars": {"A": "'$B'"}}' -- python t.py`, undefined],
    ['ray job submit --address http://localhost:8265 -- python t.py', undefined],
    ['ray job submit --address http://10.0.0.7:8265 -- python t.py', []],
    // What a login there sets.
    ['ssh host python t.py', []],
  ])('%s', (line, expected) => {
    expect(unseen(line)).toEqual(expected);
  });

  it('may come from an image around the shell that starts the program', () => {
    const via = [command('docker run img bash -c "python t.py"')];
    expect(unseen('python t.py', { via })).toEqual([]);
  });

  it('leave the number of processes open if a file may set it, but not if an image may', () => {
    const world = (line: string) => launchesOf(command(line), noProfile)[0]?.worldSize.kind;
    expect(world('docker run --env-file .env img python t.py')).toBe('unknown');
    expect(world('docker run img python t.py')).toBe('known');
  });
});

describe("Ray's runtime environment", () => {
  function variables(json: string): ReadonlyMap<string, Word> {
    const launch = launchesOf(
      command(`ray job submit --runtime-env-json ${json} -- python t.py`),
      noProfile,
    )[0];
    return launch?.env ?? new Map();
  }

  it('points at the characters within the JSON', () => {
    const json = `'{"env_vars": {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}}'`;
    const line = `ray job submit --runtime-env-json ${json} -- python t.py`;
    const word = launchesOf(command(line), noProfile)[0]?.env.get('PYTORCH_CUDA_ALLOC_CONF');
    const origin = word?.pieces[0]?.origin.place.span;
    expect(line.slice(origin?.start, origin?.end)).toBe('expandable_segments:True');
  });

  it('allows unknown parts of values, whole values and whole entries', () => {
    const found = variables('"{\'env_vars\': 1}"');
    expect(found.size).toBe(0);
    const holes = variables(`'{"env_vars": {"A": "x'"$B"'y", '"$MORE"', "N": '"$N"', "C": 3, "D": true}}'`);
    expect([...holes].map(([name, word]) => `${name}=${display(word)}`)).toEqual([
      'A=x$By',
      'N=$N',
      'C=3',
      'D=true',
    ]);
  });

  it('undoes escapes and survives broken text', () => {
    const found = variables(String.raw`'{"env_vars": {"A": "a\"b\\c\u0041", "B": "open'`);
    expect([...found].map(([name, word]) => `${name}=${display(word)}`)).toEqual(['A=a"b\\cA', 'B=open']);
    expect(variables(`'${'{"a":'.repeat(500)}'`).size).toBe(0);
  });
});

describe("a Ray job's cluster", () => {
  const environment = (script: string) =>
    evaluate(script).commands.flatMap((submitted) =>
      launchesOf(submitted, noProfile).map(({ env: given }) => [...given.keys()].join(' ')),
    );

  it('is another machine if its address is literal, but may be this one if a variable holds it', () => {
    const submit = (address: string) =>
      `export A=1 HEAD=10.0.0.7\nray job submit --address=${address} -- python t.py\n`;
    expect(environment(submit('http://10.0.0.7:8265'))).toEqual(['']);
    expect(environment(submit('http://$HEAD:8265'))).toEqual(['A HEAD']);
  });
});
