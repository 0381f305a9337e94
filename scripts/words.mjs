// @ts-check
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { capture, projectNode, root } from './steps.mjs';

const catalogue = path.join('src', 'locales', 'en.po');

/**
 * Whether the web app's catalogue matches its sources. The build updates it, which would change a tracked file on someone's first start.
 * Extracts into its own folder, to be safe alongside a build and other checks.
 * @param {string} [web] the folder of the web app
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function checkWords(web = path.join(root, 'apps', 'web')) {
  const folder = path.join(root, 'node_modules', '.cache', 'nearhand', `words-${process.pid}`);
  const extracted = path.join(folder, 'en.po');
  const config = path.join(folder, 'lingui.config.mjs');
  mkdirSync(folder, { recursive: true });
  try {
    copyFileSync(path.join(web, catalogue), extracted);
    writeFileSync(config, configOf(web, folder));
    const extract = path.join(root, 'node_modules', '@lingui', 'cli', 'dist', 'lingui-extract.js');
    const options = ['--clean', '--workers', '1', '--config', config];
    const { code, output } = await capture(projectNode, [extract, ...options], { cwd: web });
    if (code !== 0) return { code, output };
    const said = differences(linesOf(path.join(web, catalogue)), linesOf(extracted));
    if (said.length === 0) return { code: 0, output: '' };
    const remedy = 'Run `npm run extract -w @nearhand/web` and commit apps/web/src/locales/en.po.';
    return { code: 1, output: [...said, remedy].join('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The web app's configuration with its catalogues elsewhere. @param {string} web @param {string} folder */
const configOf = (
  web,
  folder,
) => `import own from ${JSON.stringify(pathToFileURL(path.join(web, 'lingui.config.ts')).href)};
export default {
  ...own,
  rootDir: ${JSON.stringify(web)},
  catalogs: own.catalogs.map((catalog) => ({ ...catalog, path: ${JSON.stringify(path.join(folder, '{locale}'))} })),
};
`;

/** @param {string} file */
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('"POT-Creation-Date'));

const maxShown = 20;

/**
 * Lines that only one of them has, or a note if only the order differs.
 * @param {string[]} committed
 * @param {string[]} extracted
 */
export function differences(committed, extracted) {
  if (committed.join('\n') === extracted.join('\n')) return [];
  const said = [
    ...committed.filter((line) => !extracted.includes(line)).map((line) => `- ${line}`),
    ...extracted.filter((line) => !committed.includes(line)).map((line) => `+ ${line}`),
  ];
  return said.length === 0 ? ['The same lines in a different order.'] : said.slice(0, maxShown);
}
