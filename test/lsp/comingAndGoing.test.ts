import { describe, expect, test } from 'vitest';
import { askedCapabilities } from './client.ts';
import { codes, folder, model, modelPath, start, started, uri } from './setup.ts';
import { mainScript, megatronScript, modelFile } from './texts.ts';

const fault = 'megatron-lm/heads-divide-hidden-size';
const flag = `${folder}/flag.sh`;
/** A script that asks whether a file is there, and never reads it. */
const asking = megatronScript()
  .replace('--num-attention-heads 8', '--num-attention-heads $HEADS')
  .replace(
    'TP=2\n',
    `TP=2
HEADS=8
if [ -f flag.sh ]; then HEADS=7; fi
`,
  );

describe('a file that scripts ask for', () => {
  test('and do not read is gone for them when the editor closes it unsaved', async () => {
    const { client } = await started();
    await client.open(uri, asking);
    expect(codes(await client.diagnostics(uri, 1))).not.toContain(fault);
    await client.open(flag, 'X=1\n');
    await client.until(() => codes(client.shown(uri)).includes(fault), 'the file to count');
    await client.close(flag);
    await client.until(() => !codes(client.shown(uri)).includes(fault), 'the file to count no more');
  });

  test.each([['on disk'], ['in the editor']])(
    'comes and goes %s for scripts that are not open',
    async (where) => {
      const { client, files } = start({ '/repository/run.sh': mainScript, '/repository/asking.sh': asking });
      client.settings = { '*': { diagnosticMode: 'workspace' } };
      await client.initialize([folder], askedCapabilities);
      const shows = (script: string, rule: string, isShown = true): Promise<unknown> =>
        client.until(
          () => codes(client.shown(script)).includes(rule) === isShown,
          `${rule} ${isShown ? 'in' : 'to go from'} ${script}`,
        );
      const come = async (file: string, path: string, text: string): Promise<void> => {
        files[path] = text;
        await client.changedOnDisk(file, 'created');
      };
      const go = async (file: string, path: string): Promise<void> => {
        delete files[path];
        await client.changedOnDisk(file, 'deleted');
      };
      const isOnDisk = where === 'on disk';
      await shows(uri, 'missing-source');
      await (isOnDisk ? come(model, modelPath, modelFile('7')) : client.open(model, modelFile('7')));
      await shows(uri, fault);
      await shows(uri, 'missing-source', false);
      await (isOnDisk ? go(model, modelPath) : client.close(model));
      await shows(uri, 'missing-source');
      const asks = `${folder}/asking.sh`;
      await (isOnDisk ? come(flag, '/repository/flag.sh', 'X=1\n') : client.open(flag, 'X=1\n'));
      await shows(asks, fault);
      await (isOnDisk ? go(flag, '/repository/flag.sh') : client.close(flag));
      await shows(asks, fault, false);
    },
  );
});
