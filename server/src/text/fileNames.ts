/** Extensions of the linted files: what Bash reads, also for Slurm, PBS and LSF, and YAML. */
const shellEndings = ['sh', 'bash', 'slurm', 'sbatch', 'slrm', 'job', 'pbs', 'lsf'] as const;
const yamlEndings = ['yaml', 'yml'] as const;
/** Further extensions of manifest templates, mostly for Kubernetes and `envsubst`. */
const templateEndings = ['template', 'tmpl', 'tpl', 'j2', 'jinja', 'jinja2'] as const;

/** A glob for all linted files, below any folder. */
export const lintedFiles = `**/*.{${[...shellEndings, ...yamlEndings, ...templatesOfYaml()].join(',')}}`;

/** A pattern for the templates of YAML among them, whose language has many names in editors. */
export const yamlTemplateFiles = `**/*.{${templatesOfYaml().join(',')}}`;

function templatesOfYaml(): readonly string[] {
  return yamlEndings.flatMap((yaml) =>
    templateEndings.flatMap((ending) => [`${yaml}-${ending}`, `${yaml}.${ending}`]),
  );
}

/** A glob for the sources that launches are checked against: programs, and what they import. */
export const pythonFiles = '**/*.py';

/** The name of the files that list what Git ignores, which is not linted either. */
export const ignoreFile = '.gitignore';

/** Whether a file is an ignore file of Git, by its name. */
export function isIgnoreFile(path: string): boolean {
  return /(?:^|[\\/])\.gitignore$/.test(path);
}

/** Whether a file is a Python source by its name. */
export function isPythonName(path: string): boolean {
  return path.endsWith('.py');
}

const shellName = namedBy(shellEndings);
const yamlName = namedBy(yamlEndings);
const templateName = new RegExp(`\\.(?:${yamlEndings.join('|')})[-.](?:${templateEndings.join('|')})$`, 'i');

/** Whether a file is a shell script by its name. */
export function isShellName(path: string): boolean {
  return shellName.test(path);
}

/** Whether a file is YAML or a YAML template, by its name. */
export function isYamlName(path: string): boolean {
  return yamlName.test(path) || isYamlTemplateName(path);
}

/** Whether a file is a YAML template, by its name: `job.yaml-template`, `job.yaml.j2`. What is filled in is unknown. */
export function isYamlTemplateName(path: string): boolean {
  return templateName.test(path);
}

function namedBy(endings: readonly string[]): RegExp {
  return new RegExp(`\\.(?:${endings.join('|')})$`, 'i');
}

/** Prefix of engine paths on shares of other machines: a name that no Windows file can have. */
export const shares = '/unc:';

/** A path on a share: the name of its machine and the rest of the path. */
export const shareOf = /^\/unc:\/([^/]+)(\/.*)$/;
