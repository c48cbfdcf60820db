import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const report = z.object({ files: z.array(z.looseObject({ findings: z.array(z.looseObject({})) })) });
type Files = z.infer<typeof report>['files'];

describe('a run over hundreds of files', () => {
  it('finds the same on several threads as on one, whichever thread takes which file', () => {
    const names = Array.from({ length: 240 }, (_, at) => `run-${String(at).padStart(3, '0')}.sh`);
    const launch = (at: number): string =>
      `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers ${at + 8} --pipeline-model-parallel-size ${2 + (at % 3)}\n`;
    const made = workspace(Object.fromEntries(names.map((name, at) => [name, launch(at)])));
    const linted = (...paths: string[]): Files =>
      report.parse(JSON.parse(made.run(['check', ...paths, '--no-cache', '--format', 'json']).out)).files;
    const together = linted('.');
    // Few enough for a single thread.
    const inParts = [0, 40, 80, 120, 160, 200].flatMap((from) => linted(...names.slice(from, from + 40)));
    expect(together).toEqual(inParts);
    expect(together.filter(({ findings }) => findings.length > 0).length).toBeGreaterThan(100);
  });
});
