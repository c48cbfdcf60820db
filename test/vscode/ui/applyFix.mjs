import { strict as assert } from 'node:assert';

/** The light bulb offers fixes; the one that is taken changes the file. */
export async function applyFix(
  { page, editor, line, pressed, until, settle },
  { picture, editorArea, read },
) {
  const script = 'scripts/pretrain.sh';
  const target = line(script, '--max-position-embeddings');
  await line(script, '--max-position-embeddings').locator('span span', { hasText: '4096' }).first().click();
  const bulb = page
    .locator('.lightBulbWidget:visible, .glyph-margin-widgets [class*="codicon-gutter-lightbulb"]:visible')
    .first();
  await bulb.waitFor();
  const menu = page.locator('.action-widget .monaco-list-row.action', { hasText: 'Allow as many positions' });
  // VS Code drops a request for actions when an extension registers a provider meanwhile: ask again.
  for (let tries = 1; ; tries++) {
    await pressed('Control+.');
    try {
      await menu.waitFor({ timeout: 4000 });
      break;
    } catch (error) {
      if (tries === 5) throw error;
      await pressed('Escape');
    }
  }
  await settle();
  await picture('fix');
  await picture('walkthrough-step-fix', editorArea);
  await menu.click();
  await until('the fix in the editor', async () => /8192/.test(await target.innerText()));
  await pressed('Control+S');
  await until('the fix on disk', () => read(script).includes('--max-position-embeddings 8192'));
  assert.ok(!read(script).includes('--max-position-embeddings 4096'));
  await editor(script).waitFor();
  await settle();
  await picture('fixed');
}
