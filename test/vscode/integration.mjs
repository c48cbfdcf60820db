// Runs the tests of host/ inside the extension host of a real workbench, a window after the other. The exit code is the result.
//   node integration.mjs [WINDOW...]   windows as in windows.mjs; by default all
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { buildTests } from './hostTests.mjs';
import { root } from './paths.mjs';
import { windows } from './windows.mjs';
import { launchBrowser, startServer } from './workbench.mjs';

/** Longest run of a window in milliseconds. */
const limit = 900_000;

/** Opens the window and waits until the tests in it have ended. @returns their exit code and what the workbench logged */
async function runTests(page, server, opened, tests) {
  const logs = [];
  const done = new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new Error(`the tests did not end\n${logs.slice(-40).join('\n')}\n${server.output().slice(-3000)}`),
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
  await page.goto(server.url({ ...opened, payload }));
  return { code: await done, logs };
}

/** Runs the tests of one kind of window. @returns whether all passed */
async function runWindow(kind) {
  const start = Date.now();
  const { prepare, isTrusted } = windows[kind];
  const tests = await buildTests(kind);
  const work = mkdtempSync(join(tmpdir(), 'oomlint-ws-'));
  const results = join(work, 'results.json');
  const server = await startServer({ env: { OOMLINT_TEST_RESULT: results }, isTrusted });
  const browser = await launchBrowser();
  let isGood = false;
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const { code, logs } = await runTests(page, server, prepare(work), tests);
    for (const line of logs) if (/activation: /.test(line)) console.log(line.slice(0, 200));
    let ran = [];
    try {
      ran = JSON.parse(readFileSync(results, 'utf8'));
    } catch {
      console.error(logs.slice(-30).join('\n'));
    }
    for (const { title, state, milliseconds, error } of ran)
      console.log(`${state}  ${title} (${milliseconds} ms)${error === undefined ? '' : `\n${error}`}`);
    isGood = code === 0 && ran.length > 0 && ran.every(({ state }) => state !== 'failed');
  } finally {
    await browser.close();
    await server.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(
    `integration, ${kind}: ${isGood ? 'passed' : 'failed'} in ${((Date.now() - start) / 1000).toFixed(1)} s`,
  );
  return isGood;
}

const wanted = process.argv.slice(2);
for (const kind of wanted.length === 0 ? Object.keys(windows) : wanted)
  if (!(await runWindow(kind))) process.exitCode = 1;
