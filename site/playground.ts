import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { plural } from '../server/src/report/text.ts';
import { applyEdits } from '../server/src/text/edit.ts';
import { exampleLink, linked, textLink } from './link.ts';
import type { Look, LookedFinding } from './look.ts';
import { RemoteEngine } from './remoteEngine.ts';

/** Length of an address from which on some programs truncate it. */
const longLink = 8000;

/** Milliseconds without typing before a text is linted. */
const rest = 120;

/** Milliseconds after which the page says that the engine is still working. */
const patience = 400;

/** The colours of style.css, which follow the system's colour scheme. */
const colours = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--back)' },
  '.cm-gutters': {
    color: 'var(--soft)',
    backgroundColor: 'var(--panel)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--active)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--panel)', border: '1px solid var(--line)' },
});

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

function make(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Shows the status. */
function say(text: string): void {
  element('status').textContent = text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function kindOf(text: string): 'yaml' | 'sh' {
  const first =
    text.split('\n').find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? '';
  return !text.startsWith('#!') && /^[\w.-]+:(?:\s|$)/.test(first) ? 'yaml' : 'sh';
}

/** The editor, the findings in its text, and what would start. */
class Playground {
  readonly #engine: RemoteEngine;
  readonly #language = new Compartment();
  readonly #view: EditorView;
  #kind: 'yaml' | 'sh' = 'sh';
  #timer = 0;
  #isLooking = false;

  constructor(engine: RemoteEngine) {
    this.#engine = engine;
    this.#view = new EditorView({
      parent: element('editor'),
      extensions: [
        lineNumbers(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        syntaxHighlighting(classHighlighter),
        colours,
        lintGutter(),
        this.#language.of(StreamLanguage.define(shell)),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': 'Script or configuration', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          clearTimeout(this.#timer);
          this.#timer = window.setTimeout(() => void this.#look(), rest);
        }),
      ],
    });
  }

  /** Puts another text into the editor; common text at both ends is kept, so that the view does not move. */
  replace(next: string): void {
    const before = this.text;
    const shorter = Math.min(before.length, next.length);
    let from = 0;
    while (from < shorter && before[from] === next[from]) from++;
    let same = 0;
    while (same < shorter - from && before.at(-1 - same) === next.at(-1 - same)) same++;
    const insert = next.slice(from, next.length - same);
    this.#view.dispatch({ changes: { from, to: before.length - same, insert } });
  }

  /** Highlights the text according to its kind. */
  #colour(): void {
    const kind = kindOf(this.text);
    if (kind === this.#kind) return;
    this.#kind = kind;
    const language = kind === 'yaml' ? yaml() : StreamLanguage.define(shell);
    this.#view.dispatch({ effects: this.#language.reconfigure(language) });
  }

  async fixAll(): Promise<void> {
    const { text } = this;
    try {
      const fixed = await this.#engine.fixAll(this.#path, text);
      if (this.text === text) this.replace(fixed);
    } catch (error) {
      this.#fail(error);
    }
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get #path(): string {
    return `/playground/${kindOf(this.text) === 'yaml' ? 'config.yaml' : 'run.sh'}`;
  }

  /** Lints the text, and again if it changed meanwhile: one text at a time, since only the last one counts. */
  async #look(): Promise<void> {
    this.#colour();
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { text } = this;
    const waiting = window.setTimeout(() => say('Looking…'), patience);
    try {
      const look = await this.#engine.look(this.#path, text);
      if (this.text === text) this.#show(look, text);
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(waiting);
      this.#isLooking = false;
    }
    if (this.text !== text) void this.#look();
  }

  #fail(error: unknown): void {
    this.#view.dispatch(setDiagnostics(this.#view.state, []));
    element('findings').replaceChildren();
    element('resolved').textContent = '';
    say(`That is a bug of oomlint, please report it with the text: ${messageOf(error)}`);
  }

  #show({ frameworks, findings, resolved, took }: Look, text: string): void {
    this.#view.dispatch(setDiagnostics(this.#view.state, findings.map(diagnosticOf)));
    say(
      frameworks.length === 0
        ? 'No launch or configuration of a known framework.'
        : `${frameworks.join(', ')} – ${plural(findings.length, 'finding')} in ${took.toFixed(0)} ms`,
    );
    element('findings').replaceChildren(...findings.map((finding) => this.#card(finding, text)));
    element('resolved').textContent = resolved;
  }

  /** @param text the text that the finding is about */
  #card({ rule, severity, certainty, message, when, span, fixes }: LookedFinding, text: string): HTMLElement {
    const { doc } = this.#view.state;
    const line = doc.lineAt(Math.min(span.start, doc.length)).number;
    const head = make('button', 'where', `${severity} · line ${line}`);
    head.addEventListener('click', () => {
      this.#view.dispatch({ selection: { anchor: span.start }, scrollIntoView: true });
      this.#view.focus();
    });
    const link = make('a', 'rule', rule);
    link.setAttribute('href', `docs/rules/${rule}.html`);
    const box = make('li', `finding ${severity}`);
    box.append(head, link, make('p', '', message));
    if (when !== undefined) box.append(make('p', 'note', `Shows ${when} (${certainty}).`));
    for (const fix of fixes) {
      const button = make('button', 'fix', fix.title);
      if (fix.cost !== undefined) button.append(make('span', 'note', ` cost: ${fix.cost}`));
      button.title = fix.safety;
      button.addEventListener('click', () => {
        if (this.text === text) this.replace(applyEdits(text, fix.edits) ?? text);
      });
      box.append(button);
    }
    return box;
  }
}

function diagnosticOf({ span, severity, message, rule }: LookedFinding): Diagnostic {
  return { from: span.start, to: Math.max(span.end, span.start), severity, message, source: rule };
}

/** Puts a link to a text into the address bar and the clipboard. */
async function copyLink(text: string): Promise<void> {
  window.history.replaceState(null, '', await textLink(text));
  const { length } = location.href;
  const long = length > longLink ? ` It has ${length} characters; mail and chat may cut it off.` : '';
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied.${long}`);
  } catch {
    say(`The address of this page is the link now.${long}`);
  }
}

function start(engine: RemoteEngine, examples: ReadonlyMap<string, string>): void {
  const playground = new Playground(engine);
  const chooser = element('example');
  if (!(chooser instanceof HTMLSelectElement)) throw new Error('#example is no list');
  for (const name of examples.keys()) chooser.append(new Option(name, name));
  /** Shows what the address refers to, or else the first example. */
  const follow = async (): Promise<void> => {
    const link = await linked(location.hash);
    if (link.kind === 'unreadable') {
      say('The link holds no text that can be read; it may have been cut off.');
      return;
    }
    const [first = ''] = examples.keys();
    const named = link.kind === 'example' && examples.has(link.name) ? link.name : first;
    chooser.value = link.kind === 'text' ? '' : named;
    playground.replace(link.kind === 'text' ? link.text : (examples.get(named) ?? ''));
  };
  chooser.addEventListener('change', () => {
    window.history.pushState(null, '', exampleLink(chooser.value));
    void follow();
  });
  window.addEventListener('popstate', () => void follow());
  element('fix-all').addEventListener('click', () => void playground.fixAll());
  element('copy-link').addEventListener('click', () => void copyLink(playground.text));
  void follow();
}

async function main(): Promise<void> {
  if (location.protocol === 'file:')
    throw new Error(
      'it reads the rules from a web server. Serve its folder, as with python3 -m http.server.',
    );
  const answer = await fetch('assets/examples.json');
  const examples: { readonly [name: string]: string } = await answer.json();
  const engine = new RemoteEngine('assets/engineWorker.js');
  await engine.started();
  start(engine, new Map(Object.entries(examples)));
}

main().catch((error: unknown) => say(`The playground cannot start: ${messageOf(error)}`));
