import type { Plugin } from 'vite';

export function preloadFonts(names: readonly string[]): Plugin {
  return {
    name: 'nearhand:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        return names.map((name) => {
          const file = Object.keys(bundle).find(
            (file) => file.startsWith(`assets/${name}-`) && file.endsWith('.woff2'),
          );
          if (!file) throw new Error(`The build has no font ${name}`);
          const attrs = {
            rel: 'preload',
            href: `/${file}`,
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
          };
          return { tag: 'link', attrs, injectTo: 'head' };
        });
      },
    },
  };
}
