import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(css|html|js|json|mjs|svg|txt|webmanifest)$/;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes a smaller `.br` and `.gz` next to every compressible file. The server sends these as they are. */
export async function compressFolder(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files.filter((file) => file.isFile() && compressible.test(file.name));
  await Promise.all(
    texts.map(async (file) => {
      const path = join(file.parentPath, file.name);
      const content = await readFile(path);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      const variants = [
        ['br', await brotli(content, { params })],
        ['gz', await gzipped(content, { level: constants.Z_BEST_COMPRESSION })],
      ] as const;
      for (const [extension, compressed] of variants)
        if (compressed.length < content.length) await writeFile(`${path}.${extension}`, compressed);
    }),
  );
}

export function compress(): Plugin {
  let folder = '';
  return {
    name: 'nearhand:compress',
    apply: 'build',
    enforce: 'post',
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    closeBundle: { order: 'post', sequential: true, handler: () => compressFolder(folder) },
  };
}
