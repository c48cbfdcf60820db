/** Whether a text stands behind another one in every language: they first differ in small letters or digits. */
export function follows(before: string | undefined, text: string): boolean {
  if (before === undefined || before === text) return false;
  let at = 0;
  while (at < before.length && before[at] === text[at]) at += 1;
  return /^[a-z0-9]?$/.test(before.charAt(at)) && /^[a-z0-9]$/.test(text.charAt(at));
}
