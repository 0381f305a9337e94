// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { filesToKeep } from './service-worker.ts';

const names = [
  'app-a1.js',
  'app-a1.js.br',
  'work-b2.js',
  'app-c3.css',
  'figtree-d4.woff2',
  'icons-e5.svg',
  'map-view-f6.js',
  'help-g7.js',
  'operator-h8.js',
  'gazetteer-i9.json',
];
const page = '<script src="/assets/app-a1.js"></script><link href="/assets/app-c3.css">';
const files = (html = page) => filesToKeep(names, (name) => Buffer.from(name === 'index.html' ? html : name));

describe('the files that the service worker keeps', () => {
  it("are the app's scripts, styles, fonts and icons, with the help, without maps, places and the console", () => {
    const assets = files().all.filter(({ revision }) => revision === null);
    expect(assets.map(({ url }) => url)).toEqual([
      '/assets/app-a1.js',
      '/assets/work-b2.js',
      '/assets/app-c3.css',
      '/assets/figtree-d4.woff2',
      '/assets/icons-e5.svg',
      '/assets/help-g7.js',
    ]);
  });

  it('change with the content of the page', () => {
    const revision = (html?: string) => files(html).all.find(({ url }) => url === '/index.html')?.revision;
    expect(revision()).toBe(revision(page));
    expect(revision(`${page} `)).not.toBe(revision());
  });

  it('are those of the first page on a data-saving connection', () => {
    const { first } = files();
    expect(first).toEqual(
      expect.arrayContaining(['/index.html', '/start.js', '/assets/app-a1.js', '/assets/app-c3.css']),
    );
    expect(first).not.toContain('/assets/work-b2.js');
  });
});
