import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Beasties from 'beasties';
import { minify, type Plugin } from 'vite';
import type { DrawnPage, PageToDraw } from './prerender-page.ts';

type Chunk = {
  fileName: string;
  moduleIds: readonly string[];
  imports: readonly string[];
  viteMetadata?: { importedCss: ReadonlySet<string> };
};

export type PageFiles = { scripts: string[]; styles: string[] };

/** A page to prerender: its path, its screen's file, and whether it differs between wide windows and phones. */
type Page = { path: string; screen: string; narrow: boolean };

/** The name of a page's file in `dist/pages`. The server finds it by the same rule (`web-app.ts`). */
export const pageFile = (path: string): string => `${path.slice(1).replaceAll('/', '~')}.html`;

/** The files of the scripts in a built page, in order; the app's own is the last. */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script type="module"[^>]* src="\/([^"]+)"/g)].map(([, file = '']) => file);

export function filesOf(chunks: readonly Chunk[], html: string, screen: string): PageFiles {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const closure = (start: readonly Chunk[]): Set<Chunk> => {
    const reached = new Set<Chunk>();
    const add = (chunk: Chunk | undefined): void => {
      if (!chunk || reached.has(chunk)) return;
      reached.add(chunk);
      for (const name of chunk.imports) add(byName.get(name));
    };
    for (const chunk of start) add(chunk);
    return reached;
  };
  const screenChunk = chunks.find(({ moduleIds }) => moduleIds.includes(screen));
  if (!screenChunk) throw new Error(`No chunk has the screen ${screen}`);
  const inPage = new Set(scriptsIn(html));
  const loaded = closure(chunks.filter(({ fileName }) => inPage.has(fileName)));
  const needed = [...closure([screenChunk])].filter((chunk) => !loaded.has(chunk));
  return {
    scripts: needed.map(({ fileName }) => fileName),
    styles: [...new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
  };
}

/** The page with its prerendered content before `#root`, readable until the first screen replaces it (ADR 221). */
export function composePage(
  html: string,
  { root, title }: DrawnPage,
  files: PageFiles,
  narrow: boolean,
): string {
  const links = [
    ...files.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...files.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].join('');
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
    .replace('</head>', () => `${links}</head>`)
    .replace(
      '<div id="root">',
      () => `<div id="pre" inert${narrow ? ' data-narrow' : ''}>${root}</div><div id="root">`,
    );
}

const afterFirstPaint = join(import.meta.dirname, 'after-first-paint.js');

/** `start.js` sets these attributes, so the page includes their styles. */
const setByStart = [/\[data-(theme|member|translated)/];

/**
 * Inlines the used styles and moves the style sheets, from `folder`, to the end, where they don't delay
 * rendering.
 */
export async function inlineStyles(html: string, folder: string): Promise<string> {
  const sheets = [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  );
  const styles = await Promise.all(sheets.map((file) => readFile(join(folder, file), 'utf8')));
  const beasties = new Beasties({
    path: folder,
    publicPath: '/',
    preload: 'body',
    logLevel: 'warn',
    fonts: false,
    allowRules: setByStart,
  });
  const page = (await beasties.process(html)).replace(' data-beasties-container', '');
  if (!page.includes('<style>')) throw new Error('No style of the page is used in it');
  // Families named only in variables would count as unused.
  const faces = styles.flatMap((css) => css.match(/@font-face\s*\{[^}]*\}/g) ?? []);
  return page.replace('<style>', () => `<style>${faces.join('')}`);
}

/** Shows the content once all of it has arrived, or a full-window layout would move with every part. */
export const showWhole = (html: string): string =>
  html
    .replace('</head>', () => '<style>#pre{visibility:hidden}</style></head>')
    .replace('<div id="root">', () => '<style>#pre{visibility:visible}</style><div id="root">');

/** Inlines `start.js`, to save a round trip. It is allowed by its hash (`inline-initial-data.ts`). */
export async function inlineStart(html: string, folder: string): Promise<string> {
  const tag = '<script src="/start.js"></script>';
  if (!html.includes(tag)) throw new Error('The page has no start.js');
  const source = await readFile(join(folder, 'start.js'), 'utf8');
  const { code } = await minify('start.js', source);
  return html.replace(tag, () => `<script>${code.trim()}</script>`);
}

const appTags = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;

/** Defers the app's files until after the first paint: they would compete with its fonts and layout. */
export async function startAfterPaint(html: string): Promise<string> {
  const scripts = scriptsIn(html);
  if (scripts.length === 0) throw new Error('The page has no app');
  const ahead = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const tags = [...ahead, ...[...html.matchAll(appTags)].map(([tag]) => tag.trim())];
  const { code } = await minify('after-first-paint.js', await readFile(afterFirstPaint, 'utf8'));
  return html
    .replace(appTags, '')
    .replace(
      '<div id="root">',
      (root) => `<template id="app-files">${tags.join('')}</template><script>${code.trim()}</script>${root}`,
    );
}

/** Renders a page in a separate worker, since the app's modules have state. */
export const drawPage = (page: PageToDraw): Promise<DrawnPage> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(join(import.meta.dirname, 'prerender-page.ts'), { workerData: page });
    worker.once('error', reject);
    worker.once('message', (page: DrawnPage) => {
      void worker.terminate();
      resolve(page);
    });
  });

export function prerender(pages: readonly Page[]): Plugin {
  let folder = '';
  let chunks: Chunk[] = [];
  return {
    name: 'nearhand:prerender',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      },
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const html = await readFile(join(folder, 'index.html'), 'utf8');
        const script = join(folder, scriptsIn(html).at(-1) ?? '');
        await mkdir(join(folder, 'pages'), { recursive: true });
        await Promise.all(
          pages.map(async ({ path, screen, narrow }) => {
            const drawnPage = await drawPage({ path, html, script });
            const page = composePage(html, drawnPage, filesOf(chunks, html, screen), narrow);
            const styled = showWhole(await inlineStyles(page, folder));
            const started = await startAfterPaint(await inlineStart(styled, folder));
            await writeFile(join(folder, 'pages', pageFile(path)), started);
          }),
        );
      },
    },
  };
}
