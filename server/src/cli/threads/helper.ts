import { parentPort, workerData } from 'node:worker_threads';
import { installedKnowledge } from '../../disk/knowledge.ts';
import { readTextFile } from '../../disk/readText.ts';
import { hostOf } from '../inputs.ts';
import { openProject, type Project } from '../project.ts';
import { withoutEditorData } from '../withoutEditorData.ts';
import type { Answer, HelperTask, IndexedReport } from './messages.ts';
import { takenFrom } from './shares.ts';

/**
 * Reports per message: serialized for the main thread they take a fraction of the memory that they take here, and what several reports in a
 * message have in common is written once.
 */
const reportsPerMessage = 32;

function isHelperTask(data: unknown): data is HelperTask {
  return typeof data === 'object' && data !== null && 'oomlint' in data && data.oomlint === 'lint';
}

/** Does the work of a helper thread. */
export async function help(): Promise<void> {
  const task: unknown = workerData;
  if (!isHelperTask(task) || parentPort === null) return;
  const { paths, order, shares, end, cwd, named, machine, knowledge, useConfig, noting } = task;
  const inputs = paths.map((path) => ({ path, text: '' }));
  const disk = hostOf([], cwd, [...named, ...paths]);
  const notes = noting ? (await import('../../disk/answers.ts')).recordingHost(disk) : undefined;
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
  let reports: IndexedReport[] = [];
  for (const position of takenFrom(end, shares)) {
    const index = order[position] ?? 0;
    const path = paths[index];
    const file = path === undefined ? undefined : readTextFile(path);
    if (path === undefined || file === undefined || !('text' in file)) continue;
    // What the configuration is read from does not belong to the one file that needed it first: the main thread records it for all.
    project.settingsOf(path);
    notes?.taken();
    const report = withoutEditorData(linter.lint(path, file.text));
    // The main thread tries such a file again and reports the error.
    if (!project.failed(path))
      reports.push([index, { report: { ...report, text: '' }, answers: notes?.taken() ?? [] }]);
    if (reports.length === reportsPerMessage) {
      parentPort.postMessage({ reports, isLast: false } satisfies Answer);
      reports = [];
    }
  }
  parentPort.postMessage({ reports, isLast: true } satisfies Answer);
}
