/** Which files are linted: only open ones, or every file of the workspace. */
export type DiagnosticMode = 'openFilesOnly' | 'workspace';

/** The user's editor settings for a document or a folder (section `oomlint`). */
export interface EditorSettings {
  readonly enable: boolean;
  readonly diagnosticMode: DiagnosticMode;
  readonly inlayHints: boolean;
  readonly codeLens: boolean;
}

/** The settings if the editor sends none; the same as in package.json. */
export const defaultEditorSettings: EditorSettings = {
  enable: true,
  diagnosticMode: 'openFilesOnly',
  inlayHints: true,
  codeLens: true,
};

/** Milliseconds after which a client that does not answer counts as having no settings. */
const usualTimeout = 2000;

function member(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
}

function flag(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

function mode(value: unknown, otherwise: DiagnosticMode): DiagnosticMode {
  return value === 'workspace' || value === 'openFilesOnly' ? value : otherwise;
}

/**
 * The settings in the section that a client sent.
 * @param otherwise for everything that is missing or invalid
 */
export function editorSettings(
  section: unknown,
  otherwise: EditorSettings = defaultEditorSettings,
): EditorSettings {
  return {
    enable: flag(member(section, 'enable'), otherwise.enable),
    diagnosticMode: mode(member(section, 'diagnosticMode'), otherwise.diagnosticMode),
    inlayHints: flag(member(member(section, 'inlayHints'), 'enable'), otherwise.inlayHints),
    codeLens: flag(member(member(section, 'codeLens'), 'enable'), otherwise.codeLens),
  };
}

/** Where settings come from. */
export interface SettingsSource {
  /** Asks the client for the section at a document or folder; undefined if the client cannot be asked. */
  readonly ask?: ((uri: string) => Promise<unknown>) | undefined;
  /** What the client sent with `initialize`. */
  readonly initial?: unknown;
  /** Called when an answer arrives after the defaults were used instead. */
  late?(uri: string): void;
  log?(message: string): void;
  /** Milliseconds until the defaults are used; by default two seconds. */
  readonly timeout?: number;
}

/** The settings of each document and folder, requested once from clients that answer by scope. */
export class SettingsStore {
  readonly #source: SettingsSource;
  readonly #byUri = new Map<string, EditorSettings>();
  /** Pending requests. */
  readonly #asked = new Map<string, Promise<void>>();
  /** The defaults: what the client sent with `initialize`. */
  readonly #initial: EditorSettings;
  #global: EditorSettings;
  #generation = 0;
  #isSilent = false;

  constructor(source: SettingsSource) {
    this.#source = source;
    this.#initial = editorSettings(source.initial);
    this.#global = this.#initial;
  }

  /** The settings as currently known: of the document, otherwise of the nearest folder whose settings were requested. */
  of(uri: string): EditorSettings {
    for (let scope = uri; scope !== ''; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('/')))) {
      const known = this.#byUri.get(scope);
      if (known !== undefined) return known;
    }
    return this.#global;
  }

  /** Whether the client has answered for a document, or is never asked. */
  isKnown(uri: string): boolean {
    return this.#source.ask === undefined || this.#byUri.has(uri);
  }

  /** Requests a document's settings unless they are known. If the client does not answer in time, the defaults apply. */
  async load(uri: string): Promise<EditorSettings> {
    if (!this.isKnown(uri)) {
      const asked = this.#asked.get(uri) ?? this.#request(uri);
      this.#asked.set(uri, asked);
      await asked;
    }
    return this.of(uri);
  }

  async #request(uri: string): Promise<void> {
    const generation = this.#generation;
    // After a client has let one request time out, it is not waited for until it answers again.
    const timeout = this.#isSilent ? 0 : (this.#source.timeout ?? usualTimeout);
    let isOverdue = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const overdue = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        isOverdue = true;
        if (!this.#isSilent)
          this.#source.log?.(
            `The editor has not answered workspace/configuration for ${uri} within ${timeout} ms; until it does, the defaults hold.`,
          );
        this.#isSilent = true;
        resolve(undefined);
      }, timeout);
    });
    const answered = this.#source.ask?.(uri).catch(() => undefined);
    void answered?.then((answer) => {
      this.#isSilent = false;
      if (isOverdue && this.#put(uri, answer, generation)) this.#source.late?.(uri);
    });
    this.#put(uri, await Promise.race([answered, overdue]), generation);
    clearTimeout(timer);
  }

  /** @returns whether the answer is still valid: the user may have changed settings meanwhile */
  #put(uri: string, answer: unknown, generation: number): boolean {
    if (generation !== this.#generation) return false;
    this.#asked.delete(uri);
    this.#byUri.set(uri, editorSettings(answer, this.#initial));
    return true;
  }

  /** Handles changed settings. `pushed` is what the client sent along, for clients that cannot be asked. */
  changed(pushed: unknown): void {
    this.#generation++;
    this.#byUri.clear();
    this.#asked.clear();
    if (this.#source.ask === undefined)
      this.#global = editorSettings(member(pushed, 'oomlint') ?? pushed, this.#initial);
  }

  close(uri: string): void {
    this.#byUri.delete(uri);
  }
}
