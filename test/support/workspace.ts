import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach } from 'vitest';

/** The built program. */
export const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/**
 * Variables that make the program cache its compiled code across all tests of a run, as it does for a user: recompiling takes longer than most
 * tests.
 */
export const sharedCache: { readonly [name: string]: string } =
  process.env.OOMLINT_TESTS === undefined ? {} : { XDG_CACHE_HOME: join(process.env.OOMLINT_TESTS, 'cache') };

/** The result of a run of the program. */
export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder on disk that is removed after each test. */
export class Workspace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'oomlint-test-')));

  constructor(files: { readonly [path: string]: string | Uint8Array } = {}) {
    mkdirSync(join(this.folder, '.git'));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** The same workspace with another current folder. */
  inside(folder: string): Pick<Workspace, 'run'> {
    return { run: (args, input, env) => this.run(args, input, env, folder) };
  }

  /** Runs the built program in the folder, or in one below it. */
  run(
    args: readonly string[],
    input = '',
    env: { readonly [name: string]: string } = {},
    folder = '.',
  ): CommandResult {
    const done = spawnSync(process.execPath, [cli, ...args], {
      cwd: this.path(folder),
      input,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: this.folder, ...sharedCache, ...env },
      maxBuffer: 1 << 28,
    });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Makes workspaces that are removed after each test. */
export function workspaces(): (files?: { readonly [path: string]: string | Uint8Array }) => Workspace {
  const made: Workspace[] = [];
  afterEach(() => {
    for (const workspace of made.splice(0)) workspace.remove();
  });
  return (files) => {
    const workspace = new Workspace(files);
    made.push(workspace);
    return workspace;
  };
}
