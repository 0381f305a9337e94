import type { Plugin } from 'vite';
import { guestPrefetchTargets, prefetchTargets } from '../../src/app/prefetch-targets.ts';
import { filesOf } from '../prerender.ts';

const names = new Set([...guestPrefetchTargets, ...prefetchTargets.work, ...prefetchTargets.hire]);

/** Lists the files of the next screens in the page, for `app/prefetch.ts`. */
export function screensAheadInPage(fileOf: (screen: string) => string): Plugin {
  return {
    name: 'nearhand:screens-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const files = [...names].map((name) => {
          const { scripts, styles } = filesOf(chunks, html, fileOf(name));
          return [name, [...scripts, ...styles]];
        });
        const attrs = { type: 'application/json', id: 'ahead' };
        return [
          { tag: 'script', attrs, children: JSON.stringify(Object.fromEntries(files)), injectTo: 'body' },
        ];
      },
    },
  };
}
