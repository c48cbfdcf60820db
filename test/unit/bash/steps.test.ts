import { describe, expect, it } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { Meter } from '../../../server/src/bash/state/budget.ts';
import { LayeredMap } from '../../../server/src/bash/state/layeredMap.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { lines } from './support.ts';

/** Steps that a script takes, and whether that was all of it. */
function steps(text: string): {
  readonly spent: number;
  readonly truncated: boolean;
  readonly words: number;
} {
  let spent = 0;
  const spend = Meter.prototype.spend;
  Meter.prototype.spend = function (count = 1) {
    spent += count;
    return spend.call(this, count);
  };
  try {
    const host = memoryHost({ '/repository/run.sh': text });
    const result = evaluateScript('/repository/run.sh', text, {
      host,
      machine: noProfile,
      nested: () => undefined,
    });
    const last = result.commands.at(-1);
    return { spent, truncated: result.truncated, words: last?.words.length ?? 0 };
  } finally {
    Meter.prototype.spend = spend;
  }
}

const repeated = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('steps grow only in proportion to the length of a script', () => {
  const shapes: { readonly [name: string]: (count: number) => string } = {
    assignments: (count) => repeated(count, (index) => `A${index}=$((${index} + 1))`),
    pipes: (count) => repeated(count, (index) => `A${index}=x; echo "$A${index}" | tee /dev/null`),
    guards: (count) => repeated(count, (index) => `if [ -f /data/${index} ]; then X=${index}; fi`),
    functions: (count) => repeated(count, (index) => `f${index}() { echo ${index}; }; f${index}`),
    arrays: (count) =>
      `A=()\n${repeated(count, (index) => `A+=(--option-${index} ${index})`)}\npython train.py "\${A[@]}"`,
    'elements of arrays': (count) => repeated(count, (index) => `A[${index}]=x; B+=("\${A[${index}]}")`),
    'one command': (count) =>
      `python train.py ${repeated(count, (index) => `word${index}`).replaceAll('\n', ' ')}`,
  };
  for (const [name, shape] of Object.entries(shapes))
    it(name, () => {
      const small = steps(`${shape(100)}\npython train.py\n`);
      const large = steps(`${shape(400)}\npython train.py\n`);
      expect(small.spent).toBeGreaterThan(50);
      expect(large.spent).toBeLessThan(small.spent * 6);
    });

  it('a command of 120,000 words is reported in full', () => {
    const { words, truncated } = steps(shapes['one command']?.(120_000) ?? '');
    expect({ words, truncated }).toEqual({ words: 120_002, truncated: false });
  });
});

describe('scripts that start many others are followed to their end', () => {
  const parts = repeated(
    60,
    (index) =>
      `A${index}=\${X${index}:-${index}}\nif [ "$A${index}" = 0 ]; then O+=(--o-${index} "$A${index}"); fi`,
  );
  const long = `TP=1\nwhile [ $# -gt 0 ]; do case $1 in --tp) TP=$2; shift 2;; *) shift;; esac; done\n${parts}\npython train.py --tp $TP "\${O[@]}"\n`;
  const follow = (driver: string) =>
    evaluateScript('/repository/run.sh', driver, {
      host: memoryHost({ '/repository/run.sh': driver, '/repository/long.sh': long }),
      machine: noProfile,
      nested: nestedShell,
    });

  it('in loops', () => {
    const { commands, truncated } = follow(
      'for a in {1..5}; do for b in {1..4}; do for c in x y; do bash long.sh --tp $a$b; done; done; done\npython train.py --last',
    );
    expect(commands).toHaveLength(41);
    expect(truncated).toBe(false);
  });

  it('one after the other, and by a function', () => {
    const calls = repeated(20, (index) => `start --tp ${index}\nbash long.sh --tp ${index}`);
    const { commands, truncated } = follow(
      `start() { bash long.sh "$@"; }\n${calls}\npython train.py --last`,
    );
    expect(commands).toHaveLength(41);
    expect(truncated).toBe(false);
  });

  it('in a function that calls itself for each child of a process, which nobody can count', () => {
    const loops = {
      for: 'for child in $(pgrep -P "$1"); do tree "$child" $2; done',
      while: 'pgrep -P "$1" | while read -r child; do tree "$child" $2; done',
    };
    for (const loop of Object.values(loops)) {
      const text = `tree() { local child; ${loop}; killed=$((killed + 1)); kill "-$2" "$1" || true; }\nkilled=0\ntree "$PID" TERM\ntree "$PID" KILL\npython train.py --killed $killed --last\n`;
      const { spent, truncated } = steps(text);
      expect(spent).toBeLessThan(3_000);
      expect(truncated).toBe(false);
    }
  });

  it('but not one that starts itself endlessly', () => {
    const { commands } = follow('bash "$0"; bash "$0"; bash long.sh');
    expect(commands.length).toBeLessThan(2_000);
  });
});

describe('maps whose copies share common parts', () => {
  it('behave like plain maps, however they are copied and changed', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const pairs: { map: LayeredMap<number>; plain: Map<string, number> }[] = [
      { map: LayeredMap.empty(), plain: new Map() },
    ];
    for (let round = 0; round < 5_000; round += 1) {
      const pair = pairs[random(pairs.length)];
      if (pair === undefined) continue;
      const name = `n${random(40)}`;
      const action = random(10);
      if (action === 0 && pairs.length < 12) pairs.push({ map: pair.map.copy(), plain: new Map(pair.plain) });
      else if (action < 3) {
        pair.map.delete(name);
        pair.plain.delete(name);
      } else {
        pair.map.set(name, round);
        pair.plain.set(name, round);
      }
      expect(pair.map.entry(name)?.value).toBe(pair.plain.get(name));
    }
    for (const { map, plain } of pairs) {
      const entries = new Map<string, number>();
      map.forEach((name, value) => {
        if (value === undefined) entries.delete(name);
        else entries.set(name, value);
      });
      expect([...entries].sort()).toEqual([...plain].sort());
    }
    for (const a of pairs)
      for (const b of pairs) {
        const changed = a.map.changed(b.map);
        for (const name of new Set([...a.plain.keys(), ...b.plain.keys()]))
          if (a.plain.get(name) !== b.plain.get(name)) expect(changed.has(name)).toBe(true);
      }
  });
});

/** Each further alias copies the shell's table of aliases: copying every entry each time would take more than twenty seconds. */
it('twenty thousand aliases are handled', () => {
  const aliases = Array.from({ length: 20_000 }, (_, at) => `alias a${at}='python ${at}'\n`).join('');
  expect(lines(`shopt -s expand_aliases\n${aliases}a0\na19999`)).toEqual(['python 0', 'python 19999']);
}, 15_000);
