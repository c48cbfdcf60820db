/** A launch script of a number of lines: the given one, with further settings, functions and checks before its end. */
export function scriptText(base: string, lines: number): string {
  const given = base.replace(/\n?$/, '\n');
  const missing = lines - (given.split('\n').length - 1);
  const filler: string[] = [];
  for (let at = 0; filler.length < missing; at++) {
    filler.push(
      `# Step ${at} of the preparations.`,
      `CACHE_${at}="\${HOME:-/root}/cache/${at}"`,
      `if [ ! -d "$CACHE_${at}" ]; then`,
      `  mkdir -p "$CACHE_${at}"`,
      'fi',
      `LIMIT_${at}=$((${at} * 2 + 1))`,
      `echo "cache ${at} holds $LIMIT_${at} files"`,
    );
  }
  // Only whole blocks are added; the remaining lines are comments.
  const whole = Math.floor(missing / 7) * 7;
  const rest = Array.from({ length: missing - whole }, (_, at) => `# Note ${at}.`);
  const [first = '', ...others] = given.split('\n');
  return [first, ...filler.slice(0, whole), ...rest, ...others].join('\n');
}

/** A configuration of a number of lines: the given one, followed by further roles that are written like its `actor`. */
export function configText(base: string, lines: number): string {
  const given = base.replace(/\n?$/, '\n').split('\n').slice(0, -1);
  const start = given.findIndex((line) => line.startsWith('actor:'));
  const length = given.slice(start + 1).findIndex((line) => /^\S/.test(line));
  const block = given.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  const out = [...given];
  const roles = ['critic', 'ref', 'teacher'].filter((role) => !given.includes(`${role}:`));
  for (let at = 0; out.length + block.length + 1 <= lines && block.length > 0; at++)
    out.push(`${roles[at] ?? `role_${at}`}:`, ...block);
  while (out.length < lines) out.push(`# note ${out.length}`);
  return `${out.join('\n')}\n`;
}
