import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { markdownText } from '../../server/src/report/markdown.ts';

/** What a page shows for a Markdown text, if that is one paragraph without any markup. */
function shown(markdown: string): string | undefined {
  const [, inner] = /^<p>([^<]*)<\/p>\n$/.exec(marked.parse(markdown, { async: false })) ?? [];
  return inner
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('text in Markdown', () => {
  it.each([
    'Replace <path> by the folder of the checkpoint.',
    'scripts/*.sh and configs/*.yaml',
    'pkg.__init__.main and _private_',
    '${ARGS[@]}(x) &lt; `date` ~~a~~ \\* [a](b)',
    '- one',
    '1. one',
    '# one',
    '---',
  ])('shows %s literally', (text) => {
    expect(shown(text)).not.toBe(text);
    expect(shown(markdownText(text))).toBe(text);
  });

  it.each(['47 layers, 2 stages: --num-layers ${N} / $PP = 3.', '8192 × 4 > 5 - x, a_b_c, ~/run'])(
    'needs no escaping for %s',
    (text) => {
      expect(markdownText(text)).toBe(text);
    },
  );

  it('shows every line literally', () => {
    const words = fc.stringMatching(/^[ab1 _*~`<>[\]()!#+\-=|:.&;\\"']{1,24}$/).map((text) => text.trim());
    fc.assert(
      fc.property(
        words.filter((text) => text !== '' && !/ {2}/.test(text)),
        (text) => {
          expect(shown(markdownText(text))).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
