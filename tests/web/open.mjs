// What tests of pages share: a headless Chromium that draws in software.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// Gives `use(page, messages)` a page that shows the file, at this size; messages: what the console said.
export async function withPage(work, file, { width, height }, use) {
  const puppeteer = createRequire(join(resolve(work), 'npm', 'package.json'))('puppeteer-core');
  const profile = mkdtempSync(join(tmpdir(), 'view-'));
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, userDataDir: profile,
    protocolTimeout: 300000, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
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
