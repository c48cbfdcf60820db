import { strict as assert } from 'node:assert';

/** The walkthrough opens with its four steps and pictures. */
export async function walkthrough({ page, command, settle, pressed }, { picture }) {
  // Pictures stand beside the steps only where there is room.
  await pressed('Control+B');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  await command('Welcome: Open Walkthrough...');
  const input = page.locator('.quick-input-widget input.input');
  await input.waitFor();
  await input.fill('Get started with oomlint');
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: 'Get started with oomlint' })
    .first()
    .waitFor();
  await pressed('Enter');
  const steps = page.locator('.getting-started-step');
  await steps.first().waitFor();
  assert.equal(await steps.count(), 4);
  await page.locator('.getting-started-media img').first().waitFor();
  await settle();
  await picture('walkthrough');
}
