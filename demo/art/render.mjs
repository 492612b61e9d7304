// Draws <role-id>/avatar.svg (512x512) and <role-id>/cover.svg (1280x720) into the role's package.
// Needs playwright-core beside this file (or NODE_PATH), pngquant and optipng; CHROMIUM names the browser (default: chromium on PATH).
//   node render.mjs <roles-dir> <role-id> ...
import { chromium } from 'playwright-core';
import { readFileSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const here = dirname(fileURLToPath(import.meta.url));
const [roles, ...ids] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM || execFileSync('which', ['chromium']).toString().trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=1'] });
for (const id of ids) for (const [name, out, width, height] of [['avatar', 'avatar.png', 512, 512], ['cover', 'assets/cover.png', 1280, 720]]) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${width}px;height:${height}px}</style>` + readFileSync(join(here, id, name + '.svg'), 'utf8'));
  const png = join(roles, id, out);
  await page.screenshot({ path: png });
  await page.close();
  try { execFileSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--speed', '1', '--quality', '80-98', '--output', png, png]); } catch { /* kept as drawn */ }
  execFileSync('optipng', ['-quiet', '-o2', '-strip', 'all', png]);
  console.log(id, out, statSync(png).size);
}
await browser.close();
