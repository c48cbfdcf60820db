/**
 * A constraint's message without a run: what stands for its `{…}` parts. Names and short sums of names are shown, texts that only some runs have
 * are left out, alternatives are joined, and any other expression is `…`.
 * @param show how an expression is set apart from the text
 */
export function messageText(message: string, show: (expression: string) => string): string {
  return message.replace(/\{\{|\{([^{}]+)\}/g, (_, expression: string | undefined) => {
    if (expression === undefined) return '{';
    const texts = /\? *"([^"]*)" *: *"([^"]*)"$/.exec(expression);
    if (texts === null) return show(isPlain(expression) ? expression : '…');
    const [, one = '', other = ''] = texts;
    if (one !== '' && other !== '') return `${one} or ${other}`;
    // Of the endings for one and for many a rule speaks of many.
    return / == 1 \?/.test(expression) ? other : '';
  });
}

/** Longest expression that is shown as it is. */
const longest = 60;

function isPlain(expression: string): boolean {
  return expression.length <= longest && /^[\w.$]+(?: (?:\*|\/\/?|\+|-) [\w.$]+)*$/.test(expression);
}
