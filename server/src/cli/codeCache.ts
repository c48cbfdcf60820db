import { join } from 'node:path';
import { isShellName, isYamlName } from '../text/fileNames.ts';
import { buildOf, cacheFolder, readOwn, writeOwn } from './cacheFolder.ts';

/** Number of other versions of the compiled program that are kept besides the current one. */
const keptOthers = 3;

/** By which factor the compiled code of a run must exceed the cached code to replace it: writing it takes as long as compiling some of it. */
const worthKeeping = 1.05;

/** Bytes before the code in a cache file: they hold the size of the code. */
const headBytes = 8;

/**
 * How much of the program a run needs: what linting one file takes, which loads a tenth to a sixth faster than all of it; most of it; or little
 * of what linting needs, so that nothing is cached.
 */
export type Need = 'one file' | 'most' | 'little';

/** What a command line needs, judging by its words. */
export function needOf([command, ...words]: readonly string[]): Need {
  if (command === 'lsp' || command === 'watch') return 'most';
  if (command !== 'check' && command !== 'resolve') return 'little';
  return words.filter((word) => isShellName(word) || isYamlName(word)).length === 1 ? 'one file' : 'most';
}

/** The part of the program that a run has compiled. */
export interface Compiled {
  /** Bytes of code that V8 has compiled so far. */
  readonly size: () => number;
  /** All of it in V8's own format, including what the run was given. */
  readonly code: () => Uint8Array;
}

/** The compiled program of earlier runs. V8 compiles what a run needs, so each run may add to what earlier runs left. */
export interface CodeCache {
  /** The cached code, preferably that of the same need. */
  readonly code: Buffer | undefined;
  /** Saves what this run has compiled if it is more than before. */
  keep(compiled: Compiled, wasTaken: boolean): void;
}

/**
 * The cache of compiled code, separate for each build and each version of Node. Undefined if `NODE_DISABLE_COMPILE_CACHE` is set or there is no
 * folder for it. If it cannot be written, the next start compiles again.
 * @param program the folder of the program
 */
export function openCodeCache(
  program: string,
  environment: NodeJS.ProcessEnv,
  need: Need,
): CodeCache | undefined {
  if (environment.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = cacheFolder(environment);
  const build = buildOf(program);
  if (folder === undefined || build === undefined) return undefined;
  const ofFile = join(folder, `code-${build}-${process.version}-${process.arch}`);
  const ofMost = `${ofFile}-long`;
  const own = need === 'most' ? readCode(ofMost) : readCode(ofFile);
  const taken = own ?? (need === 'most' ? readCode(ofFile) : undefined);
  // Only this number is held until the end of the run, not the code, which takes some megabytes.
  const sizeBefore = own?.size ?? 0;
  return {
    code: taken?.code,
    keep: (compiled, wasTaken) => {
      if (need === 'little') return;
      const size = compiled.size();
      // Code that V8 rejected is overwritten; otherwise it would be read again and again.
      if (wasTaken && size < sizeBefore * worthKeeping) return;
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(size);
      writeOwn(need === 'most' ? ofMost : ofFile, Buffer.concat([head, compiled.code()]), keptOthers);
    },
  };
}

/** The content of a cache file: the code and its size in V8. */
function readCode(file: string): { readonly size: number; readonly code: Buffer } | undefined {
  const content = readOwn(file);
  if (content === undefined || content.length < headBytes) return undefined;
  return { size: content.readUInt32LE(), code: content.subarray(headBytes) };
}
