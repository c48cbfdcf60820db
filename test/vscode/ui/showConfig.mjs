/** A new configuration opens with examples of its settings. */
export async function showConfig({ page, command, editor, settle, close }, { picture, editorArea }) {
  await command('oomlint: Create configuration');
  await editor('.oomlint.yaml').waitFor();
  await page.locator('.tab.active', { hasText: '.oomlint.yaml' }).waitFor();
  await settle();
  await picture('configuration');
  await picture('walkthrough-step-machine', editorArea);
  await close();
}
