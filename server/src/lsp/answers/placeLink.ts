import { escapeMarkdown } from '../../report/markdown.ts';
import type { Place } from '../../text/span.ts';
import type { Session } from '../session.ts';

/**
 * A Markdown link to a place: its line, after the file name if it is another file.
 * @param path the file in which the link is shown
 */
export function placeLink(place: Place, path: string, session: Session): string {
  const line = session.view(place.path).position(place.span.start).line + 1;
  const name =
    place.path === path ? `line ${line}` : `${place.path.slice(place.path.lastIndexOf('/') + 1)}:${line}`;
  const uri = session.uris.uriOf(place.path).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${escapeMarkdown(name)}](${uri}#L${line})`;
}
