import { strict as assert } from 'node:assert';

/** The language status says what the file was recognised as, and when it was linted. */
export async function seeStatus({ page, line, settle, pressed }, { picture }) {
  await line('scripts/pretrain.sh', 'set -euo').click();
  const braces = page.locator('#status\\.languageStatus');
  await braces.waitFor();
  await braces.hover();
  const status = page.locator('.hover-language-status', { hasText: 'oomlint' });
  await status.waitFor();
  const text = (await status.innerText()).replace(/\s+/g, ' ');
  assert.match(text, /oomlint: Megatron-LM/);
  assert.match(text, /through torchrun · \d\d:\d\d:\d\d/);
  await settle();
  await picture('status');
  await pressed('Escape');
}
