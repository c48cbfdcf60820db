/** What `oomlint init` and the editor's command write: every line explains itself, and nothing changes the defaults. */
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

# Findings that are accepted for now: \`oomlint check --update-baseline\` writes them.
# baseline: .oomlint-baseline.json

# Options that your fork adds, so that they are not unknown.
extra_options:
  # - --my-flag
`;
