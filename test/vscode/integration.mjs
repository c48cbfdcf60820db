// Runs the tests of host/ inside the extension host of a real workbench. The exit code is the result.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { buildTests } from './hostTests.mjs';
import { root } from './paths.mjs';
import { launchBrowser, startServer } from './workbench.mjs';

/** Longest run in milliseconds. */
const limit = 180_000;

async function main() {
  const start = Date.now();
  const tests = await buildTests();
  const work = mkdtempSync(join(tmpdir(), 'oomlint-ws-'));
  const workspace = join(work, 'workspace');
  cpSync(join(import.meta.dirname, 'workspace'), workspace, { recursive: true });
  const results = join(work, 'results.json');
  const server = await startServer({ env: { OOMLINT_TEST_RESULT: results } });
  const browser = await launchBrowser();
  let code = 1;
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const logs = [];
    const done = new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `the tests did not end\n${logs.slice(-40).join('\n')}\n${server.output().slice(-3000)}`,
            ),
          ),
        limit,
      );
      page.on('crash', () => reject(new Error('the page crashed')));
      void page.exposeFunction('codeAutomationLog', (type, values) =>
        logs.push(`[${type}] ${format(...values)}`),
      );
      void page.exposeFunction('codeAutomationExit', (exit) => {
        clearTimeout(timer);
        resolve(exit);
      });
    });
    const payload = [
      ['extensionDevelopmentPath', server.remote(root)],
      ['extensionTestsPath', server.remote(tests)],
      ['enableProposedApi', ''],
      ['skipWelcome', 'true'],
    ];
    await page.goto(server.url({ folder: workspace, payload }));
    code = await done;
    for (const line of logs) if (/activation: /.test(line)) console.log(line.slice(0, 200));
    let ran = [];
    try {
      ran = JSON.parse(readFileSync(results, 'utf8'));
    } catch {
      console.error(logs.slice(-30).join('\n'));
    }
    for (const { title, state, milliseconds, error } of ran)
      console.log(`${state}  ${title} (${milliseconds} ms)${error === undefined ? '' : `\n${error}`}`);
    if (ran.length === 0 || ran.some(({ state }) => state === 'failed')) code = code || 1;
  } finally {
    await browser.close();
    await server.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(
    `integration: ${code === 0 ? 'passed' : 'failed'} in ${((Date.now() - start) / 1000).toFixed(1)} s`,
  );
  process.exitCode = code;
}

await main();
