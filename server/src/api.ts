import type * as contract from '../api.d.ts';
import { allRules } from './cli/allRules.ts';
import { hostOf, type Input, namedFile, readInputs, shortPath } from './cli/inputs.ts';
import { openProject, type Project } from './cli/project.ts';
import { type InstalledKnowledge, installedKnowledge, knowledgeFolder } from './disk/knowledge.ts';
import { fromDisk, spelledOnDisk } from './disk/native.ts';
import { distinctFindings } from './report/distinct.ts';
import { checkJson, type JsonReportOptions } from './report/json.ts';
import { resolveJson } from './report/resolve.ts';
import { documentationUrl } from './report/url.ts';
import { noProfile } from './value/machine.ts';
import { version } from './version.ts';

interface Opened {
  readonly inputs: readonly Input[];
  readonly problems: readonly string[];
  readonly project: Project;
  readonly lint: (input: Input) => ReturnType<ReturnType<Project['makeLinter']>['lint']>;
  readonly json: JsonReportOptions;
}

let installed: InstalledKnowledge | undefined;

/**
 * The knowledge shared by all calls: it never changes while a program runs, and reading and compiling it takes longer than linting most texts.
 */
function knowledgeOfAllCalls(): InstalledKnowledge {
  installed ??= installedKnowledge(knowledgeFolder());
  return installed;
}

async function open(
  what: readonly (string | contract.Text)[],
  { cwd: folder = process.cwd(), useConfig = true }: contract.Options,
  anyProgram = false,
): Promise<Opened> {
  const cwd = spelledOnDisk()(fromDisk(folder));
  const paths = what.filter((item) => typeof item === 'string');
  const texts = what.filter((item) => typeof item !== 'string');
  const read =
    paths.length === 0 ? { inputs: [], unread: [], problems: [] } : readInputs(paths, cwd, undefined);
  const given = texts.map(({ path, text }) => ({ path: namedFile(cwd, path), text }));
  const inputs = [...read.inputs, ...given];
  const host = hostOf(inputs, cwd);
  const { unread } = read;
  const project = await openProject({
    inputs,
    unread,
    host,
    cwd,
    machine: noProfile,
    knowledge: knowledgeOfAllCalls(),
    useConfig,
    launchesOnly: !anyProgram,
    anyProgram,
  });
  const linter = project.makeLinter(host);
  return {
    inputs,
    problems: read.problems,
    project,
    lint: ({ path, text }) => linter.lint(path, text),
    json: { read: (path) => host.read(path), shorten: (path) => shortPath(cwd, path) },
  };
}

/** Lints files, folders, glob patterns or texts (see api.d.ts). */
export const lint: typeof contract.lint = async (what, options = {}) => {
  // JavaScript callers may pass anything, most likely a single path.
  if (!Array.isArray(what)) throw new TypeError('lint takes a list of paths and texts, as in lint([path])');
  const opened = await open(what, options);
  const reports = distinctFindings(opened.inputs.map(opened.lint));
  const problems = [...opened.problems, ...opened.project.problems()];
  return { ...checkJson(reports, opened.json), problems };
};

/** The commands that a file or text would start (see api.d.ts). */
export const resolve: typeof contract.resolve = async (what, options = {}) => {
  const opened = await open([what], options, true);
  const [input] = opened.inputs;
  if (input === undefined)
    throw new Error([...opened.problems, ...opened.project.problems()].join('\n') || 'there is no such file');
  return resolveJson(opened.lint(input), { ...opened.json, knowledgeOf: knowledgeOfAllCalls().knowledgeOf });
};

/** The rules with a name (see api.d.ts). */
export const explain: typeof contract.explain = (name) =>
  allRules(knowledgeFolder())
    .filter(({ id }) => id === name || id.endsWith(`/${name}`))
    .map((rule) => ({ ...rule, url: documentationUrl(rule.id) }));

export { version };
