import { join } from 'node:path';
import { buildOf, cacheFolder, writeOwn } from './cacheFolder.ts';

/** Compiled programs of other versions that are kept beside the present one. */
const keptOthers = 3;

/**
 * Where compiled code is kept: apart for each build and each version of Node. Undefined when `NODE_DISABLE_COMPILE_CACHE` is set or
 * there is no folder for it.
 * @param program the folder of the program
 */
export function cacheFile(program: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (environment.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const folder = cacheFolder(environment);
  const build = buildOf(program);
  return folder === undefined || build === undefined
    ? undefined
    : join(folder, `code-${build}-${process.version}-${process.arch}`);
}

/** Keeps compiled code for the next start. Where that cannot be done, the next start compiles again. */
export function writeCode(file: string, code: Uint8Array): void {
  writeOwn(file, code, keptOthers);
}
