import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const site = join(root, 'build/site');
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Where pictures of the pages go, if somebody wants to look at them. */
const pictures = process.env.OOMLINT_PICTURES;

let server: Server;
let base = '';
let browser: Browser | undefined;

beforeAll(async () => {
  const done = spawnSync(process.execPath, ['tools/run.mjs', 'tools/site/build.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
  server = createServer((request, response) => {
    const path = join(site, decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
    if (!path.startsWith(site) || !existsSync(path) || statSync(path).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    response.end(readFileSync(path));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address: string | AddressInfo | null = server.address();
  base = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/` : '';
  if (chromium !== undefined)
    browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

function* pages(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pages(path);
    else if (entry.name.endsWith('.html')) yield path;
  }
}

describe('the site', () => {
  it('has a page for each rule, working links, and loads nothing from other sites', () => {
    const all = [...pages(site)];
    expect(all.length).toBeGreaterThan(500);
    for (const page of all) {
      const text = readFileSync(page, 'utf8');
      for (const [, attribute, to = ''] of text.matchAll(/\s(href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(to)) {
          expect(attribute, `${page} loads ${to}`).toBe('href');
          continue;
        }
        const [path = '', anchor] = to.split('#');
        const target = path === '' ? page : resolve(page, '..', decodeURIComponent(path));
        expect(existsSync(target), `${page}: ${to}`).toBe(true);
        if (anchor !== undefined && anchor !== '')
          expect(readFileSync(target, 'utf8'), `${page}: ${to}`).toContain(
            `id="${decodeURIComponent(anchor)}"`,
          );
      }
    }
  });
});

describe.skipIf(chromium === undefined)('a phone', () => {
  it.each(['index', 'playground', 'docs/configuration', 'docs/rules/index'])(
    'shows %s within its width, however long the names',
    async (name) => {
      if (browser === undefined) throw new Error('no browser');
      const page = await browser.newPage();
      await page.setViewport({ width: 390, height: 800 });
      await page.goto(`${base}${name}.html`);
      expect(await page.$eval(':root', ({ scrollWidth }) => scrollWidth)).toBe(390);
      await page.close();
    },
    60_000,
  );
});

describe.skipIf(chromium === undefined)('the start page', () => {
  it('links to the playground, and breaks no option name across lines', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.goto(`${base}index.html`);
    expect(await page.$eval('main p > a.start', (link) => link.getAttribute('href'))).toBe('playground.html');
    const heights = await page.$$eval('main p, main td', (texts) =>
      texts.flatMap((text) =>
        [...text.querySelectorAll('.whole')].map((name) => [
          name.textContent,
          name.getBoundingClientRect().height,
        ]),
      ),
    );
    expect(heights.length).toBeGreaterThan(10);
    expect(heights.filter(([, height]) => Number(height) > 30)).toEqual([]);
    await page.close();
  }, 60_000);
});

describe.skipIf(chromium === undefined)('the list of rules', () => {
  it('is filtered to the rules that match what is typed, under their headings', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.goto(`${base}docs/rules/index.html`);
    const shown = (selector: string): Promise<string[]> =>
      page.$$eval(selector, (all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.textContent ?? ''),
      );
    const all = (await shown('main li')).length;
    await page.type('input[type=search]', 'slime expert-grid ERROR');
    const [only, ...others] = await shown('main li');
    expect(others).toEqual([]);
    expect(only).toContain('expert-grid-does-not-tile-the-gpus');
    expect(await shown('main h2')).toEqual(['slime']);
    expect(await shown('main h3')).toEqual(['slime: startup']);
    expect((await shown('main h2 + p')).length).toBe(1);
    expect(await page.$eval('[role=status]', (status) => status.textContent)).toBe(`1 of ${all}`);
    await page.close();
  }, 60_000);
});

describe.skipIf(chromium === undefined)('the list of rules, opened as a file', () => {
  it('can be searched by settings in any spelling, by messages as shown, and by text that only the pages have', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(site, 'docs/rules/index.html')).href);
    const found = async (typed: string): Promise<string[]> => {
      await page.$eval('input[type=search]', (input) => input.setAttribute('value', ''));
      await page.click('input[type=search]', { count: 3 });
      await page.keyboard.press('Backspace');
      await page.keyboard.sendCharacter(typed);
      return page.$$eval('main li:not([hidden])', (all) =>
        all.map((one) => one.querySelector('a')?.textContent ?? ''),
      );
    };
    // The text of the pages is loaded with the first word that is searched for.
    await found('slime');
    await page.waitForFunction("'ruleWords' in globalThis");
    const options = await found('--micro-batch-size');
    expect(options.length).toBeGreaterThan(10);
    expect(await found('micro_batch_size')).toEqual(options);
    expect(await found('32 layers cannot be shared evenly by 3 pipeline stages.')).toContain(
      'layers-divide-stages',
    );
    const upstream = await found('slime/utils/arguments.py ValueError');
    expect(upstream.length).toBeGreaterThan(3);
    expect(await found('zzzzz')).toEqual([]);
    expect(await page.$eval('[role=status]', (status) => status.textContent)).toContain('No rule has');
    await page.goto(pathToFileURL(join(site, 'playground.html')).href);
    await page.waitForFunction("document.querySelector('#status')?.textContent?.includes('web server')");
    await page.close();
  }, 60_000);
});

describe.skipIf(chromium === undefined)('the keyboard alone', () => {
  it('reaches the text of a page past its links, and what is wider than the page', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.goto(`${base}docs/ci.html`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.matches("main *")')).toBe(true);
    expect(await page.$$eval('pre', (all) => all.every((one) => one.tabIndex === 0))).toBe(true);
    await page.goto(`${base}playground.html`);
    expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
    await page.close();
  }, 60_000);
});

describe.skipIf(chromium === undefined)('the playground', () => {
  it('shows findings and what would start, and applies fixes, without requests to other sites', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 1000 });
    const foreign: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${base}playground.html`);
    await page.waitForSelector('.finding', { timeout: 240_000 });
    const count = (): Promise<number> => page.$$eval('.finding', (list) => list.length);
    const before = await count();
    expect(before).toBeGreaterThan(3);
    expect(await page.$eval('#resolved', (box) => box.textContent)).toContain('pretrain_gpt.py');
    expect(await page.$$eval('.cm-lintRange', (list) => list.length)).toBeGreaterThan(0);
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${join(pictures, 'playground')}.png` });
    }
    await page.click('.fix');
    await page.waitForFunction(`document.querySelectorAll('.finding').length < ${before}`);
    await page.click('#fix-all');
    await page.waitForFunction("document.querySelectorAll('.finding.error').length === 0");
    await page.click('.cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 --pipeline-model-parallel-size 4 --data-path "<img src=x>" --no-such "<img src=x>"',
    );
    await page.waitForFunction(
      "document.querySelector('#findings')?.textContent?.includes('layers-divide-stages')",
    );
    expect(await page.$('#findings img')).toBeNull();
    await page.select('#example', 'areal/gsm8k_grpo.yaml');
    await page.waitForFunction("document.querySelector('#status')?.textContent?.startsWith('AReaL')");
    await page.goto(`${base}docs/rules/index.html`);
    if (pictures !== undefined) await page.screenshot({ path: `${join(pictures, 'rules')}.png` });
    await page.goto(`${base}index.html`);
    if (pictures !== undefined) await page.screenshot({ path: `${join(pictures, 'home')}.png` });
    expect(foreign).toEqual([]);
    expect(faults).toEqual([]);
  }, 180_000);

  it('returns to the previous example, and opens the text of a link', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    const says = (status: string): Promise<unknown> =>
      page.waitForFunction(`document.querySelector('#status')?.textContent?.startsWith('${status}')`);
    const named = (): Promise<unknown> => page.evaluate("document.querySelector('#example').value");
    await page.goto(`${base}playground.html`);
    await says('Megatron-LM');
    await page.select('#example', 'areal/gsm8k_grpo.yaml');
    await says('AReaL');
    await page.goBack();
    await says('Megatron-LM');
    expect(await named()).toBe('megatron/pretrain_70b.sh');
    await page.goForward();
    await says('AReaL');
    const example = await page.$eval('.cm-content', ({ textContent }) => textContent);
    await page.click('#copy-link');
    await page.waitForFunction("location.hash.startsWith('#text=')");
    const link = page.url();
    const other = await browser.newPage();
    await other.goto(link);
    await other.waitForSelector('.finding');
    expect(await other.$eval('.cm-content', ({ textContent }) => textContent)).toBe(example);
    await other.goto('about:blank');
    await other.goto(link.slice(0, -20));
    await other.waitForFunction("document.querySelector('#status')?.textContent?.includes('cut off')");
    await other.close();
    await page.close();
  }, 120_000);

  it('stays usable while the engine is busy, and shows the result for the last text', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    // Texts do not reach the engine until they are released.
    await page.evaluateOnNewDocument(`
      globalThis.held = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message) {
        if (globalThis.holds && message.wanted === 'look') globalThis.held.push(() => post.call(this, message));
        else post.call(this, message);
      };`);
    const says = (status: string): Promise<unknown> =>
      page.waitForFunction(`document.querySelector('#status')?.textContent?.startsWith('${status}')`);
    await page.goto(`${base}playground.html`);
    await says('Megatron-LM');
    await page.evaluate('globalThis.holds = true');
    await page.select('#example', 'areal/gsm8k_grpo.yaml');
    await says('Looking…');
    await page.select('#example', 'skyrl/run_gsm8k.sh');
    await page.waitForFunction("document.querySelector('.cm-content').textContent.includes('skyrl')");
    await page.click('.cm-content');
    await page.keyboard.type('# typed meanwhile ');
    expect(await page.$eval('.cm-content', ({ textContent }) => textContent)).toContain('# typed meanwhile ');
    expect(await page.evaluate('globalThis.held.length')).toBe(1);
    await page.evaluate('globalThis.holds = false; for (const go of globalThis.held) go();');
    await says('SkyRL');
    await page.close();
  }, 120_000);

  it('says why it cannot start when its knowledge is missing', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(`
      const RealWorker = Worker;
      globalThis.Worker = function (script) {
        const text = "const real = fetch; self.fetch = () => real('/none'); importScripts('" + new URL(script, location.href) + "')";
        return new RealWorker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
      };`);
    await page.goto(`${base}playground.html`);
    await page.waitForFunction("document.querySelector('#status')?.textContent?.includes('cannot start: ')");
    await page.close();
  }, 60_000);

  it('says that it needs JavaScript when there is none', async () => {
    if (browser === undefined) throw new Error('no browser');
    const page = await browser.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${base}playground.html`);
    const text = await page.$eval('main', (main) => main.innerText);
    expect(text).toContain('needs JavaScript');
    expect(text).not.toContain('Loading');
    await page.close();
  }, 60_000);
});
