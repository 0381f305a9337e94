// @ts-check
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { capture, projectNode, root } from './steps.mjs';

/** English catalogues of web and server in the configuration's order, from the web folder. */
const catalogues = [path.join('src', 'locales', 'en.po'), path.join('..', 'api', 'locales', 'en.po')];

/**
 * Compares the catalogues with their sources. Extracts into a separate folder, since a build would change
 * tracked files.
 * @param {string} [web]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function checkWords(web = path.join(root, 'apps', 'web')) {
  const folder = path.join(root, 'node_modules', '.cache', 'nearhand', `words-${process.pid}`);
  const extracted = catalogues.map((_, at) => path.join(folder, String(at), 'en.po'));
  const config = path.join(folder, 'lingui.config.mjs');
  mkdirSync(folder, { recursive: true });
  try {
    for (const [at, file] of extracted.entries()) {
      mkdirSync(path.dirname(file), { recursive: true });
      copyFileSync(path.join(web, catalogues[at] ?? ''), file);
    }
    writeFileSync(config, configOf(web, folder));
    const extract = path.join(root, 'node_modules', '@lingui', 'cli', 'dist', 'lingui-extract.js');
    const options = ['--clean', '--workers', '1', '--config', config];
    const { code, output } = await capture(projectNode, [extract, ...options], { cwd: web });
    if (code !== 0) return { code, output };
    const problems = extracted.flatMap((file, at) =>
      differences(linesOf(path.join(web, catalogues[at] ?? '')), linesOf(file)),
    );
    if (problems.length === 0) return { code: 0, output: '' };
    const remedy = 'Run `npm run extract -w @nearhand/web` and commit the catalogues.';
    return { code: 1, output: [...problems, remedy].join('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies the web app's configuration with another catalogue folder.
 * @param {string} web
 * @param {string} folder
 */
const configOf = (
  web,
  folder,
) => `import own from ${JSON.stringify(pathToFileURL(path.join(web, 'lingui.config.ts')).href)};
export default {
  ...own,
  rootDir: ${JSON.stringify(web)},
  catalogs: own.catalogs.map((catalog, at) => ({ ...catalog, path: ${JSON.stringify(folder)} + '/' + at + '/{locale}' })),
};
`;

/** @param {string} file */
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('"POT-Creation-Date'));

const maxShown = 20;

/**
 * Differing lines, or a note on order.
 * @param {string[]} committed
 * @param {string[]} extracted
 */
export function differences(committed, extracted) {
  if (committed.join('\n') === extracted.join('\n')) return [];
  const problems = [
    ...committed.filter((line) => !extracted.includes(line)).map((line) => `- ${line}`),
    ...extracted.filter((line) => !committed.includes(line)).map((line) => `+ ${line}`),
  ];
  return problems.length === 0 ? ['The same lines in a different order.'] : problems.slice(0, maxShown);
}
