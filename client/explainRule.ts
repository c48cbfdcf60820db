import * as vscode from 'vscode';
import { frameworkIds } from '../server/src/frameworks/framework.ts';
import { knowledgeIn } from '../server/src/frameworks/storedKnowledge.ts';
import { readable } from '../server/src/rules/messageText.ts';
import { type CommonRule, type RuleFacts, ruleOfConstraint } from '../server/src/rules/rule.ts';
import { knowledgeText } from './knowledge.ts';
import { rulePage } from './rulePage.ts';
import { rulePicks } from './rulePicks.ts';
import { ruleScheme } from './schemes.ts';

/** All packaged rules by id. */
async function packagedRules(context: vscode.ExtensionContext): Promise<ReadonlyMap<string, RuleFacts>> {
  const common: CommonRule[] = JSON.parse(await knowledgeText(context, 'common'));
  const rules = new Map<string, RuleFacts>(
    common.map((rule) => [rule.id, { ...rule, framework: undefined, upstream: [], fixes: [] }]),
  );
  for (const id of frameworkIds) {
    const { constraints } = knowledgeIn(await knowledgeText(context, id));
    for (const constraint of constraints) {
      const facts = ruleOfConstraint(id, constraint);
      rules.set(facts.id, facts);
    }
  }
  return rules;
}

/** The rules with findings in the active file. */
function foundRules(): readonly string[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) return [];
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'oomlint')
    .map(({ code }) => String(typeof code === 'object' ? code.value : code));
}

/** The command that shows the page of a rule in the editor, from the packaged facts: no network is needed. */
export function registerExplainRule(context: vscode.ExtensionContext): vscode.Disposable {
  let rules: Promise<ReadonlyMap<string, RuleFacts>> | undefined;
  const load = (): Promise<ReadonlyMap<string, RuleFacts>> => {
    rules ??= packagedRules(context).catch((error: unknown) => {
      // The next question reads them again.
      rules = undefined;
      throw error;
    });
    return rules;
  };
  const pick = async (): Promise<string | undefined> => {
    const items = rulePicks(await load(), foundRules()).map(
      (pick): vscode.QuickPickItem =>
        pick.kind === 'heading'
          ? { label: pick.text, kind: vscode.QuickPickItemKind.Separator }
          : { label: pick.id, detail: readable(pick.why) },
    );
    const picked = await vscode.window.showQuickPick(items, {
      title: 'oomlint: explain rule',
      placeHolder: 'Which rule?',
      matchOnDetail: true,
    });
    return picked?.label;
  };
  const explain = async (given: unknown, url: unknown): Promise<void> => {
    const id = typeof given === 'string' ? given : await pick();
    if (id === undefined) return;
    if ((await load()).has(id)) {
      const uri = vscode.Uri.from({ scheme: ruleScheme, path: `/${id}.md` });
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } else if (typeof url === 'string') await vscode.env.openExternal(vscode.Uri.parse(url));
    else void vscode.window.showInformationMessage(`oomlint has no rule ${id}.`);
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(ruleScheme, {
      provideTextDocumentContent: async ({ path }) => {
        const rule = (await load()).get(path.replace(/^\//, '').replace(/\.md$/, ''));
        return rule === undefined ? '' : rulePage(rule);
      },
    }),
    vscode.commands.registerCommand('oomlint.openRule', explain),
    vscode.commands.registerCommand('oomlint.explainRule', explain),
  );
}
