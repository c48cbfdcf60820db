/** An environment variable that decides about memory, refusals or silent changes. */
interface EnvironmentVariable {
  readonly name: string;
  readonly describe: string;
  /** Values that people give it. */
  readonly values?: readonly string[];
  /** The page or line that says so. */
  readonly source: string;
}

/** What `schemas/common/environment.yaml` knows. */
export interface EnvironmentFacts {
  readonly variables: readonly EnvironmentVariable[];
}
