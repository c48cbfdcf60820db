import { TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ClientColumns, type PositionEncoding } from '../protocol/columns.ts';

/**
 * The documents open in the editor, kept up to date by incremental changes.
 * @param encodingOf how the client counts positions; evaluated on each change, since the client only says so in `initialize`
 */
export function syncedDocuments(encodingOf: () => PositionEncoding): TextDocuments<TextDocument> {
  return new TextDocuments({
    create: TextDocument.create,
    update: (document, changes, version) => {
      const encoding = encodingOf();
      if (encoding === 'utf-16') return TextDocument.update(document, changes, version);
      // Each range refers to the text after the previous changes.
      for (const change of changes) {
        const columns = new ClientColumns(document, encoding);
        const counted =
          'range' in change
            ? {
                text: change.text,
                range: {
                  start: columns.fromClient(change.range.start),
                  end: columns.fromClient(change.range.end),
                },
              }
            : change;
        TextDocument.update(document, [counted], version);
      }
      return document;
    },
  });
}
