/** A click on the lens opens, beside the script, the command that would really start. */
export async function showResolved({ page, editor, settle, close, until, pressed }, { picture, wholeArea }) {
  // The two stand side by side: without the side bar there is room for both.
  const sideBar = page.locator('.part.sidebar');
  await pressed('Control+B');
  await sideBar.waitFor({ state: 'hidden' });
  await editor('scripts/pretrain.sh').locator('.codelens-decoration a', { hasText: 'Megatron-LM' }).click();
  const view = page.locator('.editor-instance .monaco-editor[data-uri^="oomlint-resolved"]');
  await view.waitFor();
  await until('the words of the command', async () => /torchrun/.test(await view.innerText()));
  await settle();
  await picture('resolved');
  await picture('walkthrough-step-resolve', wholeArea);
  await view.click();
  await close();
  await view.waitFor({ state: 'detached' });
  await pressed('Control+B');
  await sideBar.waitFor();
}
