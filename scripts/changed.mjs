// @ts-check
// Finds changed files and their tests, for `npm run check -- --changed`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { capture, Refused, root } from './steps.mjs';

/**
 * Files that differ from `main`, uncommitted and deleted ones too.
 * @returns {Promise<string[]>}
 */
export async function changedFiles() {
  const git = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await capture('git', args);
    return code === 0 ? output.split('\n').filter(Boolean) : null;
  };
  const [base = 'HEAD'] = (await git('merge-base', 'main', 'HEAD')) ?? [];
  const changed = await git('diff', '--name-only', '--no-renames', base);
  const added = await git('ls-files', '--others', '--exclude-standard');
  if (!changed || !added) throw new Refused('`--changed` needs git.');
  return [...new Set([...changed, ...added])];
}

/** @returns {string[]} */
export function testFiles() {
  return ['packages', 'apps', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`),
  );
}

/**
 * The slice of a file, as `hiring/jobs`; undefined outside slices.
 * @param {string} file
 */
function sliceOf(file) {
  const [, domain, slice] =
    /^(?:packages\/contract|apps\/api|apps\/web)\/src\/(hiring|money|people|talk|trust|work)\/([^/.]+)/.exec(
      file,
    ) ?? [];
  return domain && `${domain}/${slice}`;
}

/**
 * Slow tests run only if a file in the same folder changed.
 * @param {string[]} changed
 * @param {string[]} tests
 * @returns {string[]}
 */
export function testsBeside(changed, tests) {
  const slices = new Set(changed.map(sliceOf).filter((slice) => slice !== undefined));
  const folders = new Set(
    changed.filter((file) => !file.endsWith('.md')).map((file) => path.posix.dirname(file)),
  );
  if (changed.some((file) => file.startsWith('apps/api/migrations/')))
    for (const folder of ['apps/api/src/platform/database', 'apps/api/scripts', 'apps/api/test'])
      folders.add(folder);
  return tests.filter((file) => {
    if (folders.has(path.posix.dirname(file))) return true;
    const slice = sliceOf(file);
    return slice !== undefined && slices.has(slice) && !file.includes('.nightly.');
  });
}

/**
 * True if a file has raw SQL, whose rows the project `rows` checks (ADR 57).
 * @param {string[]} files
 */
export function changesSql(files) {
  return files.some(
    (file) =>
      file.startsWith('apps/api/migrations/') ||
      (/^apps\/api\/src\/.*\.ts$/.test(file) && /sql<|\.sql\./.test(fileText(file) + file)),
  );
}

/** @param {string} file */
function fileText(file) {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return '';
  }
}
