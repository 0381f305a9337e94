import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Chunk = {
  type: 'chunk';
  name: string;
  fileName: string;
  isEntry: boolean;
  moduleIds: string[];
  imports: string[];
  code: string;
};

export type Budget = {
  screens: readonly string[];
  gzipKiB: number;
  brotliKiB: number;
  /** The maximum number of the app's files that a first screen may load; `start.js` is not counted. */
  firstFiles: number;
  /** Chunks of a running app; any screen may then load `routeFiles` more. */
  running: readonly string[];
  routeFiles: number;
  /** Modules that a guest's browser loads separately, and chunks they must not include. */
  guestParts: readonly string[];
  memberChunks: readonly string[];
  /** Modules that no screen may load before they are chosen. */
  chosenLater: readonly RegExp[];
};

export type FirstLoad = { screen: string; files: number; gzip: number; brotli: number };

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

function withImports(chunks: readonly Chunk[], start: readonly Chunk[]): Set<Chunk> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set<Chunk>();
  const add = (chunk: Chunk | undefined): void => {
    if (!chunk || reached.has(chunk)) return;
    reached.add(chunk);
    for (const fileName of chunk.imports) add(byName.get(fileName));
  };
  for (const chunk of start) add(chunk);
  return reached;
}

export function routeLoads(chunks: readonly Chunk[], running: readonly string[]): Map<string, number> {
  const missing = running.filter((name) => !chunks.some((chunk) => chunk.name === name));
  if (missing.length > 0) throw new Error(`There is no chunk ${missing.join(', ')}`);
  const loadedChunks = withImports(
    chunks,
    chunks.filter(({ name, isEntry }) => isEntry || running.includes(name)),
  );
  const loads = new Map<string, number>();
  for (const chunk of chunks)
    for (const id of chunk.moduleIds) {
      const [, screen] = /([^/]+)\.screen\.tsx$/.exec(id) ?? [];
      if (screen !== undefined)
        loads.set(
          screen,
          [...withImports(chunks, [chunk])].filter((chunk) => !loadedChunks.has(chunk)).length,
        );
    }
  return loads;
}

export function refusedLoads(
  chunks: readonly Chunk[],
  modules: readonly string[],
  refused: readonly string[],
): string[] {
  return modules.flatMap((module) => {
    const moduleChunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
    if (!moduleChunk) throw new Error(`No chunk has the module ${module}`);
    const loaded = [...withImports(chunks, [moduleChunk])].filter(({ name }) => refused.includes(name));
    return loaded.map(({ name }) => `${module} loads ${name}`);
  });
}

export function earlyModules(
  chunks: readonly Chunk[],
  screens: readonly string[],
  later: readonly RegExp[],
): string[] {
  return screens.flatMap((screen) =>
    [...neededFirst(chunks, screen)]
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => later.some((name) => name.test(id)))
      .map((id) => `${screen} loads ${id.slice(id.lastIndexOf('/node_modules/') + 1)}`),
  );
}

function neededFirst(chunks: readonly Chunk[], screen: string): Set<Chunk> {
  const screenChunk = chunks.find(({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith(`/${screen}.screen.tsx`)),
  );
  if (!screenChunk) throw new Error(`No chunk has the screen ${screen}`);
  return withImports(chunks, [...chunks.filter(({ isEntry }) => isEntry), screenChunk]);
}

export function firstLoads(chunks: readonly Chunk[], screens: readonly string[]): FirstLoad[] {
  const sizes = new Map<string, { gzip: number; brotli: number }>();
  const sizeOf = ({ fileName, code }: Chunk) => {
    const size = sizes.get(fileName) ?? {
      gzip: gzipSync(code, { level: 9 }).length,
      brotli: brotliCompressSync(code, brotliOptions).length,
    };
    sizes.set(fileName, size);
    return size;
  };
  return screens.map((screen) => {
    const needed = neededFirst(chunks, screen);
    const total = { gzip: 0, brotli: 0 };
    for (const chunk of needed) {
      const { gzip, brotli } = sizeOf(chunk);
      total.gzip += gzip;
      total.brotli += brotli;
    }
    return { screen, files: needed.size, ...total };
  });
}

/** Prints the first loads and fails the build if a first screen, or one opened later, is over the budget. */
export function budget(limits: Budget): Plugin {
  const { screens, gzipKiB, brotliKiB, firstFiles, running, routeFiles } = limits;
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
        const fail = (problem: string) => {
          // Later plugins fail on the missing files, and only the last error is printed.
          this.warn(problem);
          this.error(problem);
        };
        // Using one value of a schema file runs all its schemas at start: such values belong in `*.rules.ts`.
        if (chunks.some(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/zod/'))))
          fail('The app must not contain zod. Find the value that is imported from a file with schemas.');
        for (const { screen, files, gzip, brotli } of firstLoads(chunks, screens)) {
          const sentence = `First load of ${screen}: ${kib(gzip).toFixed(1)} of ${gzipKiB} KiB gzip, ${kib(brotli).toFixed(1)} of ${brotliKiB} KiB brotli, ${files} files.`;
          if (kib(gzip) > gzipKiB || kib(brotli) > brotliKiB || files > firstFiles) over.push(sentence);
          else this.info(sentence);
        }
        const routes = routeLoads(chunks, running);
        for (const [screen, files] of routes)
          if (files > routeFiles) over.push(`${screen} takes ${files} files, not ${routeFiles}.`);
        for (const load of earlyModules(chunks, [...routes.keys()], limits.chosenLater))
          over.push(`${load}.`);
        for (const load of refusedLoads(chunks, limits.guestParts, limits.memberChunks))
          over.push(`For a guest, ${load}.`);
        if (over.length === 0) return;
        fail(`Over the budget: ${over.join(' ')} Load something later, or find what grew.`);
      },
    },
  };
}
