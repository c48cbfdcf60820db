// Checks schemas/ and writes dist/knowledge/<framework>.json, the form that the program loads.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readEnvironment } from './knowledge/environment.ts';
import { checkPrograms } from './knowledge/programs.ts';
import { readCommonRules, readKnowledge } from './knowledge/read.ts';
import { asciiJson, storedText } from './knowledge/store.ts';

const root = process.cwd();
const { frameworks, problems } = readKnowledge(join(root, 'schemas'));
const common = readCommonRules(join(root, 'schemas'), problems);
const environment = readEnvironment(join(root, 'schemas'), problems);
problems.push(...checkPrograms(join(root, 'schemas'), frameworks));
const tolerant = process.argv.includes('--tolerant');
for (const problem of problems)
  console.error(
    `${problem.file
      .split(', ')
      .map((file) => relative(root, file))
      .join(', ')}:${problem.line}:${problem.column} ${problem.message}`,
  );
const folder = join(root, 'dist', 'knowledge');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'common.json'), asciiJson(common));
writeFileSync(join(folder, 'environment.json'), asciiJson(environment));
for (const [id, { knowledge }] of frameworks) {
  const text = storedText(knowledge);
  writeFileSync(join(folder, `${id}.json`), text);
  console.log(
    `${id}: ${knowledge.options.length} options, ${knowledge.derivations.length} derivations, ${knowledge.constraints.length} constraints, ${Math.round(text.length / 1024)} KiB`,
  );
}
if (problems.length > 0) {
  console.error(`${problems.length} problem(s) in schemas/`);
  if (!tolerant) process.exitCode = 1;
}
