// What the one built program holds: the command line, with the server in it, and the library.
export { start } from '../cli/main.ts';

/** What a program gets that imports this package. The command line does without it, or loads its parts when they are needed. */
export const library = (): Promise<typeof import('../api.ts')> => import('../api.ts');
