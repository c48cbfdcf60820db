// Writes dist/syntaxes/: the injection grammars of syntaxes/ with the words of the built knowledge.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameworkIds } from '../server/src/frameworks/framework.ts';
import { knowledgeIn } from '../server/src/frameworks/storedKnowledge.ts';
import { grammars } from './knowledge/grammars.ts';

const folder = join('dist', 'syntaxes');
mkdirSync(folder, { recursive: true });
const all = frameworkIds.map((id) =>
  knowledgeIn(readFileSync(join('dist', 'knowledge', `${id}.json`), 'utf8')),
);
for (const [file, text] of grammars('syntaxes', all)) {
  writeFileSync(join(folder, file), text);
  console.log(`${file}: ${Math.round(text.length / 1024)} KiB`);
}
