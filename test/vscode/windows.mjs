// The windows in which the tests of host/ run: one per folder of host/, with what the window shows.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function copyWorkspace(to) {
  cpSync(join(import.meta.dirname, 'workspace'), to, { recursive: true });
  return to;
}

function write(path, text) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

/** One folder. */
function oneFolder(work) {
  return { folder: copyWorkspace(join(work, 'workspace')) };
}

/** Two folders with settings and configurations of their own. */
function twoFolders(work) {
  const quiet = copyWorkspace(join(work, 'quiet'));
  write(join(quiet, '.oomlint.yaml'), 'rules:\n  megatron-lm/positions-cover-sequence: off\n');
  const whole = copyWorkspace(join(work, 'whole'));
  write(
    join(whole, '.vscode', 'settings.json'),
    JSON.stringify({ 'oomlint.diagnosticMode': 'workspace', 'oomlint.codeLens.enable': false }),
  );
  const file = join(work, 'team.code-workspace');
  write(file, JSON.stringify({ folders: [{ path: 'quiet' }, { path: 'whole' }] }));
  return { workspaceFile: file };
}

/** Windows by the folder of host/ whose tests run in them: `prepare` lays out their files below a folder. */
export const windows = {
  folder: { prepare: oneFolder, isTrusted: true },
  folders: { prepare: twoFolders, isTrusted: true },
  restricted: { prepare: oneFolder, isTrusted: false },
};
