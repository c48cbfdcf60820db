/** A click on the lens opens the command that would really start beside the script. */
export async function showResolved({ page, editor, settle, close, until }, { picture, editorArea }) {
  await editor('scripts/pretrain.sh').locator('.codelens-decoration a', { hasText: 'Megatron-LM' }).click();
  const view = page.locator('.editor-instance .monaco-editor[data-uri^="oomlint-resolved"]');
  await view.waitFor();
  await until('the words of the command', async () => /torchrun/.test(await view.innerText()));
  await settle();
  await picture('resolved');
  await picture('walkthrough-step-resolve', editorArea);
  await view.click();
  await close();
  await view.waitFor({ state: 'detached' });
}
