import { prepare } from './prepare.ts';

// The code of a helper thread: the program next to this file does the work that it was given.
void prepare(import.meta.dirname, 'most').program.help();
