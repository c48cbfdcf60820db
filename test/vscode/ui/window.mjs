import { strict as assert } from 'node:assert';

/** Longest wait for something to show, in milliseconds. */
const patience = 120_000;

/** A window of the workbench with the gestures that the scenes need. */
export async function openWindow({ page, server, workspace, file }) {
  const payload = [['skipWelcome', 'true']];
  if (file !== undefined) payload.push(['openFile', server.remote(`${workspace}/${file}`)]);
  page.setDefaultTimeout(patience);
  await page.goto(server.url({ folder: workspace, payload }));
  await page.locator('.monaco-workbench').waitFor();
  const editor = (name) => page.locator(`.editor-instance .monaco-editor[data-uri$="${name}"]`);
  const pressed = async (keys) => page.keyboard.press(keys);
  const input = page.locator('.quick-input-widget input.input');

  /** Types into the quick pick that is open or opening, and takes the first choice. @param shown what the choice shows */
  const pick = async (typed, shown = typed) => {
    await input.waitFor();
    await input.fill(typed);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: shown }).first().waitFor();
    await pressed('Enter');
  };

  /** Runs a command by its title in the palette. */
  const command = async (title) => {
    const row = page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: page.getByText(title, { exact: true }) })
      .first();
    for (let tries = 1; ; tries++) {
      await pressed('F1');
      try {
        await input.waitFor({ timeout: 3000 });
        await input.fill(`>${title}`);
        await row.waitFor({ timeout: 5000 });
        break;
      } catch (error) {
        if (tries === 4) throw error;
        await pressed('Escape');
      }
    }
    await row.click();
  };

  /** The line of an editor that holds a text. */
  const line = (name, text) => editor(name).locator('.view-line', { hasText: text }).first();

  /** A word of an editor: each span of a line holds text of one colour. */
  const word = (name, text) => editor(name).locator('.view-line span span', { hasText: text }).first();

  /** Waits until a question is answered with yes. */
  const until = async (what, ask) => {
    const end = Date.now() + patience;
    while (!(await ask())) {
      assert.ok(Date.now() < end, `waited in vain for ${what}`);
      await page.waitForTimeout(50);
    }
  };

  /** Lets animations and late decorations settle before a picture. */
  const settle = () => page.waitForTimeout(400);

  /** Closes the editor in front. */
  const close = () => command('View: Close Editor');

  return { close, page, editor, line, word, pressed, pick, command, until, settle };
}
