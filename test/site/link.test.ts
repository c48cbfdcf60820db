import { describe, expect, it } from 'vitest';
import { exampleLink, linked, textLink } from '../../site/link.ts';

describe('the address of the playground', () => {
  it('encodes a text or an example, whatever it contains', async () => {
    for (const text of ['', 'torchrun train.py --lr 1e-4\n', 'a: "ä€😀"\n', 'x'.repeat(20_000)])
      expect(await linked(await textLink(text))).toEqual({ kind: 'text', text });
    for (const name of ['run.sh', 'two words/100 %.yaml'])
      expect(await linked(exampleLink(name))).toEqual({ kind: 'example', name });
  });

  it('encodes nothing when truncated or not one of our links', async () => {
    expect(await linked('')).toEqual({ kind: 'nothing' });
    expect(await linked('#findings')).toEqual({ kind: 'nothing' });
    const whole = await textLink('torchrun train.py --lr 1e-4 --bf16 --micro-batch-size 1\n');
    for (const hash of [whole.slice(0, -12), '#text=%%%', '#example=%E0%A4%A'])
      expect(await linked(hash)).toEqual({ kind: 'unreadable' });
  });
});
