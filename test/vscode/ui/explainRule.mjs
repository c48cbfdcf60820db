/** The page of a rule opens in the editor, from the package. */
export async function explainRule({ page, command, settle, pressed, close }, { picture }) {
  await command('oomlint: Explain rule');
  const input = page.locator('.quick-input-widget input.input');
  await input.waitFor();
  await input.fill('megatron-lm/cpu-offload-needs-one-stage');
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: 'cpu-offload-needs-one-stage' })
    .first()
    .waitFor();
  await pressed('Enter');
  const preview = page
    .frameLocator('iframe.webview.ready')
    .last()
    .frameLocator('#active-frame')
    .locator('h1', { hasText: 'cpu-offload-needs-one-stage' });
  await preview.waitFor();
  await settle();
  await picture('rule');
  await close();
}
