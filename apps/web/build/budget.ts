import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Chunk = {
  type: 'chunk';
  fileName: string;
  isEntry: boolean;
  moduleIds: string[];
  imports: string[];
  code: string;
};

export type Budget = {
  /** Screens a guest may open first, by the name of their file. */
  screens: readonly string[];
  gzipKiB: number;
  brotliKiB: number;
};

/** JavaScript a screen needs before it can render, in bytes. */
export type FirstLoad = { screen: string; files: number; gzip: number; brotli: number };

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** The first load of each screen: the entry, the screen's own chunk, and everything these two import statically. */
export function firstLoads(chunks: readonly Chunk[], screens: readonly string[]): FirstLoad[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const sizes = new Map<string, { gzip: number; brotli: number }>();
  const sizeOf = ({ fileName, code }: Chunk) => {
    const known = sizes.get(fileName) ?? {
      gzip: gzipSync(code, { level: 9 }).length,
      brotli: brotliCompressSync(code, brotliOptions).length,
    };
    sizes.set(fileName, known);
    return known;
  };
  return screens.map((screen) => {
    const own = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${screen}.screen.tsx`)));
    if (!own) throw new Error(`No chunk has the screen ${screen}`);
    const needed = new Set<Chunk>();
    const add = (chunk: Chunk | undefined): void => {
      if (!chunk || needed.has(chunk)) return;
      needed.add(chunk);
      for (const fileName of chunk.imports) add(byName.get(fileName));
    };
    for (const chunk of chunks) if (chunk.isEntry) add(chunk);
    add(own);
    const total = { gzip: 0, brotli: 0 };
    for (const chunk of needed) {
      const { gzip, brotli } = sizeOf(chunk);
      total.gzip += gzip;
      total.brotli += brotli;
    }
    return { screen, files: needed.size, ...total };
  });
}

/** Prints the first load of the given screens and fails the build if one of them is over the budget. */
export function budget({ screens, gzipKiB, brotliKiB }: Budget): Plugin {
  return {
    name: 'nearhand:budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const kib = (bytes: number) => bytes / 1024;
        const over: string[] = [];
        // Its schemas run at start wherever one value of their file is used: such values belong in `*.rules.ts`.
        if (chunks.some(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/zod/'))))
          this.error(
            'The app must not contain zod. Find the value that is imported from a file with schemas.',
          );
        for (const { screen, files, gzip, brotli } of firstLoads(chunks, screens)) {
          const sentence = `First load of ${screen}: ${kib(gzip).toFixed(1)} of ${gzipKiB} KiB gzip, ${kib(brotli).toFixed(1)} of ${brotliKiB} KiB brotli, ${files} files.`;
          if (kib(gzip) > gzipKiB || kib(brotli) > brotliKiB) over.push(sentence);
          else this.info(sentence);
        }
        if (over.length > 0)
          this.error(`Over the budget: ${over.join(' ')} Load something later, or find what grew.`);
      },
    },
  };
}
