// Builds where npm makes a package of this repository out of Git, as pre-commit does (`npm install --global git+file://…`): npm then runs neither
// `prepack` nor, since the inner installation is global as well, brings what the build needs. In a checkout of one's own nothing is done.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Whether the packages that the build needs are there. */
function isInstalled() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

/** Runs Node.js in the repository; ends this program where it fails. */
function run(args, env = process.env) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

/** Settings of npm that say where the outer installation goes and what it takes, which are none of the inner one's. */
const ofOuter =
  /^npm_config_(?:global|location|prefix|(?:global|local)_prefix|omit|include|only|production|dry_run|install_links)$/i;

// npm names the folder in which it was called; where a package is prepared for another place, that is not this one.
if (resolve(process.env.INIT_CWD ?? root) !== root) {
  const npm = process.env.npm_execpath;
  if (!isInstalled() && npm !== undefined) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuter.test(name)));
    run([npm, 'ci', '--include=dev', '--no-audit', '--no-fund'], env);
  }
  run(['tools/build.mjs']);
}
