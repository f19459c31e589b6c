// bundle.mjs WORK: WORK/view.html, the page without a core, and WORK/core.html, the elements that hold the core of WORK/one and the
// worker's program, all by gzip. esbuild and the libraries are in WORK/npm.
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

// Gzip in base64: boot.js unpacks it.
const packed = (id, bytes) => `<script type="text/plain" id="${id}">${gzipSync(bytes, { level: 9 }).toString('base64')}</script>\n`;
const own = (name) => readFileSync(join(here, name), 'utf8');
const library = (name) => readFileSync(join(work, 'npm', 'node_modules', name), 'utf8');
const write = (name, text) => {
  writeFileSync(join(work, name), text);
  console.log(`${name}: ${text.length} bytes, ${gzipSync(text).length} by gzip`);
};
const program = await bundle('page.mjs');
write('view.html', own('page.html').replace('@STYLE@', () => library('uplot/dist/uPlot.min.css') + own('style.css')).replace('@BOOT@', () => own('boot.js'))
  .replace('@PAGE@', () => packed('page-js', program)));
const glue = readFileSync(join(work, 'one', 'mote_core.js'), 'utf8');
write('core.html', packed('core-wasm', readFileSync(join(work, 'one', 'mote_core.wasm'))) +
  packed('core-js', `${glue}\nself.MoteCore = MoteCore;\n${await bundle('worker.mjs')}`));
