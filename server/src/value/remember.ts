/**
 * Memoizes a function per argument, for as long as the argument lives. For values derived from knowledge, which never changes: indexes of
 * options, sets of constraints.
 */
export function remembering<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** Maximum number of characters of texts whose answers are kept: a server runs for days while sources and configurations change. */
const mostCharacters = 2_000_000;

/** The cost of an answer in addition to the characters of its text. */
const answerCharacters = 1_000;

/** Answers by text, the oldest first. */
interface Answers<Made> {
  readonly byText: Map<string, Made>;
  characters: number;
}

/**
 * The same for functions of an object and a text: a name, a release, a source. If there are many texts, or very long ones, the oldest are
 * dropped.
 * @param most maximum number of characters of texts that are kept per object, with an extra cost for each answer
 */
export function rememberingBy<Key extends object, Made>(
  make: (key: Key, text: string) => Made,
  most: number = mostCharacters,
): (key: Key, text: string) => Made {
  const answers = remembering((_: Key): Answers<Made> => ({ byText: new Map(), characters: 0 }));
  return (key, text) => {
    const kept = answers(key);
    const { byText } = kept;
    const known = byText.get(text);
    if (known !== undefined) return known;
    const value = make(key, text);
    if (!byText.has(text)) kept.characters += text.length + answerCharacters;
    byText.set(text, value);
    for (const oldest of byText.keys()) {
      if (kept.characters <= most || oldest === text) break;
      byText.delete(oldest);
      kept.characters -= oldest.length + answerCharacters;
    }
    return value;
  };
}
