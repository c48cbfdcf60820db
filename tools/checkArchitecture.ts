// Checks the direction of imports between the parts of server/src, from text to the front ends, and what each start of the command line loads.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { frameworkIds } from '../server/src/frameworks/framework.ts';

/** Folders and files of server/src from the bottom up; each may import from its own row or an earlier one. */
const rows: readonly (readonly string[])[] = [
  ['text'],
  ['value'],
  ['expression'],
  ['bash', 'yaml'],
  ['launch'],
  ['frameworks'],
  ['rules'],
  ['fixes'],
  [
    'recognise.ts',
    'idleScripts.ts',
    'startingScripts.ts',
    'fileRuns.ts',
    'runFindings.ts',
    'fileLint.ts',
    'linter.ts',
    'fixBatch.ts',
    'autofix.ts',
  ],
  ['report'],
  ['config'],
  ['disk', 'version.ts'],
  ['lsp'],
  ['cli'],
  ['api.ts'],
  ['start'],
];

/** Type-only imports of contracts in the opposite direction, with the reason. */
const contracts: ReadonlyMap<string, string> = new Map([
  ['launch/command.ts', 'what the readers make and launch/ reads'],
  ['frameworks/framework.ts', 'the vocabulary of a run'],
  ['linter.ts', 'the report of a file'],
]);

/** Where the machine (files, processes, network) may be accessed. */
const impure: ReadonlySet<string> = new Set(['disk', 'cli', 'lsp', 'start']);

/**
 * Modules that checking a file without configuration does not need, but that every start would load if the command line imported them at once.
 */
const loadedLate: ReadonlySet<string> = new Set([
  'zod',
  'diff',
  'vscode-languageserver',
  'node:child_process',
  'node:worker_threads',
  'node:crypto',
]);

/** Folders of frameworks/ that other frameworks build on, and those that may: Relax descends from slime, the others train with Megatron-LM. */
const foundations: ReadonlyMap<string, readonly string[]> = new Map([
  ['megatron-lm', ['megatron-bridge', 'skyrl', 'slime', 'relax']],
  ['slime', ['relax']],
  ['skyrl', ['skyrl-train']],
  ['skyrl-train', ['skyrl']],
]);

/** A folder whose modules may import each other in cycles: running a statement expands words, and words contain statements. */
const circular = 'bash';

/** An import as written. */
interface Import {
  readonly target: string;
  readonly isType: boolean;
  /** Whether it is loaded only on demand. */
  readonly isLate: boolean;
}

/** A module of server/src, by its path there with slashes. */
interface Module {
  readonly file: string;
  readonly imports: readonly Import[];
}

const root = resolve('server/src');

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

function moduleAt(path: string): Module {
  const written =
    /^\s*(?:import|export)\s+(?:(type)\s+)?(?:[^'";]*?from\s+)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm;
  return {
    file: relative(root, path).replaceAll(sep, '/'),
    imports: [...readFileSync(path, 'utf8').matchAll(written)].map(([, type, target, late]) => ({
      target: target ?? late ?? '',
      isType: type !== undefined,
      isLate: late !== undefined,
    })),
  };
}

/** The path of an imported module in the form of `Module.file`; undefined for packages. */
function fileOf({ file }: Module, { target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  return relative(root, resolve(root, dirname(file), target)).replaceAll(sep, '/');
}

/** The row of a file of server/src, or undefined if its folder is not listed. */
function rowOf(file: string): number | undefined {
  const [top = file] = file.split('/');
  const row = rows.findIndex((names) => names.includes(top));
  return row === -1 ? undefined : row;
}

/** Imports from a higher row, or of machine access outside the front ends and disk/. */
function wrongDirections(module: Module): string[] {
  const { file, imports } = module;
  const row = rowOf(file);
  if (row === undefined) return [`${file}: its folder is not in the plan of tools/checkArchitecture.ts`];
  return imports.flatMap((each) => {
    if (each.target.startsWith('node:'))
      return impure.has(file.split('/')[0] ?? '')
        ? []
        : [`${file}: imports ${each.target}; only disk/ and the faces may`];
    const to = fileOf(module, each);
    const isAbove = to !== undefined && (rowOf(to) ?? row) > row;
    return isAbove && !(each.isType && contracts.has(to))
      ? [`${file}: imports ${to}, which stands above it`]
      : [];
  });
}

/**
 * Violations of framework boundaries: a framework is its folder and its data; only the registry imports the folder, and only the folder reads
 * the data.
 */
function strangersInFrameworks(module: Module): string[] {
  const { file, imports } = module;
  const own = /^frameworks\/([^/]+)\//.exec(file)?.[1];
  return imports.flatMap((each) => {
    const to = fileOf(module, each) ?? '';
    const [, kind, id] = /^(?:\.\.\/\.\.\/(schemas)|frameworks)\/([^/]+)\//.exec(to) ?? [];
    const framework = frameworkIds.find((one) => one === id);
    if (framework === undefined || framework === own) return [];
    if (kind !== undefined) return [`${file}: reads ${to}, which only frameworks/${framework}/ may`];
    if (file === 'frameworks/registry.ts' || foundations.get(framework)?.includes(own ?? '') === true)
      return [];
    return [`${file}: imports ${to}, which is for the registry and frameworks that build on ${framework}`];
  });
}

/** Import cycles. */
function circles(modules: readonly Module[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (module: Module, way: readonly string[]): void => {
    const { file } = module;
    const begin = way.indexOf(file);
    if (begin !== -1) found.push(`${[...way.slice(begin), file].join(' > ')}: a circle of imports`);
    if (begin !== -1 || done.has(file)) return;
    for (const each of module.imports) {
      const next = each.isType || each.isLate ? undefined : byFile.get(fileOf(module, each) ?? '');
      if (next !== undefined) follow(next, [...way, file]);
    }
    done.add(file);
  };
  for (const module of modules) if (!module.file.startsWith(`${circular}/`)) follow(module, []);
  return found.filter((circle) => !circle.startsWith(`${circular}/`));
}

/** The import chains by which the command line would immediately load modules that it should load late. */
function earlyLoads(modules: readonly Module[], start: string): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const found: string[] = [];
  const seen = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const module = byFile.get(file);
    if (module === undefined || seen.has(file)) return;
    seen.add(file);
    const here = [...way, file];
    for (const each of module.imports) {
      if (each.isType || each.isLate) continue;
      const { target } = each;
      const name = target.startsWith('node:') ? target : (target.split('/')[0] ?? target);
      if (loadedLate.has(name))
        found.push(`${here.join(' > ')}: imports ${target}, which is to be loaded late`);
      else follow(fileOf(module, each) ?? '', here);
    }
  };
  follow(start, []);
  return found;
}

const modules = [...sourceFiles(root)].map(moduleAt);
const problems = [
  ...earlyLoads(modules, 'start/bundle.ts'),
  ...modules.flatMap(wrongDirections),
  ...modules.flatMap(strangersInFrameworks),
  ...circles(modules),
];
for (const problem of problems) console.error(problem);
const imports = modules.reduce((sum, module) => sum + module.imports.length, 0);
console.log(`${imports} imports checked, ${problems.length} not as planned`);
if (problems.length > 0) process.exitCode = 1;
