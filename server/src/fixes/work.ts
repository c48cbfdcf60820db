import type { ParsedScript } from 'unbash';
import { parseBash } from '../bash/text/parse.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import type { Launch } from '../launch/launch.ts';
import { meaningfulVariables } from '../launch/wrappers/outsideVariables.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place, Span } from '../text/span.ts';
import { remembering } from '../value/remember.ts';
import { display, type Piece, type Word } from '../value/word.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { partAround } from '../yaml/documentParts.ts';
import { readPart } from '../yaml/parse.ts';
import { documentsOfTemplate } from '../yaml/templateDocuments.ts';
import { Draft } from './draft.ts';

/** The planner's access to texts and knowledge. */
export interface Texts {
  /** The text of a file from which the run was read. */
  read(path: string): string | undefined;
  /** The facts of an option of the scope's set; without it bare flags are only inserted for `true`. */
  option?(name: string): OptionFact | undefined;
  /** Parse results of the unchanged texts, shared between plans for the same file. */
  readonly parsed?: ParsedTexts;
  /** Receives the number of characters of YAML, or of a script changed by the fix, that were parsed. */
  spend?(characters: number, kind: 'yaml' | 'script'): void;
}

/** Parse results by text. */
export interface ParsedTexts {
  readonly scripts: Map<string, ParsedScript>;
  readonly documents: Map<string, readonly YamlDocument[]>;
  /** Documents that were parsed separately from the others of their text, by their start and content. */
  readonly parts: Map<string, YamlDocument | undefined>;
}

/** Maximum number of parsed scripts that a plan keeps: each change makes another one, and a large one takes megabytes. */
const mostChangedScripts = 3;

/** Empty parse results. */
export function nothingParsed(): ParsedTexts {
  return { scripts: new Map(), documents: new Map(), parts: new Map() };
}

/** A fix in the making: the files it changes, and notes for its title. */
export class Work {
  readonly run: Run;
  readonly scope: Scope;
  readonly notes: string[] = [];
  /** Whether the fix also changes places that it was not asked to change. */
  reachesElsewhere = false;
  readonly #texts: Texts;
  readonly #drafts = new Map<string, Draft | undefined>();
  readonly #changed = nothingParsed();

  constructor(run: Run, scope: Scope, texts: Texts) {
    this.run = run;
    this.scope = scope;
    this.#texts = texts;
  }

  /** The file's draft, or undefined if its text is not available. */
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

  /** The document of a text that contains a span, or all documents if it cannot be parsed separately. */
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

  /** Where the parse result of a text is kept: shared by all plans if the text is unchanged, otherwise with this plan. */
  #parsed(text: string): ParsedTexts {
    const unchanged = this.drafts().some(({ before }) => before === text);
    return unchanged ? (this.#texts.parsed ?? this.#changed) : this.#changed;
  }

  /** The characters at a place when the run was read. */
  written(place: Place): string | undefined {
    return this.draft(place.path)?.before.slice(place.span.start, place.span.end);
  }

  /** “line 3”, or “line 3 of model.sh” if the file is not the run's. */
  line(place: Place): string {
    const before = this.draft(place.path)?.before ?? '';
    const line = new LineIndex(before).positionAt(place.span.start).line + 1;
    const name = place.path.slice(place.path.lastIndexOf('/') + 1);
    return place.path === this.run.place.path ? `line ${line}` : `line ${line} of ${name}`;
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Notes that the fix also changes other places. */
  noteElsewhere(text: string): void {
    this.reachesElsewhere = true;
    this.note(text);
  }

  /** The words that matter to the launch: without script variables that happen to be exported. */
  relevantWords(): readonly Word[] {
    return tellingWords(this.run);
  }

  /** All words of the launch, including its environment. */
  words(): readonly Word[] {
    const { launch } = this.run;
    const env = [...this.run.env.values()].flatMap(({ word }) => (word === undefined ? [] : [word]));
    if (launch === undefined) return env;
    return [...launcherWords(launch), ...launch.args, ...launch.env.values(), ...env];
  }
}

const tellingWords = remembering(({ launch, env }: Run): readonly Word[] => {
  const variables = [...env].flatMap(([name, { word }]) =>
    word !== undefined && meaningfulVariables.test(name) ? [word] : [],
  );
  return launch === undefined ? variables : [...launcherWords(launch), ...launch.args, ...variables];
});

/** The words of the whole command, without the shell text that a wrapper runs, which contains the words of the launch again. */
function launcherWords(launch: Launch): readonly Word[] {
  return launch.command.words.filter((word) => !/\s/.test(display(word)));
}

/** The places where a piece was written and through which it was expanded, the one nearest to the use last. */
export function placesOf(piece: Piece): readonly Place[] {
  return [piece.origin.place, ...piece.origin.via];
}

/** Whether any text of a word was written in characters that overlap a span. */
export function isWrittenAt(word: Word, path: string, span: Span): boolean {
  return word.pieces.some(({ origin: { place } }) => {
    const { start, end } = place.span;
    return place.path === path && start < span.end && span.start < end;
  });
}

/** Identifies words by where all of their text came from. */
export const identityOf = remembering((word: Word): string => {
  let identity = '';
  for (const piece of word.pieces)
    for (const { path, span } of placesOf(piece)) identity += `${path}:${span.start}-${span.end} `;
  return identity;
});
