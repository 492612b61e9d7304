// What a visitor sees: every kind of page, narrow and wide, light and dark, in each language, without scripts.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { startBrowser, startServer } from './server.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const screenshots = process.env.SCREENSHOTS;
const views = [];
for (const width of [390, 1280]) {
  for (const colorScheme of ['light', 'dark']) views.push({ width, colorScheme });
}
const pages = [
  { name: 'catalog', path: '/en/', lang: 'en' },
  { name: 'catalog-applications', path: '/en/?kind=application', lang: 'en' },
  { name: 'catalog', path: '/zh-CN/', lang: 'zh-CN' },
  { name: 'conversational', path: '/roles/english-conversation-teacher', lang: 'en' },
  { name: 'conversational', path: '/zh-CN/roles/english-conversation-teacher', lang: 'zh-CN' },
  { name: 'arabic-role', path: '/roles/arabic-calligraphy-tutor', lang: 'en' },
  { name: 'application', path: '/roles/typing-word-game', lang: 'en' },
  { name: 'version', path: '/roles/recipe-planner/versions/1.4.1', lang: 'en' },
  { name: 'code', path: '/docs/errors/ROLE_CONTRACT_FIELD_INVALID', lang: 'en' },
  { name: 'not-found', path: '/roles/nobody-has-this', lang: 'en', status: 404 },
  { name: 'not-found', path: '/zh-CN/roles/nobody-has-this', lang: 'zh-CN', status: 404 },
];

let server;
let browser;
before(async () => {
  server = await startServer();
  browser = await startBrowser();
  if (screenshots) await mkdir(screenshots, { recursive: true });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const { name, path, lang, status = 200 } of pages) {
  for (const { width, colorScheme } of views) {
    test(`${path} at ${width} px, ${colorScheme}, is whole, fits, and stays on the site`, async () => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        javaScriptEnabled: false,
      });
      const page = await context.newPage();
      const faults = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(server.origin) && !url.startsWith('data:')) faults.push(`${url} is another site`);
      });
      page.on('response', (response) => {
        const isPage = response.url() === server.origin + path;
        if (response.status() !== (isPage ? status : 200)) faults.push(`${response.url()}: ${response.status()}`);
      });
      await page.goto(server.origin + path, { waitUntil: 'networkidle' });
      if (screenshots) {
        await page.screenshot({ path: `${screenshots}/${name}-${lang}-${width}-${colorScheme}.png`, fullPage: true });
      }
      const expected404 = (text) => status === 404 && text.includes('404');
      assert.deepEqual(faults.filter((text) => !expected404(text)), []);
      assert.equal(await page.locator('html').getAttribute('lang'), lang);
      assert.equal(await page.locator('h1').count(), 1);
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= width, `the page is ${scrollWidth} px wide`);
      await context.close();
    });
  }
}

for (const { path, lang } of pages) {
  for (const colorScheme of ['light', 'dark']) {
    test(`${path} (${lang}, ${colorScheme}) has no accessibility violation that axe finds`, async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      await page.goto(server.origin + path);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
      assert.deepEqual(found, []);
      await context.close();
    });
  }
}

test('nothing of all this left a fault in the log', () => {
  assert.doesNotMatch(server.log(), /\b(WARN|ERROR)\b|panicked/);
});
