import { beforeEach, describe, expect, test } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type InProcess, pushCapabilities } from './client.ts';
import { codes, everything, folder, model, modelPath, start, started, uri } from './setup.ts';
import {
  mainScript,
  megatronScript,
  modelFile,
  positionOf,
  refused,
  refusedRule,
  slimeScript,
} from './texts.ts';

let server: InProcess;
beforeEach(async () => {
  server = await started();
});

function applied(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create(uri, 'shellscript', 1, text), [...edits]);
}

describe('code actions', () => {
  /** The actions at a part of the script's text. */
  const actionsAt = ({ client }: InProcess, text: string, part: string): Promise<CodeAction[]> => {
    const position = positionOf(text, part);
    return client.request('textDocument/codeAction', uri, {
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });
  };
  /** The actions of the given kinds anywhere in the script. */
  const actionsOf = (...only: string[]): Promise<CodeAction[]> =>
    server.client.request('textDocument/codeAction', uri, {
      range: everything,
      context: { diagnostics: [], only },
    });
  const editsOf = (action: CodeAction | undefined): TextEdit[] =>
    (action?.edit?.documentChanges ?? []).flatMap((change) =>
      'edits' in change
        ? change.edits.flatMap((edit) => ('newText' in edit && 'range' in edit ? [edit] : []))
        : [],
    );

  test('about the line of the cursor precede those about the whole launch', async () => {
    const text = 'torchrun pretrain_gpt.py \\\n  --num-layers 24 \\\n  --recompute-granularity full\n';
    await server.client.open(uri, text);
    const rules = (await actionsAt(server, text, 'full')).flatMap(({ diagnostics = [] }) =>
      codes(diagnostics),
    );
    expect(rules[0]).toBe('megatron-lm/full-recompute-needs-method');
    expect(new Set(rules).size).toBeGreaterThan(2);
  });

  test('come without edits, which are computed for the chosen one and tied to its version', async () => {
    const { client } = server;
    const text = megatronScript(refused);
    await client.open(uri, text);
    const actions = await actionsAt(server, text, ' 4\n');
    const fix = actions.find(({ title }) => title.includes('one pipeline stage') || /offload/i.test(title));
    expect(fix?.edit).toBeUndefined();
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    const after = applied(text, editsOf(resolved));
    expect(after).not.toBe(text);
    const [change] = resolved.edit?.documentChanges ?? [];
    expect(change !== undefined && 'textDocument' in change && change.textDocument.version).toBe(1);
    const version = client.change(uri, after);
    expect(codes(await client.diagnostics(uri, version))).not.toContain(refusedRule);
    const stale: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    expect(stale.edit).toBeUndefined();
  });

  test('suppress on the line or in the file, and the finding disappears', async () => {
    const { client } = server;
    const text = megatronScript(refused);
    await client.open(uri, text);
    const actions = await actionsAt(server, text, ' 4\n');
    for (const where of ['here', 'in this file']) {
      const action = actions.find(({ title }) => title === `Suppress ${refusedRule} ${where}`);
      const resolved: CodeAction =
        action?.edit === undefined
          ? await client.connection.sendRequest('codeAction/resolve', action)
          : action;
      const version = client.change(uri, applied(text, editsOf(resolved)));
      expect(codes(await client.diagnostics(uri, version))).not.toContain(refusedRule);
    }
  });

  test('use line endings that Bash reads, and put nothing before the shebang', async () => {
    const { client } = server;
    const text = `#!/bin/bash\n${megatronScript(refused)}`.replaceAll('\n', '\r\n');
    await client.open(uri, text);
    const [fault] = (await client.diagnostics(uri, 1)).filter(({ code }) => code === 'windows-line-ends');
    expect(fault?.range).toEqual({ start: { line: 0, character: 10 }, end: { line: 0, character: 11 } });
    const actions = await actionsAt(server, text, 'h\r\n');
    const titles = actions.map(({ title }) => title);
    expect(titles).not.toContain('Suppress windows-line-ends here');
    expect(titles).toContain('Suppress windows-line-ends in this file');
    const action = actions.find(({ title }) => title.includes('End lines as Bash reads them'));
    const resolved: CodeAction =
      action?.edit === undefined ? await client.connection.sendRequest('codeAction/resolve', action) : action;
    expect(applied(text, editsOf(resolved))).toBe(text.replaceAll('\r', ''));
  });

  test('suppress above the quoted text that contains the finding', async () => {
    const { client } = server;
    const text = slimeScript('1');
    await client.open(uri, text);
    const rule = 'runtime-variable-no-text';
    expect(codes(await client.diagnostics(uri, 1))).toContain(rule);
    const actions = await actionsAt(server, text, '1\n  }');
    const action = actions.find(({ title }) => title === `Suppress ${rule} here`);
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', action);
    const after = applied(text, editsOf(resolved));
    expect(after).toBe(text.replace('RUNTIME', `# oomlint-disable-next-line ${rule} -- reason\nRUNTIME`));
    const left = codes(await client.diagnostics(uri, client.change(uri, after)));
    expect(left).not.toContain(rule);
    expect(left).not.toContain('unused-suppression');
  });

  test.each([
    ['a block', `run: |\n${slimeScript('1').replace(/^(?=.)/gm, '  ')}`, '  RUNTIME', '  '],
    ['quotes', `run: ${JSON.stringify(slimeScript('1')).replaceAll('\\n', '\n\n  ')}\n`, 'run: ', ''],
  ])('suppress in a script within %s of YAML where a comment is possible', async (_, text, line, indent) => {
    const { client } = server;
    const job = `${folder}/job.yaml`;
    await client.open(job, text, 'yaml');
    const [fault] = await client.diagnostics(job, 1);
    expect(fault?.code).toBe('runtime-variable-no-text');
    const actions: CodeAction[] = await client.request('textDocument/codeAction', job, {
      range: fault?.range,
      context: { diagnostics: [] },
    });
    const action = actions.find(({ title }) => title === `Suppress ${fault?.code} here`);
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', action);
    const after = applied(text, editsOf(resolved));
    const comment = `${indent}# oomlint-disable-next-line ${fault?.code} -- reason\n`;
    expect(after).toBe(text.replace(line, `${comment}${line}`));
    const left = codes(await client.diagnostics(job, client.change(job, after)));
    expect(left).not.toContain(fault?.code);
    expect(left).not.toContain('unused-suppression');
  });

  test('a range with several findings of a rule offers actions about the rule once', async () => {
    const { client } = server;
    const text = megatronScript(' --no-such-flag-x --no-such-flag-y');
    await client.open(uri, text);
    const actions = await actionsOf('');
    const about = actions.filter(({ title }) => title.includes('unknown-option'));
    expect(about.map(({ title }) => title)).toEqual([
      'Suppress unknown-option here',
      'Suppress unknown-option in this file',
    ]);
    expect(about[0]?.diagnostics).toHaveLength(2);
    expect(await actionsOf('refactor', 'source.organizeImports')).toEqual([]);
  });

  test('a sourced file offers fixes for what the script that uses it found there', async () => {
    const { client } = server;
    server.files[modelPath] = modelFile('7');
    await client.open(uri, mainScript);
    await client.diagnostics(uri, 1);
    await client.open(model, modelFile('7'));
    await client.until(() => client.shown(model).length > 0, 'the fault in the model file');
    const [fault] = client.shown(model);
    const actions: CodeAction[] = await client.request('textDocument/codeAction', model, {
      range: fault?.range,
      context: { diagnostics: [] },
    });
    const fix = actions.find(({ title }) => title.startsWith('Round the hidden size up'));
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', fix);
    expect(applied(modelFile('7'), editsOf(resolved))).toContain('--hidden-size 518');
    client.change(model, applied(modelFile('7'), editsOf(resolved)));
    await client.until(() => client.shown(model).length === 0, 'the mended fault to go');
  });

  test('no suppression is offered for what comments cannot suppress', async () => {
    const { client } = server;
    server.files['/repository/.oomlint.yaml'] = 'unsuppressible: [cpu-offload-needs-one-stage]\n';
    const text = `${megatronScript(`${refused} --no-such-flag`)}# oomlint-disable-file\n# oomlint-disable-file nothing\n`;
    await client.open(uri, text);
    expect(codes(await client.diagnostics(uri, 1))).toEqual(
      expect.arrayContaining([refusedRule, 'unknown-option', 'unscoped-suppression', 'unknown-suppression']),
    );
    const titles = (await actionsOf('quickfix')).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith('Suppress'))).toEqual([
      'Suppress unknown-option here',
      'Suppress unknown-option in this file',
    ]);
  });

  test('a finding in a sourced file is suppressed there, from it and from the script that uses it', async () => {
    const { client } = server;
    const faulty = modelFile('8').replace('--num-layers 8', '--num-layers 8 --no-such-flag');
    server.files[modelPath] = faulty;
    await client.open(uri, mainScript);
    const [fault] = await client.diagnostics(uri, 1);
    expect(fault?.code).toBe('unknown-option');
    await client.open(model, faulty);
    await client.until(() => client.shown(model).length > 0, 'the fault in the model file');
    const actionsIn = async (document: string): Promise<CodeAction[]> => {
      const all: CodeAction[] = await client.request('textDocument/codeAction', document, {
        range: client.shown(document)[0]?.range,
        context: { diagnostics: [] },
      });
      return all.filter(({ title }) => title.startsWith('Suppress'));
    };
    const offered = [...(await actionsIn(model)), ...(await actionsIn(uri))];
    expect(offered.map(({ title }) => title)).toEqual([
      `Suppress ${fault?.code} here`,
      `Suppress ${fault?.code} in this file`,
      `Suppress ${fault?.code} at its cause in model.sh`,
      `Suppress ${fault?.code} in all of model.sh`,
    ]);
    for (const action of offered) {
      const [change] = action.edit?.documentChanges ?? [];
      expect(change !== undefined && 'textDocument' in change && change.textDocument.uri).toBe(model);
      client.change(model, applied(faulty, editsOf(action)));
      await client.until(() => client.shown(uri).length === 0, `${action.title} to take the fault away`);
      expect(client.shown(model)).toEqual([]);
      client.change(model, faulty);
      await client.until(() => client.shown(uri).length > 0, 'the fault to come back');
    }
  });

  test('a client without lazy actions or versions gets plain edits at once', async () => {
    const other = await started({});
    const text = megatronScript(refused);
    await other.client.open(uri, text);
    const actions = await actionsAt(other, text, ' 4\n');
    expect(actions[0]?.edit?.changes?.[uri]?.length).toBeGreaterThan(0);
  });

  test('the rule’s page is opened by the client’s own command, or by asking the client to show it', async () => {
    const text = megatronScript(refused);
    const commandFor = async (options: object, capabilities: object): Promise<[unknown, InProcess]> => {
      const other = start();
      const { capabilities: offered } = await other.client.initialize([folder], capabilities, options);
      await other.client.open(uri, text);
      const actions = await actionsAt(other, text, ' 4\n');
      const command = actions.find(({ command: one }) => one !== undefined)?.command?.command;
      expect(offered.executeCommandProvider?.commands).toEqual(
        command === 'oomlint.server.openPage' ? [command] : undefined,
      );
      return [command, other];
    };
    const shows = { ...pushCapabilities, window: { showDocument: { support: true } } };
    const [own] = await commandFor({ commands: true }, shows);
    expect(own).toBe('oomlint.openRule');
    const [none] = await commandFor({}, pushCapabilities);
    expect(none).toBeUndefined();
    const [asked, { client }] = await commandFor({}, shows);
    expect(asked).toBe('oomlint.server.openPage');
    const shown: unknown[] = [];
    client.connection.onRequest('window/showDocument', ({ uri: page }: { uri: string }) => {
      shown.push(page);
      return { success: true };
    });
    await client.connection.sendRequest('workspace/executeCommand', {
      command: asked,
      arguments: ['https://example.org/rule.md'],
    });
    expect(shown).toEqual(['https://example.org/rule.md']);
  });

  test('source.fixAll applies all safe fixes and nothing else', async () => {
    const { client } = server;
    const text = megatronScript(' \\\n  --fp8-interval 1');
    await client.open(uri, text);
    const actions = await actionsOf('source.fixAll.oomlint');
    expect(actions.every(({ kind }) => kind === 'source.fixAll.oomlint')).toBe(true);
    expect(actions).toHaveLength(1);
    const before = await client.diagnostics(uri, 1);
    const resolved: CodeAction = await client.connection.sendRequest('codeAction/resolve', actions[0]);
    const after = applied(text, editsOf(resolved));
    expect(after).not.toBe(text);
    const version = client.change(uri, after);
    const left = await client.diagnostics(uri, version);
    expect(left.length).toBeLessThan(before.length);
    expect(left.filter((one) => !before.some(({ code }) => code === one.code))).toEqual([]);
    // Nothing is left for it to fix.
    expect(await actionsOf('source.fixAll')).toEqual([]);
  });
});
