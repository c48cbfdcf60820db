import type { ScriptRun } from '../state/scriptRun.ts';

/** Whether the script removed or replaced a folder above a path, so that what the workspace has there no longer counts. */
export function isReplaced({ written }: ScriptRun, path: string): boolean {
  if (written.size === 0) return false;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const made = written.get(path.slice(0, at));
    if (made === 'unsure' || made === 'unlisted') return true;
  }
  return false;
}

/** Whether the script removed or replaced a folder or one above it. */
export function isContentReplaced(run: ScriptRun, folder: string): boolean {
  return isReplaced(run, `${folder}/`);
}
