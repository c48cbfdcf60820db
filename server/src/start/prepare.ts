import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { type CodeCache, type Need, openCodeCache } from '../cli/codeCache.ts';
import { type LoadedProgram, loadProgram } from './loadProgram.ts';

// A run is over before compiling for speed has paid: only what runs very often is worth it (measured on 700 scripts: a third less).
// Little of what a file needs is kept for the next, so that collecting earlier, and hardly letting the space for new objects grow
// (cli/collecting.ts), takes 3 % more time and an eighth (Node 20) to two fifths (Node 24) less memory (measured on 1,400 files).
// New objects are collected on the thread that made them: the others lint, and waiting for them costs 4 % on two processors.
// The names of these settings change with V8's versions, which complain about those that they do not know.
// Compiled code stays until the end, so that what is kept of a long run is complete: where V8 has dropped some of it, each later run compiles that
// again, in each thread, and takes 15 MiB more.
const collecting = [
  '--heap-growing-percent=40',
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
 * Lets the space for new objects grow at once: nearly all that the lint of one file makes is needed to its end, and collecting it again and again takes
 * 2 % of the time, a tenth where other programs want the processor's caches. To be set once the program is compiled, since its kept code also serves
 * the first long run, which is not set so.
 */
const keepNewObjects = (): void => setFlagsFromString('--semi-space-growth-factor=16');

/** The program, and what keeps its compiled code when the run is over. */
export interface Prepared {
  readonly program: LoadedProgram['program'];
  readonly keep: () => void;
}

/**
 * Loads the program of a folder for a run of the command line. Compiling it takes longer than linting one script does, so that the
 * compiled code is kept in the user's cache folder; V8 takes it only for the very version and flags that made it.
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

/** Bytes of code that V8 has compiled to run slowly at first, as most of a short run does. */
const compiledBytes = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

function compiledCode(script: LoadedProgram['script']): Uint8Array {
  // Some settings have changed while the program ran (cli/collecting.ts), and the next start has those of the beginning.
  applySettings();
  return script.createCachedData();
}
