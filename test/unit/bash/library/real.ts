import { spawnSync } from 'node:child_process';

/** What a program of this machine writes and its exit status, in the C.UTF-8 locale. */
export function runReal(
  program: string,
  args: readonly string[],
  input = '',
): { readonly output: string; readonly status: number } {
  const done = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
  });
  if (done.error !== undefined) throw done.error;
  return { output: done.stdout, status: done.status ?? -1 };
}

/** Runs one Bash script over many cases in one process: what each case wrote is one text of the answer. */
export function bashCases(script: string, cases: readonly (readonly string[])[]): readonly string[] {
  const fields = cases.flat();
  const width = cases[0]?.length ?? 0;
  const loop = `shopt -s extglob\nset -f\nwhile (( $# )); do set -- "$@"\n${script}\nprintf '@end@'\nshift ${width}\ndone`;
  const done = spawnSync('bash', ['-c', loop, 'bash', ...fields], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    maxBuffer: 1 << 26,
  });
  if (done.error !== undefined) throw done.error;
  return done.stdout.split('@end@').slice(0, -1);
}
