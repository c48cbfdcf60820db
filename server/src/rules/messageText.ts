/**
 * A constraint's message without a run: what stands for its `{…}` parts. Names and short sums of names are shown, texts that only some runs have
 * are left out, also those that common rules add to a sentence (`{hint}`), alternatives are joined, and any other expression is `…`.
 * @param show how an expression is set apart from the text
 */
export function messageText(message: string, show: (expression: string) => string): string {
  return message.replace(
    /\{\{|(?<=[^\s])\{(?:hint|detail|instead)\}|\{([^{}]+)\}/g,
    (all, expression?: string) => {
      if (expression === undefined) return all === '{{' ? '{' : '';
      const texts = /\? *"([^"]*)" *: *"([^"]*)"$/.exec(expression);
      if (texts === null) return show(isPlain(expression) ? expression : '…');
      const [, one = '', other = ''] = texts;
      if (one !== '' && other !== '') return `${one} or ${other}`;
      // Of the endings for one and for many a rule speaks of many.
      return / == 1 \?/.test(expression) ? other : '';
    },
  );
}

/** Longest expression that is shown as it is. */
const longest = 60;

function isPlain(expression: string): boolean {
  return expression.length <= longest && /^[\w.$]+(?: (?:\*|\/\/?|\+|-) [\w.$]+)*$/.test(expression);
}
