// A real VS Code workbench without internet access: the server in the code-server package, opened in headless Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as chromiumPath, harness, node, vscodeServer, vsix } from './paths.mjs';

const require = createRequire(join(harness, 'package.json'));

/** Settings that keep the workbench quiet and the same everywhere. */
const quiet = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.startupPrompt': 'never',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'files.simpleDialog.enable': true,
  'files.autoSave': 'off',
  'editor.accessibilitySupport': 'off',
};

/** Installs the packaged extension into a folder of extensions. */
export function installExtension(extensions, data) {
  const done = spawnSync(
    node,
    [
      join(vscodeServer, 'out/server-main.js'),
      '--accept-server-license-terms',
      '--server-data-dir',
      data,
      '--extensions-dir',
      extensions,
      '--install-extension',
      vsix,
    ],
    { encoding: 'utf8', env: { ...process.env, EXTENSIONS_GALLERY: '{}' } },
  );
  if (done.status !== 0)
    throw new Error(`the extension could not be installed\n${done.stdout}${done.stderr}`);
}

/**
 * Starts the server, bound to this machine, behind a random token.
 * @param options `extensions`: folder of installed extensions; `settings`: of the user; `env`: for the extension host;
 * `isTrusted`: whether what is opened is trusted
 */
export async function startServer({ extensions, settings = {}, env = {}, isTrusted = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'oomlint-vscode-'));
  const data = join(folder, 'data');
  mkdirSync(join(data, 'data', 'User'), { recursive: true });
  writeFileSync(
    join(data, 'data', 'User', 'settings.json'),
    JSON.stringify({ ...quiet, 'security.workspace.trust.enabled': !isTrusted, ...settings }),
  );
  const token = randomBytes(24).toString('hex');
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  // A home and a temporary folder of its own: runs stay apart and leave no sockets behind.
  const home = join(folder, 'h');
  const temporary = join(folder, 't');
  mkdirSync(home);
  mkdirSync(temporary);
  const child = spawn(
    node,
    [
      join(vscodeServer, 'out/server-main.js'),
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile],
      ...['--accept-server-license-terms', '--disable-telemetry', '--disable-experiments'],
      ...[
        ...(isTrusted ? ['--disable-workspace-trust'] : []),
        '--enable-smoke-test-driver',
        '--server-data-dir',
        data,
      ],
      ...(extensions === undefined ? [] : ['--extensions-dir', extensions]),
    ],
    {
      env: { ...process.env, HOME: home, TMPDIR: temporary, EXTENSIONS_GALLERY: '{}', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
      return true;
    } catch {
      return false;
    }
  };
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const onExit = () => {
    kill('SIGKILL');
    remove();
  };
  process.once('exit', onExit);
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start\n${output}`)), 60_000);
    const read = (bytes) => {
      output += bytes;
      const listening = /Extension host agent listening on (\d+)/.exec(output);
      if (listening === null) return;
      clearTimeout(timer);
      resolve(Number(listening[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${output}`)));
  });
  return {
    port,
    folder,
    /** Output so far, for messages about failures. */
    output: () => output.replaceAll(token, 'TOKEN'),
    /** The URI under which the workbench knows a path of this machine. */
    remote: (path) => `vscode-remote://127.0.0.1:${port}${path}`,
    /** The address of the workbench with a folder, or a workspace file, and a payload. */
    url: ({ folder: opened, workspaceFile, payload }) => {
      const url = new URL(`http://127.0.0.1:${port}/`);
      url.searchParams.set('tkn', token);
      if (workspaceFile === undefined) url.searchParams.set('folder', opened);
      else url.searchParams.set('workspace', workspaceFile);
      url.searchParams.set('payload', JSON.stringify(payload));
      return url.href;
    },
    /** Ends the server with its extension host, terminals and watchers. */
    close: async () => {
      const gone =
        child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve();
      kill('SIGTERM');
      const timer = setTimeout(() => kill('SIGKILL'), 5000);
      await gone;
      clearTimeout(timer);
      for (let tries = 0; tries < 50 && kill(0); tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      kill('SIGKILL');
      remove();
      process.off('exit', onExit);
    },
  };
}

/** Headless Chromium that reaches nothing but this machine. */
export async function launchBrowser() {
  const { chromium } = require('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: [
      ...[
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
      ],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
