import { describe, expect, test } from 'vitest';
import { createUriMap } from '../../server/src/lsp/protocol/uris.ts';

describe('URIs and paths', () => {
  const cases: readonly (readonly [name: string, uri: string, path: string])[] = [
    ['plain', 'file:///repository/run.sh', '/repository/run.sh'],
    ['spaces, as editors encode them', 'file:///my%20work/a%20b.sh', '/my work/a b.sh'],
    ['a percent sign', 'file:///repository/100%25.sh', '/repository/100%.sh'],
    ['other scripts', 'file:///%E8%AE%AD%E7%BB%83/%C3%A9.sh', '/训练/é.sh'],
    ['a hash and a question mark', 'file:///repository/a%23b%3F.sh', '/repository/a#b?.sh'],
    ['a Windows drive as VS Code writes it', 'file:///c%3A/repository/run.sh', '/c:/repository/run.sh'],
    ['a share of another machine', 'file://server/share/run.sh', '/unc:/server/share/run.sh'],
    ['a share of WSL', 'file://wsl%24/Ubuntu/a%20b.sh', '/unc:/wsl$/Ubuntu/a b.sh'],
    ['a Windows drive as others write it', 'file:///C:/repository/run.sh', '/c:/repository/run.sh'],
  ];
  for (const [name, uri, path] of cases)
    test(`${name}: round trip`, () => {
      const map = createUriMap();
      expect(map.pathOf(uri)).toBe(path);
      expect(map.uriOf(path)).toBe(uri);
      // A file next to it that nobody has opened has a URI that maps back to it.
      const beside = path.replace(/[^/]+$/, 'models/m 1.sh');
      expect(map.pathOf(map.uriOf(beside))).toBe(beside);
    });

  test.each(['//repository/run.sh', '/////repository/run.sh'])(
    '%s, as a script may write it, is a file',
    (path) => {
      expect(createUriMap().uriOf(path)).toBe('file:///repository/run.sh');
    },
  );

  test('the local machine may be named', () => {
    expect(createUriMap().pathOf('file://localhost/repository/run.sh')).toBe('/repository/run.sh');
  });

  test('files below a folder on a share are on the share, too', () => {
    const map = createUriMap();
    expect(map.addFolder('file://server/share/project/')).toBe('/unc:/server/share/project');
    expect(map.uriOf('/unc:/server/share/project/m.sh')).toBe('file://server/share/project/m.sh');
  });

  test('two spellings of one file give one path', () => {
    const map = createUriMap();
    expect(map.pathOf('file:///repository/a%20b.sh')).toBe(map.pathOf('file:///repository/a b.sh'));
  });

  test.each(['file:////tmp/x.sh', '1+ä:x'])('%s, which cannot be parsed, is a document of its own', (uri) => {
    const map = createUriMap();
    expect(map.uriOf(map.pathOf(uri))).toBe(uri);
    expect(map.addFolder(uri)).toMatch(/^\//);
  });

  test('a document reopened in another language gets a path for that language', () => {
    const map = createUriMap();
    map.register('untitled:Untitled-1', 'yaml');
    map.register('untitled:Untitled-1', 'shellscript');
    const path = map.pathOf('untitled:Untitled-1');
    expect(path).toMatch(/\.sh$/);
    expect(map.uriOf(path)).toBe('untitled:Untitled-1');
  });

  test('a folder of a virtual file system gives its files their paths and URIs', () => {
    const map = createUriMap();
    expect(map.addFolder('vscode-vfs://github/team/project/')).toBe('/team/project');
    expect(map.pathOf('vscode-vfs://github/team/project/run.sh')).toBe('/team/project/run.sh');
    expect(map.uriOf('/team/project/models/m.sh')).toBe('vscode-vfs://github/team/project/models/m.sh');
  });

  test('a document that is not a file never stands for one, whichever comes first', () => {
    for (const order of [0, 1]) {
      const map = createUriMap();
      const both = ['git:/repository/run.sh?%7B%22ref%22%3A%22HEAD%22%7D', 'file:///repository/run.sh'];
      for (const uri of order === 0 ? both : [...both].reverse()) map.register(uri, 'shellscript');
      expect(map.pathOf('file:///repository/run.sh')).toBe('/repository/run.sh');
      expect(map.uriOf('/repository/run.sh')).toBe('file:///repository/run.sh');
      expect(map.pathOf(both[0] ?? '')).not.toBe('/repository/run.sh');
    }
  });

  test('cells of one notebook are separate documents, in the language given by the editor', () => {
    const map = createUriMap();
    const cells = ['W0', 'W1'].map((cell) => `vscode-notebook-cell:/repository/book.ipynb#${cell}`);
    for (const uri of cells) map.register(uri, 'shellscript');
    const paths = cells.map((uri) => map.pathOf(uri));
    expect(new Set(paths).size).toBe(2);
    for (const [at, path] of paths.entries()) {
      expect(path).toMatch(/\.sh$/);
      expect(map.uriOf(path)).toBe(cells[at]);
    }
  });

  test('new documents', () => {
    const map = createUriMap();
    map.register('untitled:Untitled-1', 'yaml');
    expect(map.pathOf('untitled:Untitled-1')).toMatch(/\.yaml$/);
    map.register('untitled:/repository/launch.sh', 'shellscript');
    expect(map.pathOf('untitled:/repository/launch.sh')).toMatch(/launch\.sh$/);
  });

  test('a path with half a surrogate pair, as truncated text may have it', () => {
    expect(createUriMap().uriOf('/repository/a\ud835.sh')).toBe('file:///repository/a%EF%BF%BD.sh');
  });
});
