import { prepare } from './prepare.ts';

// What a helping thread runs: the program next to this file does the errand that it was given.
void prepare(import.meta.dirname, 'most').program.help();
