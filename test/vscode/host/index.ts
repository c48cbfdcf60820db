import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/** The outcome of one test. */
interface Result {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly milliseconds: number;
  readonly error?: string;
}

/** Runs all tests inside the extension host; both the browser runner and a desktop VS Code call it. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', color: false, timeout: 120_000 });
  for (const name of readdirSync(__dirname).sort())
    if (name.endsWith('.test.cjs')) mocha.addFile(join(__dirname, name));
  const results: Result[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) =>
      results.push({ title: test.fullTitle(), state: 'passed', milliseconds: test.duration ?? 0 }),
    );
    runner.on('pending', (test) =>
      results.push({ title: test.fullTitle(), state: 'pending', milliseconds: 0 }),
    );
    runner.on('fail', (test, error) =>
      results.push({
        title: test.fullTitle(),
        state: 'failed',
        milliseconds: test.duration ?? 0,
        error: error.stack ?? error.message,
      }),
    );
  });
  const file = process.env.OOMLINT_TEST_RESULT;
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
  if (results.length === 0) throw new Error('no test ran');
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
