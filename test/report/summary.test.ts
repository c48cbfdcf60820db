import { expect, test } from 'vitest';
import { emptyReport } from '../../server/src/linter.ts';
import { summarise } from '../../server/src/report/summary.ts';
import { exampleReports } from '../support/exampleReports.ts';

test('a file without our frameworks counts as looked at, not as recognised', () => {
  const [report] = exampleReports().reports;
  if (report === undefined) throw new Error('no report');
  const { files, recognised } = summarise([report, emptyReport('/repository/build.sh', 'make\n')]);
  expect({ files, recognised }).toEqual({ files: 2, recognised: 1 });
});
