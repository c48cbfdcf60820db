import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from './check.ts';
import type { Output } from './output.ts';
import { systemProblem } from './readText.ts';

/** What `oomlint init` writes: every line explains itself, and nothing changes the defaults. */
export const initialConfig = `# Settings of oomlint for this folder and everything below it. All of them are optional.
# Reference: https://github.com/oomlint/oomlint/blob/main/docs/configuration.md

# The machine that runs the jobs. What is not said here is unknown, and never makes an error.
machine:
  # gpus_per_node: 8
  # gpu_memory_gib: 80
  # compute_capability: 90        # Hopper
  # versions: {torch: "2.8", transformer-engine: "2.8"}

# Values for variables and positional arguments that scripts leave open.
variables:
  # NNODES: 8
  # "1": /data/checkpoints

# off, info, warning or error by rule; \`oomlint rules\` lists them.
rules:
  # slime/reference-model-for-a-metric: off

# Files that are not linted, in the syntax of .gitignore.
exclude:
  # - archive/

# Options that your fork adds, so that they are not unknown.
extra_options:
  # - --my-flag
`;

/** Writes the first configuration; an existing one is left alone. */
export function writeInitialConfig(cwd: string, output: Output): number {
  const file = join(cwd, '.oomlint.yaml');
  if (existsSync(file)) {
    output.err('oomlint: .oomlint.yaml is there already and is left as it is\n');
    return exitCodes.unusable;
  }
  try {
    writeFileSync(file, initialConfig, { flag: 'wx' });
  } catch (error) {
    output.err(
      `oomlint: .oomlint.yaml ${systemProblem(error).replace('cannot be read', 'cannot be written')}\n`,
    );
    return exitCodes.unusable;
  }
  output.out('Wrote .oomlint.yaml.\n');
  return exitCodes.clean;
}
