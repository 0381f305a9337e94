// @ts-check
// The files that list every slice.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Refused, root } from './steps.mjs';

/** @typedef {import('./slice-files.mjs').Names} Names */

/** The texts of these files with a new slice added. @param {Names} names @returns {Record<string, string>} */
export function registrations({ domain, slice, noun, Noun, table }) {
  return Object.fromEntries([
    insert('packages/contract/src/contract.ts', [
      [/^import/m, `import { ${slice} } from './${domain}/${slice}.ts';\nimport`],
      [/(export const contract = \{[^}]*)\}/, `$1  ${slice},\n}`],
    ]),
    insert('packages/contract/src/errors.ts', [
      [/\n\} as const satisfies/, `\n\n  '${noun}/not-found': 404,\n} as const satisfies`],
    ]),
    insert('apps/web/src/lib/api/error-text.ts', [
      [
        /(const errorMessages[\s\S]*?)\n\};/,
        `$1\n\n  '${noun}/not-found': msg\`We can't find this, or you don't have access to it.\`,\n};`,
      ],
    ]),
    insert('apps/api/src/app.ts', [
      [/^import/m, `import { ${slice}Routes } from './${domain}/${slice}/${slice}.routes.ts';\nimport`],
      [/(export const router = \{[^}]*)\}/, `$1  ${slice}: ${slice}Routes,\n}`],
    ]),
    insert('scripts/architecture/import-rules.ts', [
      [/(export const serviceEdges[^{]*\{[^}]*)\}/, `$1  ${slice}: [],\n}`],
    ]),
    insert('scripts/architecture/shape-rules.ts', [
      [/(export const tableOwners[^{]*\{[^}]*)\}/, `$1  ${table}: '${slice}',\n}`],
    ]),
  ]);

  /**
   * @param {string} file
   * @param {[RegExp, string][]} changes
   * @returns {[string, string]}
   */
  function insert(file, changes) {
    let text = readFileSync(path.join(root, file), 'utf8');
    for (const [where, what] of changes) {
      if (!where.test(text))
        throw new Refused(`${file} has changed its form, so ${Noun} can't be added; nothing was changed.`);
      text = text.replace(where, what);
    }
    return [file, text];
  }
}
