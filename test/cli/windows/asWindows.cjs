// Loaded before the program: makes this system answer as Windows does, as far as the program asks it. The files of a drive lie in a folder
// named like the drive, below the folder in AS_WINDOWS; those of a share lie below `unc`. Names are case-insensitive; the current folder, real
// paths and changed files are given with backslashes. A path that Windows would not accept leads nowhere and is reported.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { posix } = require('node:path');

const disks = process.env.AS_WINDOWS ?? '';
const real = { ...fs, native: fs.realpathSync.native };

Object.defineProperty(process, 'platform', { value: 'win32' });
process.cwd = () => process.env.AS_WINDOWS_CWD ?? 'C:\\';

/** The path in this test's files for a Windows path; any other path unchanged. */
function onThisSystem(path) {
  if (typeof path !== 'string') return path;
  if (/^\/(?:[a-z]:|unc:)/i.test(path)) {
    process.stderr.write(`not a path of Windows: ${path}\n`);
    return posix.join(disks, 'nowhere', path);
  }
  const [, drive, below] = /^([a-z?]):[\\/](.*)$/is.exec(path) ?? [];
  if (drive !== undefined) return inCaseOnDisk(`${drive.toLowerCase()}:/${below.replaceAll('\\', '/')}`);
  const share = /^[\\/]{2}(?=[^\\/])(.*)$/s.exec(path)?.[1];
  return share === undefined ? path : inCaseOnDisk(`unc/${share.replaceAll('\\', '/')}`);
}

/** The same path, in the letter case that exists on disk. */
function inCaseOnDisk(way) {
  // A drive occurs within a path if the glob library has put the current folder before it.
  const parts = way
    .replace(/^.*\/(?=[a-z]:\/)/i, '')
    .split('/')
    .filter((part) => part !== '');
  let at = disks;
  for (const part of parts) {
    let names = [];
    try {
      names = real.readdirSync(at);
    } catch {
      // Then nothing exists there, under any name.
    }
    const found = names.find((name) => name.toLowerCase() === part.toLowerCase());
    at = posix.join(at, found ?? part);
  }
  return at;
}

/** A path of this test as Windows writes it. */
function onWindows(path) {
  const within = posix.relative(disks, path);
  if (within.startsWith('..')) return path;
  const windows = within.startsWith('unc/')
    ? `//${within.slice(4)}`
    : within.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  return windows.replaceAll('/', '\\');
}

const ofOnePath = [
  'appendFileSync',
  'chmodSync',
  'existsSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readdirSync',
  'readlinkSync',
  'rmSync',
  'statSync',
  'writeFileSync',
];
for (const name of ofOnePath) fs[name] = (path, ...others) => real[name](onThisSystem(path), ...others);
fs.renameSync = (from, to) => real.renameSync(onThisSystem(from), onThisSystem(to));
fs.realpathSync = (path, ...others) => {
  const resolved = real.realpathSync(onThisSystem(path), ...others);
  return onThisSystem(path) === path ? resolved : onWindows(resolved);
};
fs.realpathSync.native = (path) => onWindows(real.native(onThisSystem(path)));
fs.readSync = (...words) => {
  const read = real.readSync(...words);
  // As Node behaves on Windows at the end of a pipe (nodejs/node#35997).
  if (read === 0 && words[0] === 0) throw Object.assign(new Error('EOF: end of file, read'), { code: 'EOF' });
  return read;
};
fs.watch = (path, options, listener) =>
  real.watch(onThisSystem(path), options, (kind, name) =>
    listener(kind, name?.replaceAll('/', '\\') ?? null),
  );

const { spawnSync } = childProcess;
childProcess.spawnSync = (program, words, options) => {
  if (!/^C:\\git\\git\.exe$/i.test(program)) return { error: new Error(`ENOENT: ${program}`) };
  const done = spawnSync('git', words, {
    ...options,
    cwd: onThisSystem(options.cwd),
    env: { ...options.env, PATH: '/usr/bin:/bin' },
  });
  return { ...done, stdout: done.stdout?.replaceAll(`${disks}/c:`, 'C:') };
};
