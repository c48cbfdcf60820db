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

/** A text for people in which the symbols that our reports use are spelled in ASCII. Other non-ASCII characters, as in file names, stay. */
export function inAscii(text: string): string {
  return text.replace(spelled, (character) => spellings[character] ?? character);
}
