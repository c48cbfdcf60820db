import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Answers } from '../disk/answers.ts';
import { installedKnowledge } from '../disk/knowledge.ts';
import { readTextFile } from '../disk/readText.ts';
import type { FileReport } from '../linter.ts';
import { isYamlName } from '../text/fileNames.ts';
import type { MachineProfile } from '../value/machine.ts';
import { limitedNewObjects } from './collecting.ts';
import { hostOf, type Input } from './inputs.ts';
import { openProject, type Project } from './project.ts';
import { type Shares, sharesOf, takenFrom } from './shares.ts';
import { withoutWorkings } from './withoutWorkings.ts';

/** Fewer files than this for each thread do not pay for starting one (measured: 80 files take the same time on one thread and on two). */
const filesPerThread = 40;

/** MiB in which a helping thread makes new objects: a quarter of what V8 takes, which is no faster and takes 25 MiB more. */
const youngGeneration = 12;

/** What a helping thread gets. */
interface Errand {
  readonly oomlint: 'lint';
  readonly paths: readonly string[];
  /** Indices of paths in the order in which they are handed out. */
  readonly order: readonly number[];
  readonly shares: Shares;
  readonly end: 'front' | 'back';
  readonly cwd: string;
  readonly named: readonly string[];
  readonly machine: MachineProfile;
  readonly knowledge: string;
  readonly useConfig: boolean;
  /** Whether it is noted what reports are made from. */
  readonly noting: boolean;
}

/** The report of a file, and what was asked of the workspace for it where that is noted. */
export interface Linted {
  readonly report: FileReport;
  readonly answers: Answers;
}

/** What a helping thread answers: reports by the index of their file, without the texts, which the asker has. */
type Answer = readonly (readonly [number, Linted])[];

/** Scripts before YAML: the two are read by different parts of the program. */
function orderOf(paths: readonly string[]): number[] {
  const isYaml = (index: number): number => (isYamlName(paths[index] ?? '') ? 1 : 0);
  return paths.map((_, index) => index).sort((a, b) => isYaml(a) - isYaml(b) || a - b);
}

/** Number of threads that pay for some files, this one included. */
export function threadsFor(files: number): number {
  return Math.max(1, Math.min(availableParallelism(), 4, Math.floor(files / filesPerThread)));
}

/**
 * Lints files on several threads: this one and helpers that run the same program. Which thread takes which file does not matter to the result.
 * @param lint lints on this thread
 */
export async function lintInParallel(
  inputs: readonly Input[],
  lint: (input: Input) => Linted,
  options: Omit<Errand, 'oomlint' | 'paths' | 'order' | 'shares' | 'end'>,
): Promise<Linted[]> {
  const { cwd, named, machine, knowledge, useConfig, noting } = options;
  const paths = inputs.map(({ path }) => path);
  const order = orderOf(paths);
  const shares = sharesOf(paths.length);
  const helpers = Array.from({ length: threadsFor(inputs.length) - 1 }, (_, at) =>
    startHelper({
      oomlint: 'lint',
      paths,
      order,
      shares,
      end: at % 2 === 0 ? 'back' : 'front',
      cwd,
      named,
      machine,
      knowledge,
      useConfig,
      noting,
    }),
  );
  const reports: (Linted | undefined)[] = new Array(inputs.length);
  const limitNewObjects = limitedNewObjects();
  for (const position of takenFrom('front', shares)) {
    limitNewObjects();
    const index = order[position] ?? 0;
    const input = inputs[index];
    if (input !== undefined) reports[index] = lint(input);
  }
  for (const answer of await Promise.all(helpers))
    for (const [index, { report, answers }] of answer)
      reports[index] = { report: { ...report, text: inputs[index]?.text ?? '' }, answers };
  // A file that a helper could not read as this thread did (it changed meanwhile), or whose helper died, is linted here.
  return inputs.map((input, index) => reports[index] ?? lint(input));
}

function startHelper(errand: Errand): Promise<Answer> {
  return new Promise((done) => {
    const worker = new Worker(join(errand.knowledge, '..', 'cli.js'), {
      workerData: errand,
      argv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
    });
    worker.once('message', (answer: Answer) => done(answer));
    worker.once('error', () => done([]));
    worker.once('exit', () => done([]));
  });
}

function isErrand(data: unknown): data is Errand {
  return typeof data === 'object' && data !== null && 'oomlint' in data && data.oomlint === 'lint';
}

/** Does the errand of a helping thread. */
export async function help(): Promise<void> {
  const errand: unknown = workerData;
  if (!isErrand(errand) || parentPort === null) return;
  const { paths, order, shares, end, cwd, named, machine, knowledge, useConfig, noting } = errand;
  const inputs = paths.map((path) => ({ path, text: '' }));
  const disk = hostOf([], cwd, [...named, ...paths]);
  const notes = noting ? (await import('../disk/answers.ts')).notingHost(disk) : undefined;
  const host = notes?.host ?? disk;
  const project: Project = await openProject({
    inputs,
    host,
    cwd,
    machine,
    knowledge: installedKnowledge(knowledge),
    useConfig,
    launchesOnly: true,
  });
  const linter = project.makeLinter(host);
  const answer: [number, Linted][] = [];
  for (const position of takenFrom(end, shares)) {
    const index = order[position] ?? 0;
    const path = paths[index];
    const file = path === undefined ? undefined : readTextFile(path);
    if (path === undefined || file === undefined || !('text' in file)) continue;
    // What the configuration is read from does not belong to the one file that needed it first: the asker notes it for all.
    project.settingsOf(path);
    notes?.taken();
    const report = withoutWorkings(linter.lint(path, file.text));
    // The asker tries such a file again and tells of the fault.
    if (!project.failed(path))
      answer.push([index, { report: { ...report, text: '' }, answers: notes?.taken() ?? [] }]);
  }
  parentPort.postMessage(answer satisfies Answer);
}
