// The contents of the single built program: the command line with the server, the code of helper threads, and the library.
export { start } from '../cli/main.ts';

/** Does the work that a helper thread was started for. The rest of the command line is not involved. */
export const help = async (): Promise<void> => (await import('../cli/threads/helper.ts')).help();

/** What a program that imports this package gets. The command line does without it, or loads parts of it on demand. */
export const library = (): Promise<typeof import('../api.ts')> => import('../api.ts');
