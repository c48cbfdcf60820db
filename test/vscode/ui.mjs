// Drives the workbench with the packaged extension as a user does, and takes a picture of each scene. The exit code is the result.
//   node ui.mjs            pictures go to harness/build/screenshots
//   node ui.mjs --pictures also renews docs/images and assets/walkthrough
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from './paths.mjs';
import { applyFix } from './ui/applyFix.mjs';
import { explainRule } from './ui/explainRule.mjs';
import { readEditor } from './ui/readEditor.mjs';
import { seeStatus } from './ui/seeStatus.mjs';
import { showConfig } from './ui/showConfig.mjs';
import { showResolved } from './ui/showResolved.mjs';
import { walkthrough } from './ui/walkthrough.mjs';
import { openWindow } from './ui/window.mjs';
import { installExtension, launchBrowser, startServer } from './workbench.mjs';

/** The scenes in their order; each starts where the one before it ended. */
const scenes = { readEditor, seeStatus, showResolved, applyFix, explainRule, showConfig, walkthrough };

/** The part of the window that holds the editors, in pixels. */
const editorArea = { x: 352, y: 5, width: 848, height: 575 };

/** The editors with the side bar hidden. */
const wholeArea = { x: 52, y: 5, width: 1148, height: 640 };

/** The width of the largest picture in the package, in pixels. */
const widest = 640;

/** A picture small enough for the package: WebP is a fifth of the size of PNG. */
async function smallPicture(page, path, clip) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 45,
    clip: { ...clip, scale: Math.min(0.66, widest / clip.width) },
  });
  writeFileSync(path, Buffer.from(data, 'base64'));
  await session.detach();
}

/** One pass through all scenes in a colour theme. */
async function pass(theme, take) {
  const work = mkdtempSync(join(tmpdir(), 'oomlint-ui-'));
  const extensions = join(work, 'extensions');
  const workspace = join(work, 'training');
  cpSync(join(import.meta.dirname, 'workspace'), workspace, { recursive: true });
  installExtension(extensions, join(work, 'data'));
  const server = await startServer({
    extensions,
    settings: {
      'workbench.colorTheme': theme === 'dark' ? 'Default Dark Modern' : 'Default Light Modern',
      'editor.minimap.enabled': false,
      'explorer.openEditors.visible': 0,
      'breadcrumbs.enabled': false,
      'workbench.tips.enabled': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
      'editor.fontSize': 13,
    },
  });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  const folder = join(build, 'screenshots', theme);
  mkdirSync(folder, { recursive: true });
  try {
    const window = await openWindow({ page, server, workspace, file: 'scripts/pretrain.sh' });
    for (const [name, scene] of Object.entries(scenes)) {
      const start = Date.now();
      await scene(window, {
        editorArea,
        wholeArea,
        /** Takes a picture of the window, or of the part of it that goes into the walkthrough. */
        picture: async (title, clip) => {
          const path = join(folder, `${title}.${clip === undefined ? 'png' : 'webp'}`);
          if (clip === undefined) await page.screenshot({ path });
          else await smallPicture(page, path, clip);
          take?.(title, theme, path);
        },
        read: (path) => readFileSync(join(workspace, path), 'utf8'),
      });
      console.log(`passed  ${theme}: ${name} (${Date.now() - start} ms)`);
    }
    return true;
  } catch (error) {
    console.error(`failed  ${theme}: ${error.stack ?? error}`);
    await page.screenshot({ path: join(folder, 'failure.png') });
    return false;
  } finally {
    await browser.close();
    await server.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where pictures for readers go: dark ones into the documentation, both into the walkthrough. */
function keepPicture(title, theme, path) {
  if (title.startsWith('walkthrough-step-'))
    cpSync(
      path,
      join(root, 'assets', 'walkthrough', `${title.slice('walkthrough-step-'.length)}-${theme}.webp`),
    );
  else if (theme === 'dark') cpSync(path, join(root, 'docs', 'images', `${title}.png`));
}

const start = Date.now();
const renew = process.argv.includes('--pictures');
if (renew) mkdirSync(join(root, 'docs', 'images'), { recursive: true });
let ok = await pass('dark', renew ? keepPicture : undefined);
if (renew) ok = (await pass('light', keepPicture)) && ok;
console.log(`ui: ${ok ? 'passed' : 'failed'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
process.exitCode = ok ? 0 : 1;
