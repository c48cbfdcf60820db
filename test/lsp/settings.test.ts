import { describe, expect, test } from 'vitest';
import { SettingsStore } from '../../server/src/lsp/settings.ts';

const uri = 'file:///repository/run.sh';
const pause = (milliseconds: number): Promise<void> => new Promise((go) => setTimeout(go, milliseconds));

describe('editor settings', () => {
  test('a client that never answers gets the defaults, is waited for once, and is named in the log', async () => {
    const logs: string[] = [];
    const store = new SettingsStore({
      ask: () => new Promise(() => undefined),
      log: (message) => logs.push(message),
      timeout: 400,
    });
    const begin = performance.now();
    expect(await store.load(uri)).toMatchObject({ enable: true, diagnosticMode: 'openFilesOnly' });
    expect(performance.now() - begin).toBeGreaterThan(300);
    expect(store.isKnown(uri)).toBe(true);
    for (let at = 0; at < 20; at++) await store.load(`file:///repository/${at}.sh`);
    expect(performance.now() - begin).toBeLessThan(20 * 400);
    expect(logs).toEqual([expect.stringContaining('workspace/configuration')]);
  });

  test('a late answer applies from then on', async () => {
    const late: string[] = [];
    const store = new SettingsStore({
      ask: async () => {
        await pause(80);
        return { enable: false };
      },
      late: (which) => late.push(which),
      timeout: 20,
    });
    expect((await store.load(uri)).enable).toBe(true);
    await pause(120);
    expect(store.of(uri).enable).toBe(false);
    expect(late).toEqual([uri]);
  });

  test('an answer from before a settings change is ignored', async () => {
    let answer: (section: unknown) => void = () => undefined;
    const store = new SettingsStore({
      ask: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const first = store.load(uri);
    const old = answer;
    store.changed(null);
    const second = store.load(uri);
    old({ enable: false });
    await first;
    expect(store.isKnown(uri)).toBe(false);
    answer({ enable: true, diagnosticMode: 'workspace' });
    expect(await second).toMatchObject({ enable: true, diagnosticMode: 'workspace' });
  });

  test('settings of one document are requested once; a document without an answer has those of its folder', async () => {
    const questions: string[] = [];
    const store = new SettingsStore({
      ask: async (scope) => {
        questions.push(scope);
        return { enable: false };
      },
    });
    await Promise.all([store.load('file:///repository'), store.load('file:///repository')]);
    expect(questions).toEqual(['file:///repository']);
    expect(store.of(uri).enable).toBe(false);
    expect(store.of('file:///worker/run.sh').enable).toBe(true);
  });

  test.each([
    ['nothing', null],
    ['an empty section', { oomlint: {} }],
    ['the settings of another server', { yaml: { validate: true } }],
  ])('settings from initialize apply while the client pushes %s', (_, pushed) => {
    const settings = new SettingsStore({ initial: { diagnosticMode: 'workspace' } });
    settings.changed({ oomlint: { diagnosticMode: 'openFilesOnly', codeLens: { enable: false } } });
    expect(settings.of('file:///a.sh')).toMatchObject({ diagnosticMode: 'openFilesOnly', codeLens: false });
    settings.changed(pushed);
    expect(settings.of('file:///a.sh')).toMatchObject({ diagnosticMode: 'workspace', codeLens: true });
  });

  test('settings from initialize apply when an answer omits them', async () => {
    const ask = async (): Promise<unknown> => ({ inlayHints: { enable: false } });
    const settings = new SettingsStore({ ask, initial: { diagnosticMode: 'workspace' } });
    expect(await settings.load('file:///a.sh')).toMatchObject({
      diagnosticMode: 'workspace',
      inlayHints: false,
    });
  });

  test('an invalid setting gets its default', async () => {
    const store = new SettingsStore({
      ask: async () => ({ enable: 'no', diagnosticMode: 7, inlayHints: [] }),
    });
    expect(await store.load(uri)).toEqual({
      enable: true,
      diagnosticMode: 'openFilesOnly',
      inlayHints: true,
      codeLens: true,
    });
  });
});
