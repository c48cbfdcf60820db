import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProgram } from './loadProgram.ts';

// What a program that imports this package gets (its types: api.d.mts): the functions of the program next to this file.
const { program } = loadProgram(dirname(fileURLToPath(import.meta.url)));
export const { explain, lint, resolve, version } = await program.library();
