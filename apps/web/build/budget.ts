import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Chunk = {
  type: 'chunk';
  fileName: string;
  isEntry: boolean;
  facadeModuleId: string | null;
  imports: string[];
  code: string;
};

/** Prints what a first visit downloads in JavaScript and fails the build over the budget. */
export function budget({ initialKiB }: { initialKiB: number }): Plugin {
  return {
    name: 'nearhand:budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = new Map<string, Chunk>();
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') chunks.set(output.fileName, output);
        }
        const initial = new Set<string>();
        const walk = (fileName: string): void => {
          if (initial.has(fileName)) return;
          initial.add(fileName);
          for (const next of chunks.get(fileName)?.imports ?? []) walk(next);
        };
        for (const chunk of chunks.values()) {
          // The English catalogue is a chunk of its own, but nothing renders without it.
          if (chunk.isEntry || /\/locales\/en\.po$/.test(chunk.facadeModuleId ?? '')) walk(chunk.fileName);
        }

        let bytes = 0;
        for (const fileName of initial) bytes += gzipSync(chunks.get(fileName)?.code ?? '').length;
        const kib = bytes / 1024;
        const sentence = `Initial JavaScript: ${kib.toFixed(1)} KiB gzip in ${initial.size} files, budget ${initialKiB} KiB.`;
        if (kib > initialKiB) this.error(`${sentence} Load something later, or find what grew.`);
        this.info(sentence);
      },
    },
  };
}
