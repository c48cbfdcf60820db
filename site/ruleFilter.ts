/** A part of the list of rules: a heading with everything below it, up to the next heading of its level. */
interface Section {
  readonly heading: Element;
  readonly rank: number;
}

const main = document.querySelector('main');
const title = main?.querySelector('h1');

/**
 * A normalized text in which a setting looks the same as an option, in a configuration and in prose: `--micro-batch-size`, `micro_batch_size`,
 * `micro batch size`.
 */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^-+|(?<=\s)-+/g, '')
    .replaceAll(/[_\s]+/g, '-');
}

/** The words to search for: users may paste a message as shown, with numbers that the rule's text does not contain. */
function wordsOf(typed: string): string[] {
  return typed
    .split(/[\s/,;()"'`=]+/)
    .map((word) => plain(word).replace(/[.:!?]+$/, ''))
    .filter((word) => word !== '' && !/^[\d.%]+$/.test(word));
}

/** The line of a rule, and the text in which words are searched. */
interface Listed {
  readonly item: HTMLElement;
  readonly href: string;
  text: string;
}

const rules = [...(main?.querySelectorAll('li') ?? [])].map((item): Listed => {
  const href = item.querySelector('a')?.getAttribute('href') ?? '';
  // The address contains the framework.
  return { item, href, text: plain(`${item.textContent ?? ''} ${href}`) };
});
const lists = [...(main?.querySelectorAll('ul') ?? [])];
const sections: readonly Section[] = [...(main?.querySelectorAll('h2, h3') ?? [])].map((heading) => ({
  heading,
  rank: Number(heading.tagName.slice(1)),
}));

/** Whether any rule is shown below a heading. */
function hasRules({ heading, rank }: Section): boolean {
  for (let next = heading.nextElementSibling; next !== null; next = next.nextElementSibling) {
    if (/^H[1-6]$/.test(next.tagName) && Number(next.tagName.slice(1)) <= rank) return false;
    if (next.tagName === 'UL' && !next.hasAttribute('hidden')) return true;
  }
  return false;
}

/** Shows the rules whose lines contain all words, and the headings above them. @returns how many rules are shown */
function show(words: readonly string[]): number {
  let count = 0;
  for (const { item, text } of rules) {
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) count++;
  }
  for (const list of lists) list.hidden = list.querySelector(':scope > li:not([hidden])') === null;
  for (const section of sections) {
    const isHidden = !hasRules(section);
    section.heading.toggleAttribute('hidden', isHidden);
    // The paragraph about the rules below the heading.
    const next = section.heading.nextElementSibling;
    if (next?.tagName === 'P') next.toggleAttribute('hidden', isHidden);
  }
  return count;
}

/** Adds the content of the rules' pages to the searched text: a separate file, since most readers never need it. */
function loadPages(then: () => void): void {
  const script = document.createElement('script');
  script.src = new URL('../../assets/ruleWords.js', location.href).href;
  script.addEventListener('load', () => {
    const words: unknown = Reflect.get(globalThis, 'ruleWords');
    if (typeof words !== 'object' || words === null) return;
    for (const rule of rules) rule.text += `-${String(Reflect.get(words, rule.href) ?? '')}`;
    then();
  });
  document.head.append(script);
}

/** Adds a field above the list that filters the rules by what is typed: a setting, a word of a message, a severity. */
function addFilter(below: Element): void {
  const label = document.createElement('label');
  label.className = 'filter';
  label.textContent = 'Find rules ';
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'a setting, a word, a file, error …';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  status.className = 'note';
  label.append(input);
  const bar = document.createElement('p');
  bar.append(label, ' ', status);
  below.after(bar);
  const update = (): void => {
    const words = wordsOf(input.value);
    const count = show(words);
    if (words.length === 0) status.textContent = '';
    else if (count > 0) status.textContent = `${count} of ${rules.length}`;
    else status.textContent = 'No rule has all these words. Try fewer of them, or the name of the setting.';
  };
  input.addEventListener('input', update);
  input.addEventListener('focus', () => loadPages(update), { once: true });
  // A browser restores the field when it goes back to the page.
  update();
}

if (title !== null && title !== undefined) addFilter(title);
