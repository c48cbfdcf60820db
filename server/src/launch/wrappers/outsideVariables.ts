import data from '../../../../schemas/common/variables.json';

interface Group {
  readonly prefixes: readonly string[];
  readonly names: readonly string[];
}

/** Matches the variables of some groups, by prefix or by whole name. */
function variablesOf(...groups: readonly Group[]): RegExp {
  const prefixes = groups.flatMap((group) => group.prefixes).join('|');
  const names = groups.flatMap((group) => group.names).join('|');
  return new RegExp(`^(?:(?:${prefixes})_\\w+|${names})$`);
}

const { jobs, processes, ranks, libraries, others } = data;

/** Variables in which schedulers and launchers tell a job its size. */
export const variablesOfJobs = variablesOf(jobs);

/** Variables that mean something to schedulers, launchers and libraries. */
export const meaningfulVariables = variablesOf(jobs, processes, ranks, libraries);

/** Variables that a scheduler, a launcher, a library or the login may set. */
export const variablesFromOutside = variablesOf(jobs, processes, ranks, libraries, others);
