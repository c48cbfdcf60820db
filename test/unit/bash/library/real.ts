import { spawnSync } from 'node:child_process';

/** What a program on this machine writes, and its exit status, in the C.UTF-8 locale. */
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

/** Runs one Bash script over many cases (its positional parameters) in one process. @returns what each case wrote */
export function bashCases(script: string, cases: readonly (readonly string[])[]): readonly string[] {
  const width = cases[0]?.length ?? 0;
  const words = Array.from({ length: width }, (_, index) => `"\${fields[at+${index}]}"`).join(' ');
  const loop = `shopt -s extglob
set -f
mapfile -d '' -t fields
for (( at = 0; at < \${#fields[@]}; at += ${width} )); do
set -- ${words}
${script}
printf '@end@'
done`;
  const done = spawnSync('bash', ['-c', loop], {
    input: cases
      .flat()
      .map((field) => `${field}\0`)
      .join(''),
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    maxBuffer: 1 << 26,
  });
  if (done.error !== undefined) throw done.error;
  return done.stdout.split('@end@').slice(0, -1);
}
