import { parentPort, workerData } from 'node:worker_threads';
import { installedKnowledge } from '../../disk/knowledge.ts';
import { readTextFile } from '../../disk/readText.ts';
import { hostOf } from '../inputs.ts';
import { openProject, type Project } from '../project.ts';
import { withoutWorkings } from '../withoutWorkings.ts';
import type { Answer, Errand, Linted } from './errand.ts';
import { takenFrom } from './shares.ts';

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
  const notes = noting ? (await import('../../disk/answers.ts')).notingHost(disk) : undefined;
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
