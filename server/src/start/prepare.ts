import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { type CodeCache, type Need, openCodeCache } from '../cli/codeCache.ts';
import { type LoadedProgram, loadProgram } from './loadProgram.ts';

// A run ends before optimizing compilation pays off: only code that runs very often is worth it (measured on 700 scripts: a third less). Little
// of what a file needs is kept for the next, so collecting earlier and hardly letting the new space grow (cli/collecting.ts) takes 3 % more
// time and saves a sixth (Node 20) to two fifths (Node 24) of the memory (measured on 1,400 files; growing by 40 % instead of 20 takes 15 MiB
// more and no less time). New objects are collected on the thread that made them: the others are linting, and waiting for them costs 4 % on two
// processors. The names of these settings change between V8 versions, which complain about unknown ones. Compiled code stays until the end, so
// that what is cached after a long run is complete: if V8 had dropped some of it, each later run would compile that again, in each thread, and
// take 15 MiB more.
const collecting = [
  '--heap-growing-percent=20',
  '--semi-space-growth-factor=1',
  '--no-parallel-scavenge',
  '--no-flush-bytecode',
];
const settings: { readonly [version: string]: readonly string[] } = {
  '11': ['--interrupt-budget=1500000', ...collecting],
  '12': ['--invocation-count-for-turbofan=60000', ...collecting],
  '13': ['--invocation-count-for-turbofan=60000', ...collecting],
};
const ownSettings = settings[process.versions.v8.split('.')[0] ?? ''] ?? [];
function applySettings(): void {
  for (const setting of ownSettings) setFlagsFromString(setting);
}

/**
 * Lets the new space grow at once: nearly everything that linting one file creates is needed to the end, and collecting it repeatedly takes 2 %
 * of the time, or a tenth if other programs compete for the processor's caches. To be called once the program is compiled, since its cached
 * code also serves the first long run, which does not use this setting.
 */
const keepNewObjects = (): void => setFlagsFromString('--semi-space-growth-factor=16');

/** The program, and a function that saves its compiled code at the end of the run. */
export interface Prepared {
  readonly program: LoadedProgram['program'];
  readonly keep: () => void;
}

/**
 * Loads the program of a folder for a run of the command line. Compiling it takes longer than linting one script, so the compiled code is kept
 * in the user's cache folder; V8 only accepts it for exactly the version and flags that produced it.
 * @param need how much of it the run needs
 */
export function prepare(folder: string, need: Need): Prepared {
  applySettings();
  const { code, keep }: Partial<CodeCache> = openCodeCache(folder, process.env, need) ?? {};
  const { program, script } = loadProgram(
    folder,
    code,
    need === 'one file' && ownSettings.length > 0 ? keepNewObjects : undefined,
  );
  const wasTaken = code !== undefined && script.cachedDataRejected !== true;
  return {
    program,
    keep: () => keep?.({ size: compiledBytes, code: () => compiledCode(script) }, wasTaken),
  };
}

/** Bytes of bytecode that V8 has compiled; most of a short run executes it. */
const compiledBytes = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

function compiledCode(script: LoadedProgram['script']): Uint8Array {
  // Some settings changed while the program ran (cli/collecting.ts); this restores the initial ones, which the next start has too.
  applySettings();
  return script.createCachedData();
}
