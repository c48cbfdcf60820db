import { isReadable, type YamlDocument } from './document.ts';
import { parseYaml } from './parse.ts';
import { parsePastFaults } from './pastFaults.ts';
import { isSteered, renderings } from './templateLines.ts';

/**
 * Reads all documents of a YAML text; for a template, those of each text that its engine may produce. All offsets are those of the template.
 */
export function documentsOfTemplate(path: string, text: string): readonly YamlDocument[] {
  const documents = parseYaml(path, text);
  const isRead = documents.every(isReadable);
  if (isRead && !isSteered(text)) return documents;
  const made = renderings(text);
  return (made.length === 0 ? [text] : made).flatMap((each) => parsePastFaults(path, each));
}
