import { join } from 'node:path';
import { isShellName, isYamlName } from '../text/fileNames.ts';
import { buildOf, cacheFolder, readOwn, writeOwn } from './cacheFolder.ts';

/** Compiled programs of other versions that are kept beside the present one. */
const keptOthers = 3;

/** By how much the code that a run has compiled must exceed what was kept to be kept instead: writing it takes as long as compiling some of it. */
const worthKeeping = 1.05;

/** Bytes before the code in what is kept: how much code it is. */
const headBytes = 8;

/**
 * How much of the program a run needs: what linting one file takes, which loads a tenth to a sixth sooner than all of it; most of it; or little of what a
 * lint needs, so that nothing is to be kept of it.
 */
export type Need = 'one file' | 'most' | 'little';

/** What a command line needs, as far as its words tell. */
export function needOf([command, ...words]: readonly string[]): Need {
  if (command === 'lsp' || command === 'watch') return 'most';
  if (command !== 'check' && command !== 'resolve') return 'little';
  return words.filter((word) => isShellName(word) || isYamlName(word)).length === 1 ? 'one file' : 'most';
}

/** What a run has compiled of the program. */
export interface Compiled {
  /** Bytes of code that V8 has for it by now. */
  readonly size: () => number;
  /** All of it in V8's own form, what the run was given included. */
  readonly code: () => Uint8Array;
}

/** The compiled program of earlier runs. V8 compiles what a run needs, so that each run may add to what the runs before it left. */
export interface CodeCache {
  /** What is kept, that of the same need first. */
  readonly code: Buffer | undefined;
  /** Keeps what this run has compiled where it is more than there was. */
  keep(compiled: Compiled, wasTaken: boolean): void;
}

/**
 * The compiled code that is kept: apart for each build and each version of Node. Undefined when `NODE_DISABLE_COMPILE_CACHE` is set or
 * there is no folder for it. Where it cannot be written, the next start compiles again.
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
  // What is kept until the end of the run is this number, and not the code: it takes some megabytes.
  const sizeBefore = own?.size ?? 0;
  return {
    code: taken?.code,
    keep: (compiled, wasTaken) => {
      if (need === 'little') return;
      const size = compiled.size();
      // What V8 did not take is written over, or it would be read again and again.
      if (wasTaken && size < sizeBefore * worthKeeping) return;
      const head = Buffer.alloc(headBytes);
      head.writeUInt32LE(size);
      writeOwn(need === 'most' ? ofMost : ofFile, Buffer.concat([head, compiled.code()]), keptOthers);
    },
  };
}

/** What a file keeps: the code, and how much V8 had of it. */
function readCode(file: string): { readonly size: number; readonly code: Buffer } | undefined {
  const content = readOwn(file);
  if (content === undefined || content.length < headBytes) return undefined;
  return { size: content.readUInt32LE(), code: content.subarray(headBytes) };
}
