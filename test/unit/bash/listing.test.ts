import { expect, test } from 'vitest';
import { lines } from './support.ts';

const files = {
  '/repo/scripts/conf/a.yaml': 'a',
  '/repo/scripts/conf/b.yaml': 'b',
  '/repo/scripts/conf/.hidden': '',
  '/repo/scripts/mixed/run-a.sh': '',
  '/repo/scripts/mixed/run_b.sh': '',
};

test.each([
  ['cd /repo/scripts; python $(ls conf) "$(ls -1 conf/ | wc -l)"', 'python a.yaml b.yaml 2'],
  [
    'cd /repo/scripts; python $(ls conf/*.yaml) $(ls -d conf) $(cd conf; ls)',
    'python conf/a.yaml conf/b.yaml conf a.yaml b.yaml',
  ],
  ['cd /repo/scripts; python $(ls nope) $(ls -t conf)', 'python <$(ls nope)*> <$(ls -t conf)*>'],
  // The order depends on the locale.
  ['cd /repo/scripts; python $(ls mixed)', 'python <$(ls mixed)*>'],
  // Including what the script has created.
  ['cd /repo/scripts; echo c > conf/c; python $(ls conf)', 'python a.yaml b.yaml c'],
  ['mkdir -p own/sub; touch own/a own/sub/b; python $(ls own) $(ls own/sub)', 'python a sub b'],
  [
    'cd /repo/scripts; mkdir -p conf; touch conf/c conf/.h; rm conf/c; python $(ls conf)',
    'python a.yaml b.yaml',
  ],
  // A file that was removed may be missing.
  ['cd /repo/scripts; rm conf/a.yaml; touch conf/c; python $(ls conf)', 'python <$(ls conf)*>'],
  ['cd /repo/scripts; prepare; python $(ls conf)', 'prepare\npython <$(ls conf)*>'],
])('%s', (text, words) => {
  expect(lines(text, { files }).join('\n')).toBe(words);
});
