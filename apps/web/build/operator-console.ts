import { join, relative, sep } from 'node:path';
import { build, type Plugin, type UserConfig } from 'vite';

type Bundle = Record<string, { type: string; moduleIds?: readonly string[] }>;

function ownModules(bundle: Bundle, root: string): string[] {
  const src = join(root, 'src');
  return Object.values(bundle)
    .flatMap((output) => output.moduleIds ?? [])
    .map((id) => relative(src, id.replace(/^\0/, '').replace(/\?.*$/, '')).split(sep).join('/'))
    .filter((path) => !path.startsWith('../') && !path.startsWith('/'));
}

/** Modules of the app in the console's bundle, except looks and the API client. */
export const strangersInConsole = (bundle: Bundle, root: string): string[] =>
  ownModules(bundle, root).filter((path) => !/^(console|ui|lib|generated)\//.test(path));

/** Modules of the console, or its contract with operators' operations, in the app's bundle. */
export const strangersInApp = (bundle: Bundle, root: string): string[] =>
  ownModules(bundle, root).filter((path) => /^(console\/|generated\/console-)/.test(path));

const refuse = (label: string, find: (bundle: Bundle, root: string) => string[], root: string): Plugin => ({
  name: `nearhand:${label}-alone`,
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const strangers = find(bundle, root);
      if (strangers.length > 0) this.error(`The ${label} must not contain ${strangers.join(', ')}.`);
    },
  },
});

/** Builds the operators' console (ADR 176) as a separate graph: a shared chunk would load one with the other. */
export function operatorConsole(root: string, shared: () => UserConfig): Plugin[] {
  const page = 'operator.html';
  let outDir = '';
  return [
    refuse('app', strangersInApp, root),
    {
      name: 'nearhand:operator-console-page',
      apply: 'serve',
      configureServer({ middlewares }) {
        middlewares.use((request, _response, next) => {
          if (/^\/operator(\/[^.]*)?(\?|$)/.test(request.url ?? '')) request.url = `/${page}`;
          next();
        });
      },
    },
    {
      name: 'nearhand:operator-console',
      apply: 'build',
      configResolved(config) {
        outDir = config.build.outDir;
      },
      closeBundle: {
        sequential: true,
        async handler() {
          const { plugins = [], ...settings } = shared();
          await build({
            ...settings,
            configFile: false,
            root,
            logLevel: 'warn',
            publicDir: false,
            plugins: [...plugins, refuse('console', strangersInConsole, root)],
            build: {
              ...settings.build,
              outDir,
              emptyOutDir: false,
              rolldownOptions: { input: join(root, page) },
            },
          });
        },
      },
    },
  ];
}
