import data from '../../../../schemas/common/programs.json';
import type { Run } from '../../frameworks/framework.ts';
import type { Launch } from '../../launch/launch.ts';
import { chainOf, type Step } from '../../launch/wrappers/chain.ts';
import { submitter } from '../../launch/wrappers/rayJob.ts';
import { display, textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { isWritten, type Read } from './withoutWords.ts';

const { calls, settings, mounts } = data.sharedMemory;
const containers: ReadonlySet<string> = new Set(calls);
/** What comes before the place in the container: `HOST:PLACE`, `type=tmpfs,dst=PLACE`. */
const startsPlace = /:|\b(?:dst|destination|target)=/;

/** Containers with several GPUs that are left with the little shared memory that a container gets by default. */
export function sharedMemoryFindings(run: Run, common: CommonRules, read: Read): Finding[] {
  const { launch, framework } = run;
  if (launch === undefined || !launch.wrappers.some((name) => containers.has(name))) return [];
  const gpus = gpusInside(run, launch);
  if (gpus === undefined || gpus < 2) return [];
  return [launch.command, ...launch.command.via].flatMap(({ words }) =>
    chainOf(words).steps.flatMap((step) => {
      if (!containers.has(step.name) || hasSharedMemory(step)) return [];
      return commonFinding(
        common,
        'container-without-shared-memory',
        step.word.place,
        { call: step.name, gpus: String(gpus) },
        { certainty: 'likely', framework, fixes: withSharedMemory(step, words, read) },
      );
    }),
  );
}

/** The GPUs that processes in the container use, if the text says so; undefined if the container only submits the job to a cluster. */
function gpusInside({ worldSize }: Run, launch: Launch): number | undefined {
  if (launch.isWorldPresumed || launch.wrappers.includes(submitter)) return undefined;
  const { processesPerNode: each, nodes } = launch;
  if (each.kind === 'known' && typeof each.data === 'number' && each.data > 1) return each.data;
  const isOneNode = nodes.kind === 'known' && nodes.data === 1;
  return isOneNode && worldSize.kind === 'known' && typeof worldSize.data === 'number'
    ? worldSize.data
    : undefined;
}

function hasSharedMemory({ options, unread }: Step): boolean {
  return (
    unread.length > 0 ||
    options.some(
      ({ name, value }) =>
        settings.includes(name) || (mounts.includes(name) && value !== undefined && mayBeSharedMemory(value)),
    )
  );
}

/** Whether a mount is one of /dev/shm, or may be: the place in the container, or a part of it, is unknown. */
function mayBeSharedMemory(mount: Word): boolean {
  const isHole = ({ kind }: Word['pieces'][number]): boolean => kind === 'hole';
  const isPlaceUnknown = mount.pieces.some(
    (piece, at) =>
      isHole(piece) && startsPlace.test(display({ ...mount, pieces: mount.pieces.slice(0, at) })),
  );
  return isPlaceUnknown || mount.pieces.every(isHole) || display(mount).includes('/dev/shm');
}

/** A fix that gives the container the machine's shared memory, if the call is written there. */
function withSharedMemory(step: Step, words: readonly Word[], read: Read): readonly Fix[] {
  const verb = words.slice(words.indexOf(step.word)).find((word) => textOf(word) === 'run');
  if (verb === undefined || !isWritten(verb, read)) return [];
  const { path, span } = verb.place;
  const edit = { path, span: { start: span.end, end: span.end }, newText: ' --ipc=host' };
  return [suggestedFix('Add --ipc=host', [edit])];
}
