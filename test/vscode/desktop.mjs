// Runs the tests of host/ in a desktop VS Code, which is downloaded if it is missing: `node test/vscode/desktop.mjs` after a build.
// VSCODE_EXECUTABLE names another one, OOMLINT_VSCODE another version.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTests } from './hostTests.mjs';
import { build, harness, root } from './paths.mjs';
import { windows } from './windows.mjs';

const { runTests } = createRequire(join(harness, 'package.json'))('@vscode/test-electron');
const executable = process.env.VSCODE_EXECUTABLE;
const version = process.env.OOMLINT_VSCODE;

for (const [kind, { prepare, isTrusted }] of Object.entries(windows)) {
  const work = mkdtempSync(join(tmpdir(), 'oomlint-ws-'));
  try {
    const { folder, workspaceFile } = prepare(work);
    await runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: await buildTests(kind),
      cachePath: join(build, 'desktop'),
      launchArgs: [
        workspaceFile ?? folder,
        '--disable-extensions',
        `--user-data-dir=${join(work, 'user')}`,
        `--extensions-dir=${join(work, 'extensions')}`,
        ...(isTrusted ? ['--disable-workspace-trust'] : []),
      ],
      ...(executable === undefined ? {} : { vscodeExecutablePath: executable }),
      ...(version === undefined ? {} : { version }),
    });
  } catch (error) {
    console.error(`${kind}: ${String(error)}`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}
