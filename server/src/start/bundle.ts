// What the one built program holds: the command line, with the server in it, what helping threads do, and the library.
export { start } from '../cli/main.ts';

/** Does the errand that a helping thread was started with. The rest of the command line is no part of it. */
export const help = async (): Promise<void> => (await import('../cli/threads/helper.ts')).help();

/** What a program gets that imports this package. The command line does without it, or loads its parts when they are needed. */
export const library = (): Promise<typeof import('../api.ts')> => import('../api.ts');
