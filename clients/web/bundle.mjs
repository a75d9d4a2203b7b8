// Bundles the page into dist/clients/web/page: hashed assets beside an index.html that names them by relative paths, so
// that it works below any path prefix. Each text file also has a gzipped copy. It checks no types: `npm run check` does.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(here, '../../dist/clients/web/page');

/** The SDK's Node side has a sibling for browsers. */
const browserSocket = {
  name: 'browser-socket',
  setup(plugin) {
    plugin.onResolve({ filter: /\/socket-node\.js$/ }, () => ({
      path: join(here, '../sdk/socket-browser.ts'),
    }));
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  entryPoints: { main: join(here, 'main.ts'), style: join(here, 'style.css') },
  outdir: join(out, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  target: ['chrome110', 'firefox110', 'safari16.4'],
  tsconfig: join(here, '../../tsconfig.web.json'),
  legalComments: 'none',
  metafile: true,
  plugins: [browserSocket],
});
const built = Object.keys(metafile.outputs).map((path) => basename(path));
const named = (start, end) => built.find((name) => name.startsWith(start) && name.endsWith(end));
const page = readFileSync(join(here, 'index.html'), 'utf8')
  .replace('main.js', `assets/${named('main-', '.js')}`)
  .replace('style.css', `assets/${named('style-', '.css')}`);
writeFileSync(join(out, 'index.html'), page);
let gzipped = 0;
for (const name of built) {
  const file = join(out, 'assets', name);
  const packed = gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(`${file}.gz`, packed);
  gzipped += packed.length;
}
const LIMIT_BYTES = 600_000;
if (gzipped > LIMIT_BYTES) {
  console.error(`the page is ${gzipped} bytes gzipped, more than ${LIMIT_BYTES}`);
  process.exitCode = 1;
}
