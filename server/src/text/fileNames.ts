/** Endings of the files that are linted: what Bash reads, for Slurm, PBS and LSF as well, and YAML. */
const shellEndings = ['sh', 'bash', 'slurm', 'sbatch', 'slrm', 'job', 'pbs', 'lsf'] as const;
const yamlEndings = ['yaml', 'yml'] as const;
/** What templates of manifests have behind that, for Kubernetes and `envsubst` most of all. */
const templateEndings = ['template', 'tmpl', 'tpl', 'j2', 'jinja', 'jinja2'] as const;

/** A pattern for all files that are linted, below any folder. */
export const lintedFiles = `**/*.{${[...shellEndings, ...yamlEndings, ...templatesOfYaml()].join(',')}}`;

/** A pattern for the templates of YAML among them, for which editors have languages of many names. */
export const yamlTemplateFiles = `**/*.{${templatesOfYaml().join(',')}}`;

function templatesOfYaml(): readonly string[] {
  return yamlEndings.flatMap((yaml) =>
    templateEndings.flatMap((ending) => [`${yaml}-${ending}`, `${yaml}.${ending}`]),
  );
}

/** A pattern for the sources that launches are checked against: programs, and what they import. */
export const pythonFiles = '**/*.py';

/** The name of the files that say what Git ignores, and so what is not linted. */
export const ignoreFile = '.gitignore';

/** Whether a file says what Git ignores, by its name. */
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

/** Whether a file is YAML by its name, or a template of some. */
export function isYamlName(path: string): boolean {
  return yamlName.test(path) || isYamlTemplateName(path);
}

/** Whether a file is a template of YAML by its name: `job.yaml-template`, `job.yaml.j2`. What is filled in is not known. */
export function isYamlTemplateName(path: string): boolean {
  return templateName.test(path);
}

function namedBy(endings: readonly string[]): RegExp {
  return new RegExp(`\\.(?:${endings.join('|')})$`, 'i');
}

/** Where the shares of other machines stand among the paths of the engine: a name that no file of Windows can have. */
export const shares = '/unc:';

/** A path on a share, with the name of its machine and what stands below that. */
export const shareOf = /^\/unc:\/([^/]+)(\/.*)$/;
