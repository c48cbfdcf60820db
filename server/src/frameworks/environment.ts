/** An environment variable that affects memory, rejections or silent changes. */
interface EnvironmentVariable {
  readonly name: string;
  readonly describe: string;
  /** Values commonly given to it. */
  readonly values?: readonly string[];
  /** The page or line that documents it. */
  readonly source: string;
}

/** What `schemas/common/environment.yaml` knows. */
export interface EnvironmentFacts {
  readonly variables: readonly EnvironmentVariable[];
}
