/** What `oomlint init` and the editor's command write: every line explains itself, and nothing changes the defaults. */
export const initialConfig = `# Settings of oomlint for this folder and everything below it. All of them are optional.
# Reference: https://github.com/oomlint/oomlint/blob/main/docs/configuration.md

# The machine that runs the jobs. What you leave out is unknown, and never causes an error.
machine:
  # gpus_per_node: 8
  # gpu_memory_gib: 80
  # compute_capability: 90        # Hopper
  # versions: {torch: "2.8", transformer-engine: "2.8"}

# Values of variables and positional arguments that scripts take from outside.
variables:
  # NNODES: 8
  # "1": /data/checkpoints

# Severity by rule: off, info, warning or error. \`oomlint rules\` lists the rules.
rules:
  # slime/reference-model-for-a-metric: off

# Files that are not linted, in .gitignore syntax.
exclude:
  # - archive/

# File of accepted findings; \`oomlint check --update-baseline\` writes it.
# baseline: .oomlint-baseline.json

# Options that your fork adds; they are never reported as unknown.
extra_options:
  # - --my-flag
`;
