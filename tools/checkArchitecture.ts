// Holds the direction of imports between the parts of server/src, from text to the faces, and what every start of the command line loads.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Folders and files of server/src from the bottom up; a thing may import what stands in its own row or in an earlier one. */
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

/** Type-only imports of contracts that point the other way, with the reason. */
const contracts: ReadonlyMap<string, string> = new Map([
  ['launch/command.ts', 'what the readers make and launch/ reads'],
  ['frameworks/framework.ts', 'the vocabulary of a run'],
  ['linter.ts', 'the report of a file'],
]);

/** Where programs of the machine (files, processes, network) may be used. */
const impure: ReadonlySet<string> = new Set(['disk', 'cli', 'lsp', 'start']);

/** What checking a file with no configuration does without, and what would be loaded at every start if the command line imported it at once. */
const loadedLate: ReadonlySet<string> = new Set([
  'zod',
  'diff',
  'vscode-languageserver',
  'node:child_process',
  'node:worker_threads',
  'node:crypto',
]);

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

/** The row of a file of server/src, or undefined when the plan does not know its folder. */
function rowOf(file: string): number | undefined {
  const top = file.split(sep)[0] ?? file;
  const row = rows.findIndex((names) => names.includes(top));
  return row === -1 ? undefined : row;
}

/** The modules that a file loads when it is loaded itself. */
function loadedBy(path: string): string[] {
  return [
    ...readFileSync(path, 'utf8').matchAll(
      /^\s*(?:import|export)\s+(?!type\s)(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gm,
    ),
  ].map((match) => match[1] ?? '');
}

/** The ways by which the command line would load at once what it loads late. */
function earlyLoads(start: string): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const follow = (path: string, way: readonly string[]): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const here = [...way, relative(root, path)];
    for (const target of loadedBy(path)) {
      const name = target.startsWith('node:') ? target : (target.split('/')[0] ?? target);
      if (loadedLate.has(name))
        found.push(`${here.join(' > ')}: imports ${target}, which is to be loaded late`);
      else if (target.startsWith('.') && target.endsWith('.ts')) follow(resolve(dirname(path), target), here);
    }
  };
  follow(start, []);
  return found;
}

const root = resolve('server/src');
const problems: string[] = earlyLoads(join(root, 'start', 'bundle.ts'));
let imports = 0;
for (const path of sourceFiles(root)) {
  const file = relative(root, path);
  const row = rowOf(file);
  if (row === undefined) {
    problems.push(`${file}: its folder is not in the plan of tools/checkArchitecture.ts`);
    continue;
  }
  const text = readFileSync(path, 'utf8');
  for (const match of text.matchAll(
    /^\s*(import|export)\s+(type\s+)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm,
  )) {
    const target = match[3] ?? match[4] ?? '';
    imports++;
    if (target.startsWith('node:') && !impure.has(file.split(sep)[0] ?? '')) {
      problems.push(`${file}: imports ${target}; only disk/ and the faces may`);
      continue;
    }
    if (!target.startsWith('.')) continue;
    const to = relative(root, resolve(dirname(path), target));
    if (to.startsWith('..')) continue;
    const toRow = rowOf(to);
    const typeOnly = match[2] !== undefined;
    if (toRow !== undefined && toRow > row && !(typeOnly && contracts.has(to.replaceAll(sep, '/'))))
      problems.push(`${file}: imports ${to}, which stands above it`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${imports} imports checked, ${problems.length} not as planned`);
if (problems.length > 0) process.exitCode = 1;
