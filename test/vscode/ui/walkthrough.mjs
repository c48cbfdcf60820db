import { strict as assert } from 'node:assert';

/** The walkthrough opens with its four steps and pictures. */
export async function walkthrough({ page, command, settle, pressed, pick }, { picture }) {
  // Pictures stand beside the steps only where there is room.
  await pressed('Control+B');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  await command('Welcome: Open Walkthrough...');
  await pick('Get started with oomlint');
  const steps = page.locator('.getting-started-step');
  await steps.first().waitFor();
  assert.equal(await steps.count(), 4);
  await page.locator('.getting-started-media img').first().waitFor();
  await settle();
  await picture('walkthrough');
}
