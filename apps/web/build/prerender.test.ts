import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  composePage,
  drawPage,
  filesOf,
  inlineStart,
  inlineStyles,
  pageFile,
  showWhole,
  startAfterPaint,
} from './prerender.ts';

const html = `<!doctype html><html><head><title>Nearhand</title>
<script type="module" crossorigin src="/assets/runtime.js"></script>
<script type="module" crossorigin src="/assets/app.js"></script></head>
<body><div id="root"><div class="boot"></div></div></body></html>`;

function scriptThat(code: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'nearhand-page-')), 'app.mjs');
  writeFileSync(file, code);
  return file;
}

describe('a page drawn at build', () => {
  it('is what the app draws at its path on a phone, without hidden elements', async () => {
    const script = scriptThat(`
      document.title = 'Log in';
      const wide = matchMedia('(min-width: 62em)').matches;
      setTimeout(() => {
        document.getElementById('root').innerHTML =
          '<dialog>Menu</dialog><h1>' + location.pathname + ' ' + wide + '</h1>';
      }, 50);`);
    expect(await drawPage({ path: '/login', html, script })).toEqual({
      title: 'Log in',
      root: '<h1>/login false</h1>',
    });
  });

  it('fails the build when the app fails', async () => {
    const script = scriptThat(`throw new Error('no such screen');`);
    await expect(drawPage({ path: '/login', html, script })).rejects.toThrow('no such screen');
  });

  it("precedes the app, can't be pressed, and loads its screen’s files", () => {
    const page = composePage(
      html,
      { root: '<h1>Welcome $& back</h1>', title: 'Log in' },
      { scripts: ['assets/login.js'], styles: ['assets/login.css'] },
      true,
    );
    expect(page).toContain('<title>Log in</title>');
    expect(page).toContain('<div id="pre" inert data-narrow><h1>Welcome $& back</h1></div><div id="root">');
    expect(page).toContain('<link rel="stylesheet" crossorigin href="/assets/login.css">');
    expect(page).toContain('<link rel="modulepreload" crossorigin href="/assets/login.js">');
  });
});

it('contains its styles, its fonts and the themes inline, and its style sheets at the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nearhand-styles-'));
  const face = '@font-face{font-family:Figtree;src:url(/assets/figtree.woff2)}';
  writeFileSync(
    join(folder, 'app.css'),
    `${face}:root{--font:Figtree}h1{font-family:var(--font)}.gone{color:red}:root[data-theme=dark] h1{color:white}`,
  );
  const link = '<link rel="stylesheet" crossorigin href="/app.css">';
  const page = await inlineStyles(
    `<!doctype html><html><head>${link}</head><body><h1>Log in</h1></body></html>`,
    folder,
  );
  expect(/<style>(.*)<\/style>/s.exec(page)?.[1]?.replaceAll(/\s/g, '')).toBe(
    `${face}:root{--font:Figtree}h1{font-family:var(--font)}:root[data-theme=dark]h1{color:white}`.replaceAll(
      ' ',
      '',
    ),
  );
  expect(page.indexOf(link)).toBeGreaterThan(page.indexOf('<h1>'));
  await expect(inlineStyles('<html><head></head><body></body></html>', folder)).rejects.toThrow('No style');
});

it("contains the script before the app inline, which can't end its own tag", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nearhand-start-'));
  const page =
    '<head><script src="/start.js"></script><script type="module" src="/assets/app.js"></script></head>';
  writeFileSync(
    join(folder, 'start.js'),
    '// Why.\nif (globalThis.theme) {\n  document.title = "chosen";\n}\n',
  );
  expect(await inlineStart(page, folder)).toBe(
    '<head><script>globalThis.theme&&(document.title=`chosen`);</script><script type="module" src="/assets/app.js"></script></head>',
  );
  writeFileSync(join(folder, 'start.js'), 'document.title = "</script>";');
  expect(await inlineStart(page, folder)).toContain('<script>document.title=`<\\/script>`;</script>');
  await expect(inlineStart('<head></head>', folder)).rejects.toThrow('no start.js');
});

it("keeps what loads the app in a template, for a script that style sheets don't block", async () => {
  const files = { scripts: ['assets/login.js'], styles: ['assets/login.css'] };
  const page = await startAfterPaint(
    composePage(html, { root: '<h1>Log in</h1>', title: 'Log in' }, files, true),
  );
  const [, before = '', template = '', after = ''] =
    /^([\s\S]*)<template id="app-files">([\s\S]*)<\/template><script>([\s\S]*)$/.exec(page) ?? [];
  expect(template).toBe(
    [
      ...['runtime', 'app'].map((name) => `<link rel="modulepreload" crossorigin href="/assets/${name}.js">`),
      ...['runtime', 'app'].map(
        (name) => `<script type="module" crossorigin src="/assets/${name}.js"></script>`,
      ),
      '<link rel="modulepreload" crossorigin href="/assets/login.js">',
    ].join(''),
  );
  expect(before).toContain('<h1>Log in</h1></div>');
  expect(before + after).not.toMatch(/modulepreload"|type="module"/);
  await expect(startAfterPaint('<div id="root"></div>')).rejects.toThrow('no app');
});

it('is hidden until it has arrived completely', () => {
  const drawn = { root: '<h1>Welcome</h1>', title: 'Welcome' };
  const page = showWhole(composePage(html, drawn, { scripts: [], styles: [] }, false));
  const [hidden, end, shown] = ['#pre{visibility:hidden}', '</h1></div>', '#pre{visibility:visible}'].map(
    (text) => page.indexOf(text),
  );
  expect(hidden).toBeGreaterThan(0);
  expect(end).toBeGreaterThan(hidden ?? 0);
  expect(shown).toBeGreaterThan(end ?? 0);
});

it("includes a screen's files that the page doesn't load yet", () => {
  const chunk = (fileName: string, imports: string[], moduleIds: string[] = [], css: string[] = []) => ({
    fileName,
    imports,
    moduleIds,
    viteMetadata: { importedCss: new Set(css) },
  });
  const chunks = [
    chunk('assets/runtime.js', []),
    chunk('assets/app.js', ['assets/runtime.js'], ['main'], ['assets/app.css']),
    chunk('assets/login.js', ['assets/app.js', 'assets/forms.js'], ['login.screen'], ['assets/login.css']),
    chunk('assets/forms.js', ['assets/app.js'], [], ['assets/forms.css']),
    chunk('assets/hire.js', ['assets/app.js']),
  ];
  expect(filesOf(chunks, html, 'login.screen')).toEqual({
    scripts: ['assets/login.js', 'assets/forms.js'],
    styles: ['assets/login.css', 'assets/forms.css'],
  });
  expect(() => filesOf(chunks, html, 'gone.screen')).toThrow('No chunk has the screen gone.screen');
});

it('has a file name that the server can find', () => {
  expect(pageFile('/tabs/menu/explore')).toBe('tabs~menu~explore.html');
});
