// What tests of pages share: a headless browser that draws in software, Chromium or Firefox.
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const chromium = { executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] };
const firefox = { browser: 'firefox', executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr', extraPrefsFirefox: { 'webgl.force-enabled': true } };
export const hasFirefox = existsSync(firefox.executablePath);

// Gives `use(page, messages)` a page that shows the file, at this size; messages: what the console said.
export async function withPage(work, file, { width, height, browser: name }, use) {
  const puppeteer = createRequire(join(resolve(work), 'npm', 'package.json'))('puppeteer-core');
  const profile = mkdtempSync(join(tmpdir(), 'view-'));
  const browser = await puppeteer.launch({ ...(name === 'firefox' ? firefox : chromium), headless: true, userDataDir: profile, protocolTimeout: 300000 });
  try {
    const page = await browser.newPage(), messages = [];
    page.on('console', (one) => messages.push(one.text()));
    page.on('pageerror', (one) => messages.push(one.message));
    await page.setViewport({ width, height });
    await page.goto(`file://${resolve(file)}`, { timeout: 120000, waitUntil: 'domcontentloaded' });
    return await use(page, messages);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
