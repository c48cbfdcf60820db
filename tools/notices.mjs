// The licences of what the bundles hold, which have to travel with them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param inputs paths of the files that were bundled, from the root of the repository
 * @returns a text with name, version, licence and licence text of each package; throws where a package has no licence text
 */
export function noticesFor(inputs) {
  const packages = new Map();
  for (const input of inputs) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder === undefined || packages.has(folder)) continue;
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:[-.]\w+)*$/i.test(entry));
    if (file === undefined || !existsSync(join(folder, file)))
      throw new Error(`${name} has no licence text in ${folder}`);
    packages.set(folder, {
      title: `${name} ${version} (${license})`,
      text: readFileSync(join(folder, file), 'utf8').trim(),
    });
  }
  const sorted = [...packages.values()].sort((a, b) => (a.title < b.title ? -1 : 1));
  const parts = sorted.map(({ title, text }) => `${title}\n${'-'.repeat(title.length)}\n\n${text}\n`);
  return `oomlint bundles the following packages.\n\n${parts.join('\n\n')}`;
}
