// Runs the browser build where it belongs: in the web worker extension host of a real workbench, with the language server in a
// worker of its own. The exit code is the result.
import { strict as assert } from 'node:assert';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './paths.mjs';
import { openWindow } from './ui/window.mjs';
import { installExtension, launchBrowser, startServer } from './workbench.mjs';

const start = Date.now();
const work = mkdtempSync(join(tmpdir(), 'oomlint-web-'));
const extensions = join(work, 'extensions');
const workspace = join(work, 'training');
cpSync(join(import.meta.dirname, 'workspace'), workspace, { recursive: true });
installExtension(extensions, join(work, 'data'));
const server = await startServer({
  extensions,
  settings: { 'remote.extensionKind': { 'oomlint.oomlint': ['web'] }, 'editor.minimap.enabled': false },
});
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
const pictures = join(build, 'screenshots', 'browser');
mkdirSync(pictures, { recursive: true });
let code = 1;
try {
  const { command, editor, line, until, settle } = await openWindow({
    page,
    server,
    workspace,
    file: 'scripts/pretrain.sh',
  });
  const script = 'scripts/pretrain.sh';
  await editor(script).locator('.squiggly-error').first().waitFor();
  const lens = editor(script).locator('.codelens-decoration a', { hasText: 'Megatron-LM' });
  await lens.waitFor();
  // The values come from the sourced file, which the client reads for the worker.
  await until('the values of the sourced file', async () =>
    /16 GPUs.*TP 4.*PP 2/.test((await lens.innerText()).replace(/\s+/g, ' ')),
  );
  await until('the value behind $PP', async () =>
    /\$PP.*2/.test((await line(script, '--pipeline-model-parallel-size').innerText()).replace(/\s+/g, ' ')),
  );
  const urls = page.workers().map((worker) => worker.url());
  console.log(`workers: ${urls.length}`);
  assert.ok(urls.length > 0);
  await settle();
  await page.screenshot({ path: join(pictures, 'editor.png') });
  await command('oomlint: Lint workspace');
  // The explorer shows the number of problems in a file that was never opened.
  await page.locator('.explorer-folders-view [aria-label*="gsm8k.yaml"][aria-label*="problem"]').waitFor();
  await page.screenshot({ path: join(pictures, 'workspace.png') });
  code = 0;
} catch (error) {
  console.error(error.stack ?? error);
  await page.screenshot({ path: join(pictures, 'failure.png') });
} finally {
  await browser.close();
  await server.close();
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`browser: ${code === 0 ? 'passed' : 'failed'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
process.exitCode = code;
