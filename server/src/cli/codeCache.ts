import { join } from 'node:path';
import { isShellName, isYamlName } from '../text/fileNames.ts';
import { buildOf, cacheFolder, readOwn, writeOwn } from './cacheFolder.ts';

/** Compiled programs of other versions that are kept beside the present one. */
const keptOthers = 3;

/** Microseconds of processor time after which a run has gone through most of the program. */
const longRun = 1_000_000;

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

/** The compiled program of earlier runs. V8 compiles what a run needs, so that what a short one leaves lacks most of the program. */
export interface CodeCache {
  /** What is kept, that of the same need first. */
  readonly code: Buffer | undefined;
  /** Keeps what this run has compiled where it is more than there was. */
  keep(compiled: () => Uint8Array, wasTaken: boolean): void;
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
  const ofShort = join(folder, `code-${build}-${process.version}-${process.arch}`);
  const ofLong = `${ofShort}-long`;
  const complete = need === 'most' ? readOwn(ofLong) : undefined;
  // What is kept until the end of the run is this answer, and not the code: it takes some megabytes.
  const isComplete = complete !== undefined;
  return {
    code: complete ?? readOwn(ofShort),
    keep: (compiled, wasTaken) => {
      const isLong = process.cpuUsage().user > longRun;
      if (need === 'little' || (wasTaken && (isComplete || !isLong))) return;
      // What V8 did not take is written over, or it would be read again and again.
      writeOwn(isLong || isComplete ? ofLong : ofShort, compiled(), keptOthers);
    },
  };
}
