import { strict as assert } from 'node:assert';
import { suite, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import { file, finding, open, provided, rangeOf, replace, reset, until } from '../support.ts';

const script = file('scripts', 'pretrain.sh');
const cluster = file('scripts', 'cluster.sh');
const positions = 'megatron-lm/positions-cover-sequence';

async function opened(): Promise<vscode.TextDocument> {
  const document = await open(script);
  await finding(script, positions);
  return document;
}

function textOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === 'string' ? content : content.value;
}

suite('features', () => {
  teardown(reset);

  test('a hover says what a flag does and what its value is', async () => {
    const document = await opened();
    const at = rangeOf(document, '--tensor-model-parallel-size').start.translate(0, 4);
    const hovers = await provided<vscode.Hover>('a hover', 'vscode.executeHoverProvider', script, at);
    const text = hovers.flatMap(({ contents }) => contents.map(textOf)).join('\n');
    assert.match(text.replaceAll('\\', ''), /--tensor-model-parallel-size/);
    assert.match(text, /`4`/);
  });

  test('inlay hints show the values behind variables', async () => {
    const document = await opened();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await provided<vscode.InlayHint>('hints', 'vscode.executeInlayHintProvider', script, whole);
    const line = rangeOf(document, '--pipeline-model-parallel-size').start.line;
    const labels = hints.filter(({ position }) => position.line === line).map(({ label }) => label);
    assert.ok(
      labels.some((label) => String(label).includes('2')),
      `the number of stages is among ${labels.join(', ')}`,
    );
  });

  test('a lens over the launch says what starts', async () => {
    const document = await opened();
    const lenses = await provided<vscode.CodeLens>('lenses', 'vscode.executeCodeLensProvider', script, 10);
    const launch = rangeOf(document, 'torchrun').start.line;
    const lens = lenses.find(({ range }) => range.start.line === launch);
    assert.match(lens?.command?.title ?? '', /Megatron-LM.*16 GPUs/);
    assert.equal(lens?.command?.command, 'oomlint.showResolved');
  });

  test('completion offers flags', async () => {
    const document = await opened();
    await replace(document, '  --bf16 \\', '  --bf16 --recomp \\');
    const at = rangeOf(document, '--recomp ').end.translate(0, -1);
    const list = await until('completions', async () => {
      const answer = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        script,
        at,
      );
      return answer.items.some(({ label }) => JSON.stringify(label).includes('--recompute-method'))
        ? answer
        : undefined;
    });
    assert.ok(list.items.length > 0);
  });

  test('the definition of a variable is in the sourced file', async () => {
    const document = await opened();
    const at = rangeOf(document, '$PP').start.translate(0, 1);
    const found = await provided<vscode.Location | vscode.LocationLink>(
      'a definition',
      'vscode.executeDefinitionProvider',
      script,
      at,
    );
    const paths = found.map((place) => ('uri' in place ? place.uri.path : place.targetUri.path));
    assert.ok(paths.includes(cluster.path), paths.join(', '));
  });

  test('the outline contains the launch', async () => {
    await opened();
    const symbols = await until('the launch', async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
        'vscode.executeDocumentSymbolProvider',
        script,
      );
      return found?.some(({ name, detail }) => /Megatron-LM/.test(`${name} ${detail}`)) ? found : undefined;
    });
    assert.ok(symbols.length > 0);
  });

  test('the resolved command follows edits', async () => {
    const document = await opened();
    await vscode.commands.executeCommand('oomlint.showResolved');
    const view = await until('the view', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'oomlint-resolved'),
    );
    assert.match(view.getText(), /--global-batch-size[^\n]*\n\s+256/);
    await replace(document, '--global-batch-size 256', '--global-batch-size 512');
    await until('the new value', () => (/\n\s+512\b/.test(view.getText()) ? true : undefined));
  });
});
