import { globSync } from 'node:fs';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './build/budget.ts';
import { compress } from './build/compress.ts';
import { firstChunks } from './build/first-chunks.ts';
import { generated } from './build/generated.ts';
import { help } from './build/help.ts';
import { placesData } from './build/places-data.ts';
import { serviceWorker } from './build/service-worker.ts';

const cwd = import.meta.dirname;
// Lingui's macro looks for its configuration from the working directory, which is the repository's root under Vitest.
process.env.LINGUI_CONFIG ??= `${cwd}/lingui.config.ts`;

/** Where `vite` finds the API while developing; in production one server answers both. */
const api = process.env.NEARHAND_API ?? 'http://127.0.0.1:3000';

/** The screens that a guest may open first, by name, wherever their files are. */
const firstScreens = Object.fromEntries(
  ['getting-started', 'explore'].map((name) => {
    const [file] = globSync(`${cwd}/src/*/*/${name}.screen.tsx`);
    if (!file) throw new Error(`There is no screen ${name}`);
    return [name, file];
  }),
);

export default defineConfig({
  root: cwd,
  plugins: [
    generated(cwd),
    placesData(cwd),
    help(cwd),
    react(),
    lingui({ cwd }),
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' }, { cwd })] }),
    serviceWorker(cwd),
    budget({ screens: Object.keys(firstScreens), gzipKiB: 150, brotliKiB: 130 }),
    compress(),
  ],
  // From /r/ on: invite links, and pages that the server renders.
  server: {
    proxy: {
      '/api': { target: api, ws: true },
      '/dev': api,
      '/sandbox': api,
      '/r/': api,
      '/j/': api,
      '/b/': api,
      '/jobs': api,
      '/page-fonts': api,
      '/pictures': api,
    },
  },
  css: {
    transformer: 'lightningcss',
    // Old web views know neither light-dark() nor nesting: the targets make Lightning CSS lower them.
    lightningcss: { targets: { chrome: 100 << 16, safari: (15 << 16) | (4 << 8), firefox: 100 << 16 } },
  },
  build: {
    target: ['chrome100', 'safari15.4', 'firefox100'],
    // No module preload polyfill: it is an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: firstChunks(`${cwd}/src/app/main.tsx`, firstScreens),
            },
          ],
        },
      },
    },
  },
});
