// Validates YAML files with the library behind yaml-language-server, without a schema, in one process:
//   node tools/bench/yamlPeer.mjs PEERS < LIST
// PEERS is a folder in which yaml-language-server is installed, LIST the files, one a line. Prints the number of diagnostics.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '.'] = process.argv.slice(2);
const { getLanguageService, TextDocument } = createRequire(join(folder, 'node_modules', 'peer.cjs'))(
  'yaml-language-server',
);
const service = getLanguageService({
  schemaRequestService: async (uri) => {
    throw new Error(`${uri} is not fetched`);
  },
  workspaceContext: { resolveRelativePath: (path) => path },
});
service.configure({ validate: true });
let diagnostics = 0;
for (const file of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const document = TextDocument.create(pathToFileURL(file).href, 'yaml', 1, readFileSync(file, 'utf8'));
  diagnostics += (await service.doValidation(document, false)).length;
}
console.log(diagnostics);
