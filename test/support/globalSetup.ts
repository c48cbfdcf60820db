import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Gives the test files of one run a folder for results that the first of them to need computes for all. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'oomlint-tests-'));
  process.env.OOMLINT_TESTS = folder;
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  project.onTestsRerun(clear);
  return clear;
}
