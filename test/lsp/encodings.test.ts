import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Position, SemanticTokens } from 'vscode-languageserver/node';
import { syncedDocuments } from '../../server/src/lsp/files/documents.ts';
import { chosenEncoding, type PositionEncoding } from '../../server/src/lsp/protocol/columns.ts';
import { TextView } from '../../server/src/lsp/protocol/positions.ts';
import { thorough } from '../support/thorough.ts';
import { connected, type InProcess, pushCapabilities } from './client.ts';
import { boundary, offsetAt, positionAt, unitsOf } from './counting.ts';
import { folder, model, modelPath, start, started, uri } from './setup.ts';
import { megatronScript, refused } from './texts.ts';

const encodings = ['utf-16', 'utf-8', 'utf-32'] as const;

/**
 * Text of characters that count differently: one to four bytes, one or two code units, and several code points that look like one character.
 */
const wide = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      'é',
      'e\u0301',
      'ß',
      '模',
      '型',
      '🦙',
      '👩‍🔬',
      '\u{10ffff}',
      '\uffff',
      '\u07ff',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
/** The same, in lines. */
const lines = fc
  .array(fc.tuple(wide, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 6 })
  .chain((all) => wide.map((last) => all.map((one) => one.join('')).join('') + last));

describe('the encoding of positions', () => {
  test('is the first supported one in the client’s order, else UTF-16', () => {
    expect(chosenEncoding(undefined)).toBe('utf-16');
    expect(chosenEncoding([])).toBe('utf-16');
    expect(chosenEncoding(['utf-16', 'utf-8'])).toBe('utf-16');
    expect(chosenEncoding(['utf-8', 'utf-16', 'utf-32'])).toBe('utf-8');
    expect(chosenEncoding(['utf-7', 'toString', 'utf-32', 'utf-8'])).toBe('utf-32');
  });

  test('is announced with the capabilities', async () => {
    for (const encoding of encodings) {
      const { client } = start();
      expect(await client.initialize([folder], counting(encoding))).toMatchObject({
        capabilities: { positionEncoding: encoding },
      });
    }
  });

  test('every offset in a text has a position in each, and every position an offset', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(...encodings), (text, encoding) => {
        const view = new TextView(text, encoding);
        for (let offset = 0; offset <= text.length; offset++) {
          if (boundary(text, offset) !== offset) continue;
          const position = positionAt(text, offset, encoding);
          expect(view.position(offset)).toEqual(position);
          expect(view.offset(position)).toBe(offset);
        }
      }),
      { numRuns: thorough ? 5000 : 500 },
    );
  });

  test('a position within a character is its start, one beyond the line is its end', () => {
    const text = '模🦙é\nb';
    const inBytes = new TextView(text, 'utf-8');
    const offsets = Array.from({ length: 12 }, (_, character) => inBytes.offset({ line: 0, character }));
    expect(offsets).toEqual([0, 0, 0, 1, 1, 1, 1, 3, 3, 4, 4, 4]);
    expect(inBytes.offset({ line: 0, character: 2 ** 31 - 1 })).toBe(4);
    expect(inBytes.offset({ line: 7, character: 1 })).toBe(text.length);
    expect(inBytes.position(2)).toEqual({ line: 0, character: 3 });
    const inCharacters = new TextView(text, 'utf-32');
    expect(inCharacters.position(2)).toEqual({ line: 0, character: 1 });
    expect([0, 1, 2, 3, 4].map((character) => inCharacters.offset({ line: 0, character }))).toEqual([
      0, 1, 3, 4, 4,
    ]);
  });

  test('what is shown at one position covers a whole character', () => {
    for (const encoding of encodings) {
      const { end } = new TextView('🦙', encoding).visibleRange({ start: 0, end: 0 });
      expect(end).toEqual({ line: 0, character: unitsOf('🦙', encoding) });
    }
  });
});

function counting(encoding: PositionEncoding): object {
  const { codeAction: _, ...textDocument } = pushCapabilities.textDocument;
  return { ...pushCapabilities, textDocument, general: { positionEncodings: [encoding, 'utf-16'] } };
}

describe('edits', () => {
  for (const encoding of encodings)
    test(`in ${encoding} give the same document as in the editor`, async () => {
      const { server, client } = connected();
      const documents = syncedDocuments(() => encoding);
      documents.listen(server);
      server.onRequest('text', () => documents.get(uri)?.getText() ?? '');
      server.listen();
      client.listen();
      const place = fc.double({ min: 0, max: 1, noNaN: true });
      const change = fc.record({ from: place, to: place, text: lines });
      let version = 0;
      await fc.assert(
        fc.asyncProperty(
          lines,
          fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
          async (start, messages) => {
            const textDocument = { uri, languageId: 'shellscript', version: ++version, text: start };
            await client.sendNotification('textDocument/didOpen', { textDocument });
            let text = start;
            for (const changes of messages) {
              const contentChanges = changes.map(({ from, to, text: by }) => {
                const at = [from, to].map((share) => boundary(text, Math.floor(share * text.length)));
                const [first, last] = [Math.min(...at), Math.max(...at)];
                const range = {
                  start: positionAt(text, first, encoding),
                  end: positionAt(text, last, encoding),
                };
                text = text.slice(0, first) + by + text.slice(last);
                return { range, text: by };
              });
              await client.sendNotification('textDocument/didChange', {
                textDocument: { uri, version: ++version },
                contentChanges,
              });
              expect(await client.sendRequest('text')).toBe(text);
            }
          },
        ),
        { numRuns: thorough ? 1000 : 100 },
      );
      client.dispose();
    });
});

/** A launch with wide characters before and within its findings, and the file that it sources. */
interface Texts {
  readonly script: string;
  readonly sourced: string;
}

const texts: fc.Arbitrary<Texts> = fc.tuple(wide, wide, wide).map(([first, second, third]) => ({
  script: `#!/bin/bash
source "$(dirname "$0")/models/model.sh" # ${first}
NOTE="${first}"; NAME="${second}" TP=2
export CUDA_DEVICE_MAX_CONNECTIONS=1 LOGS="${third}" PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
: "${second}"; torchrun --nproc_per_node 8 pretrain_gpt.py "\${MODEL_ARGS[@]}" --tensorboard-dir "${third}" --tensor-model-parallel-size $TP \\
  --wandb-exp-name "${first}" --use-rotary-position-embeddings --seed "$SEED" --no-such-flag "${second}" --data-path "\${NOTE:-${second}}" \\
  --micro-batch-size 1 --global-batch-size 32 --bf16 --lr 1e-4 --train-iters 10 --eval-interval 1000 --mock-data --tokenizer-type NullTokenizer --vocab-size 1000${refused}
`,
  sourced: `MODEL_ARGS=( # ${third}
  --tensorboard-log-interval 1 --wandb-project "${first}" --num-layers 8 --hidden-size 512 --num-attention-heads 7
  --wandb-entity "${second}" --seq-length 1024 --max-position-embeddings 512
)
`,
}));

/** Parts of the script that the server has something to say about, after wide characters on their line. */
const parts = ['$TP', 'expandable_segments', '--wandb-exp-name', '--seed', '${NOTE'];

function isPosition(value: object): value is Position {
  return 'line' in value && 'character' in value;
}

/** An answer with offsets instead of positions. @param about the document that its positions refer to, unless it names another */
function inOffsets(
  answer: unknown,
  about: string,
  textOf: (uri: string) => string,
  encoding: PositionEncoding,
): unknown {
  if (Array.isArray(answer)) return answer.map((one) => inOffsets(one, about, textOf, encoding));
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isPosition(answer)) return offsetAt(textOf(about), answer, encoding);
  const named =
    'textDocument' in answer && typeof answer.textDocument === 'object' ? answer.textDocument : answer;
  const there = named !== null && 'uri' in named && typeof named.uri === 'string' ? named.uri : about;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [key, inOffsets(value, there, textOf, encoding)]),
  );
}

/** Semantic tokens as their offsets, texts and meanings. */
function tokensIn(text: string, { data }: SemanticTokens, encoding: PositionEncoding): unknown[] {
  const tokens: unknown[] = [];
  let at = { line: 0, character: 0 };
  for (let index = 0; index < data.length; index += 5) {
    const [down = 0, right = 0, length = 0, ...meaning] = data.slice(index, index + 5);
    at = { line: at.line + down, character: (down === 0 ? at.character : 0) + right };
    const start = offsetAt(text, at, encoding);
    const end = offsetAt(text, { ...at, character: at.character + length }, encoding);
    tokens.push([start, text.slice(start, end), ...meaning]);
  }
  return tokens;
}

/** Everything that a server says about the texts, with offsets instead of positions. */
async function everythingSaid(
  { client, files }: InProcess,
  encoding: PositionEncoding,
  { script, sourced }: Texts,
  places: readonly number[],
): Promise<unknown> {
  const textOf = (one: string): string => (one === model ? sourced : script);
  files[modelPath] = sourced;
  await client.changedOnDisk(model);
  const published = await client.diagnostics(uri, client.change(uri, script));
  const said: unknown[] = [inOffsets(published, uri, textOf, encoding)];
  await client.until(() => client.shown(model).length > 0, 'what is found in the sourced file');
  said.push(inOffsets(client.shown(model), model, textOf, encoding));
  const ask = async (method: string, more: object = {}): Promise<void> => {
    said.push(
      method,
      inOffsets(await client.request(`textDocument/${method}`, uri, more), uri, textOf, encoding),
    );
  };
  const whole = {
    start: { line: 0, character: 0 },
    end: positionAt(script, script.length, encoding),
  };
  for (const method of ['codeLens', 'documentSymbol', 'documentLink']) await ask(method);
  await ask('inlayHint', { range: whole });
  const chosen = places.map((share) => boundary(script, Math.floor(share * script.length)));
  for (const place of [...chosen, ...parts.map((part) => script.indexOf(part) + 2)]) {
    const position = positionAt(script, place, encoding);
    await ask('inlayHint', { range: { start: position, end: position } });
    for (const method of ['hover', 'completion', 'definition', 'references', 'signatureHelp'])
      await ask(method, { position, context: { includeDeclaration: true } });
  }
  const tokens: SemanticTokens = await client.request('textDocument/semanticTokens/full', uri);
  said.push(tokensIn(script, tokens, encoding));
  // Which lint an edit belongs to differs from server to server.
  const actions: { data?: unknown }[] = await client.request('textDocument/codeAction', uri, {
    range: whole,
    context: { diagnostics: [], only: [''] },
  });
  said.push(actions.map(({ data: _, ...action }) => inOffsets(action, uri, textOf, encoding)));
  return said;
}

test('positions of many findings on one long line of wide characters are counted in one pass', async () => {
  const { client } = await started(counting('utf-8'));
  const flags = Array.from({ length: 1500 }, (_, at) => ` --seed "${'模型🦙'.repeat(5)}${at}."`);
  const text = megatronScript(flags.join(''));
  await client.open(uri, text);
  const invalid = (await client.diagnostics(uri, 1)).filter(({ code }) => code === 'invalid-value');
  expect(invalid).toHaveLength(1500);
  const last = invalid.find(({ message }) => message.toString().includes('🦙1499.'));
  expect(last && offsetAt(text, last.range.end, 'utf-8')).toBe(text.indexOf('1499.') + '1499.'.length);
});

test('answers denote the same characters in all encodings', { timeout: 300_000 }, async () => {
  const servers = await Promise.all(
    encodings.map(async (encoding) => {
      const server = await started(counting(encoding));
      await server.client.open(uri, '');
      return { encoding, server };
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      async (written, places) => {
        const [first, ...others] = await Promise.all(
          servers.map(({ encoding, server }) => everythingSaid(server, encoding, written, places)),
        );
        for (const other of others) expect(other).toEqual(first);
      },
    ),
    { numRuns: thorough ? 300 : 12 },
  );
});
