import { describe, expect, test } from 'vitest';
import { OtherFiles } from '../../server/src/lsp/files/otherFiles.ts';
import { askedCapabilities } from './client.ts';
import { codes, folder, model, modelPath, start, started, uri } from './setup.ts';
import { mainScript, megatronScript, modelFile } from './texts.ts';

const fault = 'megatron-lm/heads-divide-hidden-size';
const flag = `${folder}/flag.sh`;
/** A script that checks whether a file exists but never reads it. */
const asking = megatronScript()
  .replace('--num-attention-heads 8', '--num-attention-heads $HEADS')
  .replace(
    'TP=2\n',
    `TP=2
HEADS=8
if [ -f flag.sh ]; then HEADS=7; fi
`,
  );

describe('a file whose name does not show its type', () => {
  const sourcing = megatronScript()
    .replace('--num-attention-heads 8', '--num-attention-heads $HEADS')
    .replace('TP=2\n', 'TP=2\nsource "cluster[1].env"\nif [ -f train.log ]; then X=1; fi\n');
  const environment = '/repository/cluster[1].env';

  test('is watched if a script sources it, and for creation and deletion if one checks for it', async () => {
    const { client, files } = start({ [environment]: 'HEADS=8\n', '/repository/train.log': '' });
    await client.initialize([folder], askedCapabilities);
    await client.open(uri, sourcing);
    await client.until(() => client.watched.length > 4, 'watchers of these files');
    const { length } = client.watched;
    expect(client.watched.slice(4, 6)).toEqual([
      { globPattern: '**/cluster?1?.env', kind: 7 },
      { globPattern: '**/train.log', kind: 5 },
    ]);
    expect(codes(await client.diagnostics(uri, 1))).not.toContain(fault);
    files[environment] = 'HEADS=7\n';
    await client.changedOnDisk('file:///repository/cluster%5B1%5D.env');
    await client.until(() => codes(client.shown(uri)).includes(fault), 'the fault');
    expect(client.watched).toHaveLength(length);
  });

  test('is watched once, only within the folders, and up to a number of names', async () => {
    const watched: unknown[] = [];
    const others = new OtherFiles(
      (watchers) => watched.push(...watchers.map(({ globPattern }) => globPattern)),
      (path) => path.startsWith('/repository/'),
    );
    others.asked('read', '/elsewhere/other.env', undefined);
    others.asked('kind', '/repository/logs', 'directory');
    others.asked('kind', '/repository/a.env', 'absent');
    others.asked('read', '/repository/b/a.env', 'X=1');
    await Promise.resolve();
    others.asked('read', '/repository/a.env', 'X=1');
    await Promise.resolve();
    expect(watched).toEqual(['**/a.env']);
    for (let run = 0; run < 1000; run++) others.asked('kind', `/repository/run-${run}.log`, 'absent');
    await Promise.resolve();
    expect(watched).toHaveLength(200);
  });
});

describe('a file that scripts check for', () => {
  test('but do not read is gone for them when the editor closes it unsaved', async () => {
    const { client } = await started();
    await client.open(uri, asking);
    expect(codes(await client.diagnostics(uri, 1))).not.toContain(fault);
    await client.open(flag, 'X=1\n');
    await client.until(() => codes(client.shown(uri)).includes(fault), 'the file to count');
    await client.close(flag);
    await client.until(() => !codes(client.shown(uri)).includes(fault), 'the file to count no more');
  });

  test.each([['on disk'], ['in the editor']])(
    'appears and disappears %s for scripts that are not open',
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

test('findings in a workspace file stay when the editor closes it', async () => {
  const faulty = mainScript.replace('source', 'TP=3\nsource');
  const { client } = start({ '/repository/run.sh': faulty });
  client.settings = { '*': { diagnosticMode: 'workspace' } };
  await client.initialize([folder], askedCapabilities);
  await client.until(() => client.shown(uri).length > 0, 'the findings of the pass');
  await client.open(uri, faulty);
  const { length } = await client.diagnostics(uri, 1);
  const before = client.published.length;
  await client.close(uri);
  await client.settle();
  const after = client.published.slice(before).filter((one) => one.uri === uri);
  expect(after.map(({ diagnostics }) => diagnostics.length)).toEqual([length]);
});
