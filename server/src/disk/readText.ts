import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { onDisk } from './native.ts';

/** Largest file that is read, in bytes. Launch scripts and configurations are a thousand times smaller. */
const largestFile = 4 * 1024 * 1024;
/** How many bytes of an unreadable file are looked at. */
const glimpsed = 4 * largestFile;

/** A file's text, or why it cannot be read. */
export type TextFile = { readonly text: string } | { readonly problem: string };

/** Decodes bytes as UTF-8 (with or without a byte order mark); refuses binary data. */
function decodeText(bytes: Uint8Array): TextFile {
  const encoding = wideEncoding(bytes);
  if (encoding !== undefined) return { problem: `is in ${encoding}; only UTF-8 is read` };
  const zero = bytes.indexOf(0);
  if (zero !== -1) return { problem: `is not a text file (a zero byte at offset ${zero})` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const { line, column } = firstBadByte(bytes);
    return { problem: `is not valid UTF-8 (line ${line}, byte ${column})` };
  }
}

/** The encoding given by a byte order mark, as Windows PowerShell writes its files; undefined for UTF-8. */
function wideEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'UTF-16 LE';
  return first === 0xfe && second === 0xff ? 'UTF-16 BE' : undefined;
}

/** Line, and byte in the line, of the first byte that is not UTF-8; both count from one. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, lineStart)) {
    if (!decodes(bytes.subarray(lineStart, at))) break;
    line++;
    lineStart = at + 1;
  }
  const end = bytes.indexOf(10, lineStart);
  const bad = bytes.subarray(lineStart, end === -1 ? bytes.length : end);
  // Finds the longest prefix that decodes; `stream` allows a character that is cut off at the end.
  let low = 0;
  let high = bad.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decodes(bad.subarray(0, middle), true)) low = middle;
    else high = middle - 1;
  }
  return { line, column: low + 1 };
}

function decodes(bytes: Uint8Array, stream = false): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

/** Reads a file of the workspace as text. */
export function readTextFile(path: string): TextFile {
  try {
    const native = onDisk(path);
    const stat = statSync(native);
    if (stat.size > largestFile) return tooLarge(`${Math.round(stat.size / 1024 / 1024)} MiB; `);
    return stat.isFile() ? decodeText(readFileSync(native)) : readStream(native);
  } catch (error) {
    return { problem: pathProblem(path, error) };
  }
}

/**
 * The content of a file that `readTextFile` refuses, close enough to tell what it is about: its beginning, one character per byte unless it is
 * UTF-16. Undefined if the system returns nothing.
 */
export function glimpseOf(path: string): string | undefined {
  try {
    const descriptor = openSync(onDisk(path), 'r');
    try {
      const bytes = new Uint8Array(glimpsed);
      const seen = bytes.subarray(0, readMore(descriptor, bytes));
      const encoding = wideEncoding(seen)?.replace(' ', '') ?? 'latin1';
      return new TextDecoder(encoding).decode(seen);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The system's error about a path, in words. */
export function pathProblem(path: string, error: unknown): string {
  const problem = systemProblem(error);
  // A folder lists a name that is not valid text with replacement characters, and then no file has that name.
  return path.includes('\uFFFD') ? `${problem} (is its name UTF-8?)` : problem;
}

function tooLarge(size = ''): TextFile {
  return { problem: `is too large (${size}at most ${largestFile / 1024 / 1024} MiB are read)` };
}

/** Reads a pipe or a device by its system name: it does not tell its size and may have no end. */
function readStream(native: string): TextFile {
  const descriptor = openSync(native, 'r');
  try {
    return readTextOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the rest of an open file as text. */
export function readTextOf(descriptor: number): TextFile {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = new Uint8Array(64 * 1024);
      const read = readMore(descriptor, chunk);
      if (read === 0) return decodeText(Buffer.concat(chunks));
      chunks.push(chunk.subarray(0, read));
      size += read;
      if (size > largestFile) return tooLarge();
    }
  } catch (error) {
    return { problem: systemProblem(error) };
  }
}

/** Reads more of an open file; 0 at its end. */
function readMore(descriptor: number, chunk: Uint8Array): number {
  try {
    return readSync(descriptor, chunk);
  } catch (error) {
    // Node's error at the end of a pipe on Windows (nodejs/node#35997).
    if (codeOf(error) === 'EOF') return 0;
    throw error;
  }
}

/** The error code of the system. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/**
 * The system's error about a file, in words.
 * @param wanted what was to be done with the file
 */
export function systemProblem(error: unknown, wanted: 'read' | 'written' = 'read'): string {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return `cannot be ${wanted}: permission denied`;
    case 'EISDIR':
      return 'is a directory';
    case 'ELOOP':
      return 'is a loop of symbolic links';
    case 'ENOSPC':
      return 'cannot be written: the disk is full';
    case 'EDQUOT':
      return 'cannot be written: the quota is used up';
    case 'EFBIG':
      return 'cannot be written: the file would be larger than the system allows';
    case 'EROFS':
      return 'cannot be written: the file system is read-only';
    default:
      return `cannot be ${wanted} (${code === '' ? String(error) : code})`;
  }
}
