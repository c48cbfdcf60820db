/**
 * A constraint's message without a run, with replacements for its `{…}` parts: names and short sums of names are shown, texts that only some
 * runs have are left out, including those that common rules add to a sentence (`{hint}`), alternatives are joined, and any other expression is
 * `…`.
 * @param show how a name or sum is set apart from the text
 */
export function messageText(message: string, show: (expression: string) => string): string {
  return message.replace(
    /\{\{|(?<=[^\s])\{(?:hint|detail|instead)\}|\{([^{}]+)\}/g,
    (all, expression?: string) => {
      if (expression === undefined) return all === '{{' ? '{' : '';
      const [, , options] = /^(first_given|first_true|first_below)\(([^()]*)\)/.exec(expression) ?? [];
      if (options !== undefined) return alternatives(options.split(/, */).filter(isName).map(show));
      const texts = textsOf(expression);
      if (texts === undefined) return isPlain(expression) ? show(expression) : '…';
      if (!texts.includes('')) return alternatives(texts);
      // Between a singular and a plural ending, a rule uses the plural.
      return / == 1 \?/.test(expression) ? (texts[1] ?? '') : '';
    },
  );
}

/** A text of a rule for readers without a run. */
export function readable(text: string): string {
  return messageText(text, (expression) => `‹${expression}›`);
}

/** The most alternatives that are named. */
const mostAlternatives = 5;

function alternatives(texts: readonly string[]): string {
  const last = texts.at(-1);
  if (last === undefined || texts.length === 1) return last ?? '';
  if (texts.length > mostAlternatives) return `${texts.slice(0, mostAlternatives - 1).join(', ')} or another`;
  return `${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** The texts of a choice; undefined if it contains more than texts. */
function textsOf(expression: string): readonly string[] | undefined {
  const texts = [...expression.matchAll(/[?:] *\(?"([^"]*)"(?= *(?:$|[:)]))/g)].map(([, text = '']) => text);
  return texts.length > 1 && texts.length === expression.split('?').length ? texts : undefined;
}

function isName(text: string): boolean {
  return /^[A-Za-z_]/.test(text);
}

/** Longest expression that is shown verbatim. */
const longest = 60;

function isPlain(expression: string): boolean {
  return expression.length <= longest && /^[\w.$]+(?: (?:\*|\/\/?|\+|-) [\w.$]+)*$/.test(expression);
}
