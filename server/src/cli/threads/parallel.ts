import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isYamlName } from '../../text/fileNames.ts';
import { limitedNewObjects } from '../collecting.ts';
import type { Input } from '../inputs.ts';
import type { Answer, HelperTask, IndexedReport, Linted } from './messages.ts';
import { sharesOf, takenFrom } from './shares.ts';
import { threadsFor } from './threadCount.ts';

/** Size of a helper thread's young generation in MiB: a quarter of V8's default, which is no faster and takes 25 MiB more. */
const youngGeneration = 12;

/** Scripts before YAML: different parts of the program read them. */
function orderOf(paths: readonly string[]): number[] {
  const isYaml = (index: number): number => (isYamlName(paths[index] ?? '') ? 1 : 0);
  return paths.map((_, index) => index).sort((a, b) => isYaml(a) - isYaml(b) || a - b);
}

/**
 * Lints files on several threads: this one and helpers that run the same program. The result does not depend on which thread takes which file.
 * @param lint lints on this thread
 */
export async function lintInParallel(
  inputs: readonly Input[],
  lint: (input: Input) => Linted,
  options: Omit<HelperTask, 'oomlint' | 'paths' | 'order' | 'shares' | 'end'>,
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
  // Lints files here that a helper could not read as this thread did (they changed meanwhile), or whose helper died.
  return inputs.map((input, index) => reports[index] ?? lint(input));
}

/** Starts a helper thread. If it dies, the reports that it had already sent count. */
function startHelper(task: HelperTask): Promise<readonly IndexedReport[]> {
  return new Promise((done) => {
    const worker = new Worker(join(task.knowledge, '..', 'thread.js'), {
      workerData: task,
      argv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
    });
    const handedOver: IndexedReport[] = [];
    worker.on('message', ({ reports, isLast }: Answer) => {
      handedOver.push(...reports);
      if (isLast) done(handedOver);
    });
    worker.once('error', () => done(handedOver));
    worker.once('exit', () => done(handedOver));
  });
}
