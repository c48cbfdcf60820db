import type { ParsedScript } from 'unbash';
import { parseBash } from '../bash/text/parse.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import type { Launch } from '../launch/launch.ts';
import { variablesThatTell } from '../launch/wrappers/outsideVariables.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place, Span } from '../text/span.ts';
import { remembering } from '../value/remember.ts';
import { display, type Piece, type Word } from '../value/word.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { partAround } from '../yaml/documentParts.ts';
import { readPart } from '../yaml/parse.ts';
import { documentsOfTemplate } from '../yaml/templateDocuments.ts';
import { Draft } from './draft.ts';

/** What the planner may ask of the texts and the knowledge. */
export interface Texts {
  /** The text of a file as the run was read from it. */
  read(path: string): string | undefined;
  /** The facts of an option of the scope's set; without it bare flags are only put in for `true`. */
  option?(name: string): OptionFact | undefined;
  /** What reading the unchanged texts gave, for plans of the same file to share. */
  readonly parsed?: ParsedTexts;
  /** Is told how many characters of YAML, or of a script that the fix has changed, were read. */
  spend?(characters: number, kind: 'yaml' | 'script'): void;
}

/** Texts as they were read, by text. */
export interface ParsedTexts {
  readonly scripts: Map<string, ParsedScript>;
  readonly documents: Map<string, readonly YamlDocument[]>;
  /** Documents that were read apart from the others of their text, by where they start and what they are. */
  readonly parts: Map<string, YamlDocument | undefined>;
}

/** Scripts that a fix in the making keeps as they were read: each change makes another one, and a large one takes megabytes. */
const mostChangedScripts = 3;

/** Nothing that was read. */
export function nothingParsed(): ParsedTexts {
  return { scripts: new Map(), documents: new Map(), parts: new Map() };
}

/** A fix in the making: the files it changes, and what its title has to say besides. */
export class Work {
  readonly run: Run;
  readonly scope: Scope;
  readonly notes: string[] = [];
  /** Whether the fix changes what nobody asked it to change. */
  reachesElsewhere = false;
  readonly #texts: Texts;
  readonly #drafts = new Map<string, Draft | undefined>();
  readonly #changed = nothingParsed();

  constructor(run: Run, scope: Scope, texts: Texts) {
    this.run = run;
    this.scope = scope;
    this.#texts = texts;
  }

  /** The file's draft, or undefined when its text cannot be had. */
  draft(path: string): Draft | undefined {
    if (!this.#drafts.has(path)) {
      const text = this.#texts.read(path);
      this.#drafts.set(path, text === undefined ? undefined : new Draft(path, text));
    }
    return this.#drafts.get(path);
  }

  drafts(): readonly Draft[] {
    return [...this.#drafts.values()].filter((draft) => draft !== undefined);
  }

  option(name: string): OptionFact | undefined {
    return this.#texts.option?.(name);
  }

  script(text: string): ParsedScript {
    const { scripts } = this.#parsed(text);
    const before = scripts.get(text);
    if (before !== undefined) return before;
    const script = parseBash(text);
    if (scripts === this.#changed.scripts) {
      this.#texts.spend?.(text.length, 'script');
      if (scripts.size >= mostChangedScripts) scripts.clear();
    }
    scripts.set(text, script);
    return script;
  }

  spent(characters: number): void {
    this.#texts.spend?.(characters, 'script');
  }

  documents(path: string, text: string): readonly YamlDocument[] {
    const { documents } = this.#parsed(text);
    const key = `${path}\n${text}`;
    const before = documents.get(key);
    if (before !== undefined) return before;
    const read = documentsOfTemplate(path, text);
    this.#texts.spend?.(text.length, 'yaml');
    documents.set(key, read);
    return read;
  }

  /** The document of a text that a span lies in, or all documents where it cannot be read apart. */
  documentsAt(path: string, text: string, span: Span): readonly YamlDocument[] {
    const part = this.#part(path, text, span);
    return part === undefined ? this.documents(path, text) : [part];
  }

  #part(path: string, text: string, at: Span): YamlDocument | undefined {
    const span = partAround(text, at);
    if (span === undefined) return undefined;
    const { parts } = this.#parsed(text);
    const key = `${path}\n${span.start}\n${text.slice(span.start, span.end)}`;
    if (!parts.has(key)) {
      parts.set(key, readPart(path, text, span));
      this.#texts.spend?.(span.end - span.start, 'yaml');
    }
    return parts.get(key);
  }

  /** Where the reading of a text is kept: with all plans while it is unchanged, else with this one. */
  #parsed(text: string): ParsedTexts {
    const unchanged = this.drafts().some(({ before }) => before === text);
    return unchanged ? (this.#texts.parsed ?? this.#changed) : this.#changed;
  }

  /** The characters that a place had when the run was read. */
  written(place: Place): string | undefined {
    return this.draft(place.path)?.before.slice(place.span.start, place.span.end);
  }

  /** “line 3”, or “line 3 of model.sh” for another file than the run's. */
  line(place: Place): string {
    const before = this.draft(place.path)?.before ?? '';
    const line = new LineIndex(before).positionAt(place.span.start).line + 1;
    const name = place.path.slice(place.path.lastIndexOf('/') + 1);
    return place.path === this.run.place.path ? `line ${line}` : `line ${line} of ${name}`;
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Notes that the fix changes other places as well. */
  noteElsewhere(text: string): void {
    this.reachesElsewhere = true;
    this.note(text);
  }

  /** The words of the launch that mean something to it: not variables of the script that happen to be exported. */
  telling(): readonly Word[] {
    return tellingWords(this.run);
  }

  /** All words that the launch is made of, its environment included. */
  words(): readonly Word[] {
    const { launch } = this.run;
    const env = [...this.run.env.values()].flatMap(({ word }) => (word === undefined ? [] : [word]));
    if (launch === undefined) return env;
    return [...launcherWords(launch), ...launch.args, ...launch.env.values(), ...env];
  }
}

const tellingWords = remembering(({ launch, env }: Run): readonly Word[] => {
  const variables = [...env].flatMap(([name, { word }]) =>
    word !== undefined && variablesThatTell.test(name) ? [word] : [],
  );
  return launch === undefined ? variables : [...launcherWords(launch), ...launch.args, ...variables];
});

/** The words of the whole command; not the shell text that a wrapper runs, in which the words of the launch are once more. */
function launcherWords(launch: Launch): readonly Word[] {
  return launch.command.words.filter((word) => !/\s/.test(display(word)));
}

/** The places that a piece was written at and came through, nearest to the use last. */
export function wayOf(piece: Piece): readonly Place[] {
  return [piece.origin.place, ...piece.origin.via];
}

/** Whether a word has text that was written at characters that overlap a span. */
export function isWrittenAt(word: Word, path: string, span: Span): boolean {
  return word.pieces.some(({ origin: { place } }) => {
    const { start, end } = place.span;
    return place.path === path && start < span.end && span.start < end;
  });
}

/** Tells words apart by where all of their text came from. */
export const identityOf = remembering((word: Word): string => {
  let identity = '';
  for (const piece of word.pieces)
    for (const { path, span } of wayOf(piece)) identity += `${path}:${span.start}-${span.end} `;
  return identity;
});
