import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './build/budget.ts';
import { generated } from './build/generated.ts';
import { placesData } from './build/places-data.ts';
import { serviceWorker } from './build/service-worker.ts';

const cwd = import.meta.dirname;
// Lingui's macro looks for its configuration from the working directory, which is the repository's root under Vitest.
process.env.LINGUI_CONFIG ??= `${cwd}/lingui.config.ts`;

/** Where `vite` finds the API while developing; in production one server answers both. */
const api = process.env.NEARHAND_API ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: cwd,
  plugins: [
    generated(cwd),
    placesData(cwd),
    react(),
    lingui({ cwd }),
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' }, { cwd })] }),
    serviceWorker(cwd),
    budget({ initialKiB: 200 }),
  ],
  server: { proxy: { '/api': { target: api, ws: true }, '/dev': api, '/sandbox': api } },
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
      treeshake: {
        // Two of them are made by calls that are not marked as pure, or extend `React.Component`: nothing happens by that.
        manualPureFunctions: ['createReactComponent', 'createForwardRef'],
        propertyReadSideEffects: false,
        // Ionic's packages do not say that their modules have no side effects; without this all its components come along.
        moduleSideEffects: [
          {
            test: /node_modules\/(@ionic\/(core|react|react-router)|ionicons|@stencil\/[^/]+)\/.*\.m?js$/,
            sideEffects: false,
          },
        ],
      },
    },
  },
});
