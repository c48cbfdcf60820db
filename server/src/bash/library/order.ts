/** Whether a text sorts after another one in every locale: they first differ in lower-case letters or digits. */
export function follows(before: string | undefined, text: string): boolean {
  if (before === undefined || before === text) return false;
  let at = 0;
  while (at < before.length && before[at] === text[at]) at += 1;
  return /^[a-z0-9]?$/.test(before.charAt(at)) && /^[a-z0-9]$/.test(text.charAt(at));
}
