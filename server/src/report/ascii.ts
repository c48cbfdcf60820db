const spellings: { readonly [character: string]: string } = {
  '│': '|',
  '┆': ':',
  '╭': '+',
  '├': '+',
  '─': '-',
  '…': '...',
  '→': '->',
  '‹': '<',
  '›': '>',
  '“': '"',
  '”': '"',
  '×': 'x',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '±': '+-',
};

const spelled = new RegExp(`[${Object.keys(spellings).join('')}]`, 'g');

/** A text for people with the marks and signs that our reports use spelled in ASCII. What else is not ASCII, as names of files may be, stays. */
export function inAscii(text: string): string {
  return text.replace(spelled, (character) => spellings[character] ?? character);
}
