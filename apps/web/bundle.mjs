// bundle.mjs WORK: WORK/view.html, the page without a core, and WORK/core.html, the elements that hold the core of WORK/one and the
// worker's program. esbuild and the libraries are in WORK/npm.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const work = resolve(process.argv[2]), here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(work, 'npm', 'package.json'))('esbuild');

async function bundle(entry) {
  const { outputFiles } = await build({ entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format: 'iife', target: 'es2022',
    nodePaths: [join(work, 'npm', 'node_modules')], legalComments: 'inline' });
  return outputFiles[0].text;
}

// "</script" would end the element.
const inert = (text) => text.replaceAll('</script', '<\\/script');
const page = readFileSync(join(here, 'page.html'), 'utf8')
  .replace('@STYLE@', () => readFileSync(join(here, 'style.css'), 'utf8'))
const script = inert(await bundle('page.mjs'));
writeFileSync(join(work, 'view.html'), page.replace('@PAGE@', () => script));
const wasm = gzipSync(readFileSync(join(work, 'one', 'mote_core.wasm')), { level: 9 });
const glue = readFileSync(join(work, 'one', 'mote_core.js'), 'utf8');
const element = (id, text) => `<script type="text/plain" id="${id}">${text}</script>\n`;
writeFileSync(join(work, 'core.html'), element('core-wasm', wasm.toString('base64')) + element('core-js', inert(glue)) +
  element('worker-js', inert(await bundle('worker.mjs'))));
for (const name of ['view.html', 'core.html']) {
  const bytes = readFileSync(join(work, name));
  console.log(`${name}: ${bytes.length} bytes, ${gzipSync(bytes).length} by gzip`);
}
