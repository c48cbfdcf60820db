import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('a loop that waits', () => {
  test.each([
    [
      'while true; do U=$(nvidia-smi); B=0; for u in $U; do if [ $u -gt 9 ]; then B=1; fi; done; [ $B -eq 0 ] && break; sleep 1; done',
    ],
    ['while :; do N=$(squeue | wc -l); [ "$N" -lt 4 ] && break; sleep 60; done'],
    ['until [ "$STATE" = ready ]; do STATE=$(cat /mnt/state); A=(x "$STATE"); done'],
  ])('ends, and what follows it is reported: %s', (loop) => {
    const { commands, truncated } = evaluate(`${loop}\npython train.py`);
    expect(truncated).toBe(false);
    expect(commands.at(-1)?.words.map(shown)).toEqual(['python', 'train.py']);
  });

  test.each([
    ['what was set where it was left', 'if [ "$S" = RUNNING ]; then M=fast; break; fi', 'python t.py fast'],
    ['what was set before', 'M=$S; case $S in R*) M=fast; break;; esac', 'python t.py fast'],
    [
      'the same from within a loop',
      'for i in 1 2; do [ "$S" = R ] && M=fast && break 2; done',
      'python t.py fast',
    ],
    ['nothing of a subshell', '( [ "$S" = R ] && break )', 'python t.py <$M*>'],
    ['nothing of another loop', 'for i in 1 2; do [ "$S" = R ] && break; done', 'python t.py <$M*>'],
  ])('and ends by a break leaves %s', (_, body, started) => {
    const text = `while true; do S=$(squeue); ${body}; sleep 1; done; python t.py $M`;
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual([started]);
  });

  test('ends even if there are too many paths to follow each of its branches', () => {
    const questions = ['A', 'B', 'C'].map((name) => `if [ "$(ask ${name})" = 1 ]; then ${name}=1; fi`);
    const loop = 'while true; do N=$(count || echo 0); if [ "$N" -ge 8 ]; then break; fi; done';
    const started = lines([...questions, loop, 'python t.py'].join('\n'));
    expect(started.at(-1)).toBe('python t.py');
  });

  test.each([
    ['until ask; do exit 2; done; python t.py', 'python t.py'],
    ['X=1; while ! ask; do X=2; exit; done; python t.py $X', 'python t.py 1'],
    ['f() { until ask; do python no.py; return 1; done; python t.py; }; f', 'python t.py'],
    ['for i in 1 2; do until ask $i; do break 2; done; python t.py $i; done', 'python t.py 2'],
    ['for i in 1 2; do while ! ask $i; do continue 2; done; python t.py $i; done', 'python t.py 2'],
  ])('that leaves more than itself in each iteration is skipped if it does not wait: %s', (text, last) => {
    expect(lines(text).at(-1)).toBe(last);
  });

  test('in the background runs alongside what follows', () => {
    const monitor = 'while true; do if [ "$(ask)" = end ]; then break; fi; sleep 1; done &';
    expect(lines(`${monitor} python t.py`).at(-1)).toBe('python t.py');
    expect(lines(`f() { ${monitor.slice(0, -1)}; }; f & python t.py`).at(-1)).toBe('python t.py');
  });

  test('for a number of iterations is not followed through all of them', () => {
    const text = 'for _ in $(seq 400); do curl host/health && break; sleep 1; done; python t.py';
    const started = lines(text);
    expect(started.at(-1)).toBe('python t.py');
    expect(started.length).toBeLessThan(20);
  });

  test.each([
    ['X=0; for i in $(seq 30); do X=$((X+1)); done; python t.py $X', 'python t.py 30'],
    ['for i in $(seq 30); do python t.py $i; done', 'python t.py 30'],
    ['f() { python t.py $i; }; for i in $(seq 30); do f; done', 'python t.py 30'],
  ])('is followed through all for values that matter: %s', (text, last) => {
    expect(lines(text).at(-1)).toBe(last);
  });

  test('and counts is followed to its last iteration', () => {
    expect(lines('i=0; while true; do i=$((i+1)); [ $i -ge 3 ] && break; done; python x.py $i')).toEqual([
      'python x.py 3',
    ]);
  });
});

describe('what a function waits for', () => {
  const isPython = (line: string): boolean => line.startsWith('python');

  const waiting = (rounds: number): string => `
    ready() {
      local attempt=1
      while [ $attempt -le ${rounds} ]; do
        local code=$(curl -s http://judge)
        if [ -z "$code" ]; then code=none; fi
        if [ "$code" = 200 ]; then return 0; fi
        attempt=$((attempt + 1))
      done
      return 1
    }
    if ! ready; then exit 1; fi
    python train.py`;

  test.each([3, 60, 300])('may come in %i iterations, so what follows is reported', (rounds) => {
    expect(lines(waiting(rounds)).at(-1)).toBe('python train.py');
  });

  test('leaves its status open if joined branches return different ones', () => {
    const asked = [1, 2, 3, 4, 5, 6].map((n) => `[ "$(ask ${n})" = yes ] && return 0; N${n}=$(ask n${n});`);
    const text = `f() { ${asked.join(' ')} return 1; }; if f; then M=yes; else M=no; fi; python train.py "$M"`;
    expect(lines(text).filter(isPython)).toEqual(['python train.py <$M>', 'python train.py yes']);
  });

  test('a value that ends differently is a different one', () => {
    const compared = (value: string, other: string): readonly string[] =>
      lines(`X="${value}"; if [ "$X" = ${other} ]; then python a; else python b; fi`).filter(isPython);
    expect(compared('$(ask)-end', '--flag')).toEqual(['python b']);
    expect(compared('a$(ask)a', 'a')).toEqual(['python b']);
    expect(compared('a$(ask)a', 'aa')).toEqual(['python b', 'python a']);
  });
});

describe('nested loops', () => {
  test('are followed to the end, unless they are endless', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const text = `${names.map((name) => `for ${name} in 1 2; do`).join(' ')}
      for g in 1 2 3; do bash -c 'python t.py'; done
    ${names.map(() => 'done').join(';')}; python end.py`;
    const { commands, truncated } = evaluate(text);
    expect(truncated).toBe(false);
    expect(commands).toHaveLength(193);
  });

  test('leave some steps for what follows them', () => {
    const started = lines(
      'while f; do while g; do for i in $(seq 400); do for j in $(seq 400); do python t.py $i $j; done; done; done; done; python end.py',
    );
    expect(started.at(-1)).toBe('python end.py');
  });
});

describe('wait', () => {
  const started = (text: string): readonly string[] =>
    lines(text).filter((line) => line.startsWith('python'));

  test.each([
    'probe & wait $!',
    'probe & P=$!; wait "$P"',
    'probe & P=$!; true & wait $P',
    'P=(); probe & P+=($!); wait "${P[0]}"',
    'probe & wait -n',
    '{ train.sh && false; } & wait -n',
    'true & P=$!; while ask; do wait; done; wait $P',
    'f() { probe; }; f & wait $!',
  ])('ends like the job, which only the machine knows: %s', (text) => {
    expect(started(`if ${text}; then python yes; else python no; fi`)).toEqual(['python yes', 'python no']);
  });

  test.each([
    ['( exit 3 ) & wait $!; python $?', ['python 3']],
    ['( exit 3 ) & P=$!; true & wait $P; python $?', ['python 3']],
    ['false & true & wait $!; python $?', ['python 0']],
    ['set -e; false & wait $!; python t.py', []],
    ['false & wait; python $?', ['python 0']],
    ['probe & wait; python $?', ['python 0']],
    ['( exit 3 ) & P=$!; wait; wait $P; python $?', ['python 127']],
    ['( exit 3 ) & P=$!; wait; ( exit 4 ) & wait $!; python $?', ['python 4']],
    ['( exit 3 ) & P=$!; f() { wait; }; f; if wait $P; then python yes; else python no; fi', ['python no']],
    ['P=(); for i in 1 2; do ( exit $i ) & P+=($!); done; wait; wait ${P[1]}; python $?', ['python 127']],
    ['train.sh & P=$!; if wait $P; then python yes; else python no; fi', ['python yes']],
  ])('ends like the job if that is certain: %s', (text, expected) => {
    expect(started(text)).toEqual(expected);
  });
});

describe('a command in the background', () => {
  test.each([
    ['its own shell waits for', '(exit 3) & wait $!; python $?', 'python 3'],
    ['no other shell waits for', '(exit 3) & p=$!; (wait $p; python $?)', 'python 127'],
    ['no part of a pipe waits for', '(exit 3) & wait $! | cat; python ${PIPESTATUS[0]}', 'python 127'],
    ['no shell that is started waits for', "(exit 3) & bash -c 'wait $1; python $?' x $!", 'python 127'],
    [
      'no copy within `$( )` waits for',
      '(exit 3) & p=$!; x=$( (wait $p; echo $?) ); python $x',
      'python 127',
    ],
    [
      'a substitution waits for, which may know how it ended',
      '(exit 3) & p=$!; x=$(wait $p); python $?',
      'python <$?>',
    ],
    ['a copy waits for that has started it', '( (exit 3) & wait $!; python $? )', 'python 3'],
  ])('is one that %s', (_, text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });
});
