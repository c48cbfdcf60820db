/** Endings of the files that are linted: what Bash reads, for Slurm as well, and YAML. */
const shellEndings = ['sh', 'bash', 'slurm', 'sbatch', 'slrm', 'job'] as const;
const yamlEndings = ['yaml', 'yml'] as const;

/** A pattern for all files that are linted, below any folder. */
export const lintedFiles = `**/*.{${[...shellEndings, ...yamlEndings].join(',')}}`;

const shellName = namedBy(shellEndings);
const yamlName = namedBy(yamlEndings);

/** Whether a file is a shell script by its name. */
export function isShellName(path: string): boolean {
  return shellName.test(path);
}

/** Whether a file is YAML by its name. */
export function isYamlName(path: string): boolean {
  return yamlName.test(path);
}

function namedBy(endings: readonly string[]): RegExp {
  return new RegExp(`\\.(?:${endings.join('|')})$`, 'i');
}
