/** The page of a rule opens in the editor, from the package. */
export async function explainRule({ page, command, settle, pick, close }, { picture }) {
  await command('oomlint: Explain rule');
  await pick('megatron-lm/cpu-offload-needs-one-stage', 'cpu-offload-needs-one-stage');
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
