import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

/**
 * Builds the service worker into the root, so that its scope is the whole app. A separate build makes one plain script: a worker with
 * imports would change its chunks with each release, and does not run everywhere.
 */
export function serviceWorker(root: string): Plugin {
  const fileName = 'service-worker.js';
  return {
    name: 'nearhand:service-worker',
    apply: 'build',
    async generateBundle() {
      const built = (await build({
        configFile: false,
        root,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          target: ['chrome100', 'safari15.4', 'firefox100'],
          modulePreload: false,
          rolldownOptions: {
            input: join(root, 'src/service-worker/service-worker.ts'),
            output: { format: 'iife', entryFileNames: fileName, codeSplitting: false },
          },
        },
      })) as Rolldown.RolldownOutput;
      const [script, ...rest] = built.output;
      if (rest.length > 0) this.error(`${fileName} must be one file`);
      this.emitFile({ type: 'asset', fileName, source: script.code });
    },
  };
}
