import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { budget } from './build/chunks/budget.ts';
import { chunkGroups, memberChunks } from './build/chunks/chunk-groups.ts';
import { screensAheadInPage } from './build/chunks/prefetch-targets.ts';
import { behind, screenFiles, screensOf } from './build/chunks/screens.ts';
import { compress } from './build/compress.ts';
import { generated } from './build/generated.ts';
import { help } from './build/help.ts';
import { operatorConsole } from './build/operator-console.ts';
import { placesData } from './build/places-data.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { prerender } from './build/prerender.ts';
import { serviceWorker } from './build/service-worker.ts';

const cwd = import.meta.dirname;
// Lingui's macro looks in the working directory, which is the repository's root under Vitest.
process.env.LINGUI_CONFIG ??= `${cwd}/lingui.config.ts`;

/** The API's address in development; in production one server serves both. */
const api = process.env.NEARHAND_API ?? 'http://127.0.0.1:3000';

const screenFile = screenFiles(cwd);
const screens = screensOf(cwd, screenFile);
const guestScreens = ['getting-started', 'login', 'register', 'explore'].map((name) => `${name}.screen.tsx`);

const shared = (): UserConfig => ({
  plugins: [
    react(),
    lingui({ cwd }),
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' }, { cwd })] }),
  ],
  css: {
    transformer: 'lightningcss',
    // Old web views support neither light-dark() nor nesting: the targets make Lightning CSS lower them.
    lightningcss: { targets: { chrome: 100 << 16, safari: (15 << 16) | (4 << 8), firefox: 100 << 16 } },
  },
  build: {
    target: ['chrome100', 'safari15.4', 'firefox100'],
    // The module preload polyfill is an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});

export default defineConfig({
  root: cwd,
  ...shared(),
  plugins: [
    generated(cwd),
    placesData(cwd),
    help(cwd),
    ...(shared().plugins ?? []),
    preloadFonts(['bricolage', 'figtree']),
    screensAheadInPage(screenFile),
    serviceWorker(cwd),
    operatorConsole(cwd, shared),
    budget({
      screens: [...Object.keys(screens.first), 'login', 'register'],
      gzipKiB: 155,
      brotliKiB: 132.25,

      firstFiles: 4,
      routeFiles: 3,
      running: ['app', 'explore', 'forms', 'behind', 'filters', 'signed-in'],
      guestParts: [...guestScreens, ...behind, 'filter-sheet.tsx'],
      memberChunks,
      chosenLater: [/\/node_modules\/(@firebase|firebase)\//, /\/firebase-sign-in\/firebase-auth\.ts$/],
    }),
    prerender([
      { path: '/getting-started', screen: screenFile('getting-started'), narrow: false },
      { path: '/login', screen: screenFile('login'), narrow: true },
      { path: '/register', screen: screenFile('register'), narrow: true },
      { path: '/tabs/menu/explore', screen: screenFile('explore'), narrow: true },
    ]),
    compress(),
  ],
  // Proxies paths from /r/ on: invite links, and pages that the server renders.
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
  build: {
    ...shared().build,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups(screens) },
      },
    },
  },
});
