// What a shell keeps beside its variables, under names that no variable has.

/** Where the commands stand that run when the shell ends: a name that no variable has. */
export const atExit = ' trap EXIT';

/** Where the commands stand that run when a command fails: a name that no variable has. */
export const atError = ' trap ERR';

/** Where the commands stand that run when a function or a sourced file ends: a name that no variable has. */
export const atReturn = ' trap RETURN';

/** Where the commands stand that run before each command: a name that no variable has. */
export const atEach = ' trap DEBUG';

/** Where the commands stand that run when a signal comes, by its name without `SIG`: a name that no variable has. */
export function atSignal(signal: string): string {
  return ` trap ${signal}`;
}

/** Whether commands stand under a name that run at an end or an event. */
export function isTrap(name: string): boolean {
  return name.startsWith(' trap ');
}

/** Where the number of the command stands that was put into the background last: a name that no variable has. */
export const lastJob = ' job';

/** Where the working directory before the present one stands: a name that no variable has. */
export const formerDirectory = ' OLDPWD';

/** Under this name, which no variable has, stands what the shell no longer holds for certain. */
export const doubtName = ' doubtful';

/** Where the number of letters stands that `getopts` has read of a word of options: a name that no variable has. */
export const lettersRead = ' getopts';

/** Where the places of the jobs stand that the script has ended itself: a name that no variable has. */
export const endedJobs = ' ended jobs';

/** Which of the directories that are not known is the present one: a name that no variable has. */
export const whereabouts = ' whereabouts';

/** Under this name, which no variable has, stands that the working directory is the one that is taken for it wherever the script is started. */
export const settledDirectory = ' settled directory';

/** Under this name, which no variable has, stands that nobody says in which directory the shell is: files are looked for in one all the same. */
export const guessedDirectory = ' guessed directory';

/** Where the directories stand to which `popd` returns, the latest first: a name that no variable has. */
export const directoryStack = ' directories';
