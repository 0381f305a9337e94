import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { StoredStepFile } from '../src/service-worker/serve-offline.ts';

/** Loaded only with a map or the console, and useless offline or too large to cache. */
const leftOut = /^(map-view|maplibre|street-tiles|operator)/;
/** Files of the root that the app starts with. Their names contain no hash. */
const inRoot = ['index.html', 'start.js', 'favicon.svg', 'favicon-192.png', 'manifest.webmanifest'];

/**
 * The files of a build that the worker caches. `names` are the files in `assets/`; `read` reads a file of the
 * root.
 */
export function filesToKeep(
  names: readonly string[],
  read: (name: string) => Buffer,
): { all: StoredStepFile[]; first: string[] } {
  const assets = names
    .filter((name) => /\.(js|css|woff2|svg)$/.test(name) && !leftOut.test(name))
    .map((name) => ({ url: `/assets/${name}`, revision: null }));
  const root = inRoot.map((name) => ({
    url: `/${name}`,
    revision: createHash('sha256').update(read(name)).digest('hex').slice(0, 12),
  }));
  const page = read('index.html').toString();
  const first = [
    ...root.map(({ url }) => url),
    ...assets.map(({ url }) => url).filter((url) => page.includes(`"${url}"`)),
  ];
  return { all: [...root, ...assets], first };
}

/** Builds the worker into the root, for the scope of the whole app, and without imports, which some browsers lack. */
export function serviceWorker(root: string): Plugin {
  let folder = '';
  return {
    name: 'nearhand:service-worker',
    apply: 'build',
    configResolved({ build: { outDir } }) {
      folder = join(root, outDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const files = filesToKeep(readdirSync(join(folder, 'assets')), (name) =>
          readFileSync(join(folder, name)),
        );
        for (const name of ['service-worker', 'service-worker-off']) {
          const built = (await build({
            configFile: false,
            root,
            logLevel: 'warn',
            publicDir: false,
            define: { appFiles: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
            build: {
              write: false,
              target: ['chrome100', 'safari15.4', 'firefox100'],
              modulePreload: false,
              rolldownOptions: {
                input: join(root, `src/service-worker/${name}.ts`),
                output: { format: 'iife', entryFileNames: `${name}.js`, codeSplitting: false },
              },
            },
          })) as Rolldown.RolldownOutput;
          const [script, ...rest] = built.output;
          if (rest.length > 0) this.error(`${name}.js must be one file`);
          writeFileSync(join(folder, `${name}.js`), script.code);
        }
      },
    },
  };
}
