/** A part of the list of rules: a heading with what stands below it, up to the next one of its rank. */
interface Section {
  readonly heading: Element;
  readonly rank: number;
}

const main = document.querySelector('main');
const title = main?.querySelector('h1');
const rules = [...(main?.querySelectorAll('li') ?? [])].map((item) => ({
  item,
  // The address names the framework.
  text: `${item.textContent ?? ''} ${item.querySelector('a')?.getAttribute('href') ?? ''}`.toLowerCase(),
}));
const lists = [...(main?.querySelectorAll('ul') ?? [])];
const sections: readonly Section[] = [...(main?.querySelectorAll('h2, h3') ?? [])].map((heading) => ({
  heading,
  rank: Number(heading.tagName.slice(1)),
}));

/** Whether a rule is shown below a heading. */
function hasRules({ heading, rank }: Section): boolean {
  for (let next = heading.nextElementSibling; next !== null; next = next.nextElementSibling) {
    if (/^H[1-6]$/.test(next.tagName) && Number(next.tagName.slice(1)) <= rank) return false;
    if (next.tagName === 'UL' && !next.hasAttribute('hidden')) return true;
  }
  return false;
}

/** Shows the rules whose lines have all words, and the headings above them. @returns how many there are */
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
    // What a heading says of its rules.
    const next = section.heading.nextElementSibling;
    if (next?.tagName === 'P') next.toggleAttribute('hidden', isHidden);
  }
  return count;
}

/** Puts a field above the list that leaves only the rules with what is typed: a setting, a word of a message, a severity. */
function addFilter(below: Element): void {
  const label = document.createElement('label');
  label.className = 'filter';
  label.textContent = 'Find rules ';
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'a setting, a word, error …';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  status.className = 'note';
  label.append(input);
  const bar = document.createElement('p');
  bar.append(label, ' ', status);
  below.after(bar);
  const update = (): void => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const count = show(words);
    status.textContent = words.length === 0 ? '' : `${count} of ${rules.length}`;
  };
  input.addEventListener('input', update);
  // A browser that goes back to the page fills the field in again.
  update();
}

if (title !== null && title !== undefined) addFilter(title);
