import { TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ClientColumns, type PositionEncoding } from '../protocol/columns.ts';

/**
 * The documents that the editor holds, kept up to date from changes of ranges.
 * @param encodingOf how the client counts positions; asked with each change, for the client says it with `initialize` only
 */
export function syncedDocuments(encodingOf: () => PositionEncoding): TextDocuments<TextDocument> {
  return new TextDocuments({
    create: TextDocument.create,
    update: (document, changes, version) => {
      const encoding = encodingOf();
      if (encoding === 'utf-16') return TextDocument.update(document, changes, version);
      // A range is one of the text that the changes before it have left.
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
