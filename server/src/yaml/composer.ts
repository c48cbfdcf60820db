import { Composer, type CST, type Document } from 'yaml';

/** How a document is read, apart from the fact that each scalar stays the text that it is. */
interface Reading {
  readonly uniqueKeys: boolean;
  readonly version?: '1.1';
}

/**
 * Reads the documents of a text one by one. Only the messages of the reader's errors matter: a text that is not YAML has thousands, and
 * recording their stack traces takes longer than all the rest.
 *
 * @param length of the text, in characters
 */
export function* composeDocuments(
  tokens: Iterable<CST.Token>,
  length: number,
  reading: Reading = { uniqueKeys: false },
): Generator<Document.Parsed> {
  const options = { ...reading, schema: 'failsafe', prettyErrors: false, logLevel: 'silent' } as const;
  const documents = new Composer(options).compose(tokens, true, length);
  for (;;) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    let next: ReturnType<typeof documents.next>;
    try {
      next = documents.next();
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    if (next.done === true) return;
    yield next.value;
  }
}
