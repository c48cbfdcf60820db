/** What a user sets in the editor for a document (section `oomlint`). */
export interface EditorSettings {
  readonly enable: boolean;
  readonly inlayHints: boolean;
  readonly codeLens: boolean;
}

export const defaultEditorSettings: EditorSettings = { enable: true, inlayHints: true, codeLens: true };

function member(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
}

function flag(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise;
}

/** The settings in what a client sends for the section; everything that is not as it should be has its default. */
export function editorSettings(section: unknown): EditorSettings {
  return {
    enable: flag(member(section, 'enable'), defaultEditorSettings.enable),
    inlayHints: flag(member(member(section, 'inlayHints'), 'enable'), defaultEditorSettings.inlayHints),
    codeLens: flag(member(member(section, 'codeLens'), 'enable'), defaultEditorSettings.codeLens),
  };
}

/** The settings of each document, asked once from clients that answer by scope. */
export class SettingsStore {
  readonly #ask: ((uri: string) => Promise<unknown>) | undefined;
  readonly #byUri = new Map<string, EditorSettings>();
  #global: EditorSettings;
  #generation = 0;

  /**
   * @param ask asks the client for the section at a document; undefined when it cannot be asked
   * @param initial what the client sent with `initialize`
   */
  constructor(ask: ((uri: string) => Promise<unknown>) | undefined, initial: unknown) {
    this.#ask = ask;
    this.#global = editorSettings(initial);
  }

  /** The settings as far as they are known now. */
  of(uri: string): EditorSettings {
    return this.#byUri.get(uri) ?? this.#global;
  }

  /** Whether the client has answered for a document, or is never asked. */
  isKnown(uri: string): boolean {
    return this.#ask === undefined || this.#byUri.has(uri);
  }

  /** Asks for a document's settings where that was not done. A client that fails to answer means the defaults. */
  async load(uri: string): Promise<EditorSettings> {
    if (this.#ask === undefined || this.#byUri.has(uri)) return this.of(uri);
    const generation = this.#generation;
    let answer: unknown;
    try {
      answer = await this.#ask(uri);
    } catch {
      answer = undefined;
    }
    const read = answer === undefined || answer === null ? this.#global : editorSettings(answer);
    if (generation === this.#generation) this.#byUri.set(uri, read);
    return read;
  }

  /** The user changed settings. `pushed` is what the client sent along, for clients that cannot be asked. */
  changed(pushed: unknown): void {
    this.#generation++;
    this.#byUri.clear();
    if (this.#ask === undefined) this.#global = editorSettings(member(pushed, 'oomlint') ?? pushed);
  }

  close(uri: string): void {
    this.#byUri.delete(uri);
  }
}
