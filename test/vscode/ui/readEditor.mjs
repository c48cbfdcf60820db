import { strict as assert } from 'node:assert';

/** The script as it opens: squiggles, the lens over the launch, hints behind variables, a hover, the Problems panel. */
export async function readEditor(
  { page, editor, line, word, pressed, until, settle },
  { picture, editorArea },
) {
  const script = 'scripts/pretrain.sh';
  await editor(script).waitFor();
  await editor(script).locator('.squiggly-error').first().waitFor();
  const lens = editor(script).locator('.codelens-decoration a', { hasText: 'Megatron-LM' });
  await lens.waitFor();
  assert.match((await lens.innerText()).replace(/\s+/g, ' '), /16 GPUs/);
  await until('the value behind $PP', async () =>
    /\$PP.*2/.test((await line(script, '--pipeline-model-parallel-size').innerText()).replace(/\s+/g, ' ')),
  );
  await settle();
  await picture('editor');
  await picture('walkthrough-step-open', editorArea);

  await word(script, '--cpu-offloading-num-layers').hover();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'Default' });
  await hover.waitFor();
  assert.match(await hover.innerText(), /In force:/);
  await settle();
  await picture('hover');
  await pressed('Escape');

  // With a keyboard shortcut, Ctrl would underline the hovered word as a link, also in the picture.
  const counts = page.locator('[id="status.problems"] a');
  await counts.click();
  const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'one pipeline stage' }).first();
  await row.waitFor();
  await settle();
  await picture('problems');
  await counts.click();
  await page.locator('.markers-panel').waitFor({ state: 'hidden' });
}
