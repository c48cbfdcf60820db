import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

function lint(text: string) {
  return lintFile('/repository/run.sh', text).findings.filter(
    ({ rule }) => rule === 'address-of-no-dashboard',
  );
}

const job = (address: string): string =>
  `ray job submit --address="${address}" -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8\n`;

describe('address-of-no-dashboard', () => {
  it.each([
    [`ray start --head --num-gpus 8\n${job('http://127.0.0.1:8286')}`, 'takes jobs on port 8265'],
    [
      `export RAY_ADDRESS=127.0.0.1:8286\nray start --head --num-gpus 8\n${job('http://$RAY_ADDRESS')}`,
      'submitted to http://127.0.0.1:8286',
    ],
    [`ray start --head --dashboard-port=8266\n${job('http://localhost:8265')}`, 'takes jobs on port 8266'],
  ])('is reported for %s', (text, message) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.severity).toBe('warning');
    expect(finding?.message).toContain(message);
  });

  it.each([
    `ray start --head --num-gpus 8\n${job('http://127.0.0.1:8265')}`,
    `ray start --head --dashboard-port 8266\n${job('http://127.0.0.1:8266')}`,
    `ray start --head --dashboard-port $PORT\n${job('http://127.0.0.1:8266')}`,
    `ray start --head $RAY_ARGS\n${job('http://127.0.0.1:8266')}`,
    `ray start --head\n${job('http://head:8266')}`,
    `ray start --address=head:6379\n${job('http://127.0.0.1:8266')}`,
    job('http://127.0.0.1:8266'),
  ])('is not reported for %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
