// Everything that needs a real VS Code: installs what is missing, packages what is built, and runs the tests in the extension host,
// those of the browser build, and the user's own way through the workbench. `npm run test:vscode` builds first.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const steps = ['install.mjs', 'package.mjs', 'integration.mjs', 'browser.mjs', 'ui.mjs'];

for (const step of steps) {
  const start = Date.now();
  const done = spawnSync(process.execPath, [join(import.meta.dirname, step)], { stdio: 'inherit' });
  if (done.status !== 0) {
    console.error(`${step} failed`);
    process.exit(1);
  }
  console.log(`${step}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
