// @ts-check
// `npm run new:slice DOMAIN NAME [NOUN]`: a working slice on its three sides, added to every list that names slices.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages } from './packages.mjs';
import { sliceFiles } from './slice-files.mjs';
import { capture, main, projectNode, Refused, root, runHere } from './steps.mjs';

/** @typedef {import('./slice-files.mjs').Names} Names */

const migrations = 'apps/api/migrations';
const domains = ['people', 'talk', 'money', 'work', 'hiring', 'trust'];

await main(async () => {
  const names = readNames(process.argv.slice(2));
  await ensurePackages();
  const files = sliceFiles(names, nextMigration(names.table));
  const inTheWay = Object.keys(files).find((file) => existsSync(path.join(root, file)));
  if (inTheWay) throw new Refused(`${inTheWay} is there already; nothing was changed.`);
  // Everything is worked out before anything is written.
  const changed = { ...files, ...registrations(names) };
  for (const [file, text] of Object.entries(changed)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  await capture(projectNode, [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--write',
    ...Object.keys(changed),
  ]);
  console.log(
    Object.keys(changed)
      .map((file) => `  ${file}`)
      .join('\n'),
  );
  console.log(`
What is left to you:
- the word in docs/glossary.md, and the slice's real columns, inputs and rules;
- a path for ${names.noun}.screen.tsx in apps/web/src/app/routes.ts and spec-routes.ts;
- npm run check.`);
  return runHere(projectNode, ['apps/api/scripts/tables.ts']);
});

/**
 * @param {string[]} args
 * @returns {Names}
 */
function readNames([domain = '', slice = '', given]) {
  const noun = given ?? slice.replace(/ies$/, 'y').replace(/s$/, '');
  if (!domains.includes(domain)) throw new Refused(`Name the domain first, one of ${domains.join(', ')}.`);
  if (![slice, noun].every((word) => /^[a-z]{2,30}$/.test(word)) || slice === noun) {
    throw new Refused(
      'Name the slice, and one record of it where that is not the name without its s: npm run new:slice people favorites, or npm run new:slice talk chat message.',
    );
  }
  const plural = noun.replace(/y$/, 'ie').concat('s');
  return {
    domain,
    slice,
    noun,
    Noun: noun.charAt(0).toUpperCase() + noun.slice(1),
    table: slice === plural ? slice : plural,
  };
}

function nextMigration(/** @type {string} */ table) {
  const numbers = readdirSync(path.join(root, migrations)).map((name) => Number.parseInt(name, 10) || 0);
  return `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}_${table}.sql`;
}

/** The files that list every slice, with this one added. @param {Names} names */
function registrations({ domain, slice, noun, Noun, table }) {
  return Object.fromEntries([
    insert('packages/contract/src/contract.ts', [
      [/^import/m, `import { ${slice} } from './${domain}/${slice}.ts';\nimport`],
      [/(export const contract = \{[^}]*?),? \}/, `$1, ${slice} }`],
    ]),
    insert('packages/contract/src/errors.ts', [
      [/\n\} as const satisfies/, `\n\n  '${noun}/not-found': 404,\n} as const satisfies`],
    ]),
    insert('apps/web/src/lib/error-text.ts', [
      [
        /(const errorMessages[\s\S]*?)\n\};/,
        `$1\n\n  '${noun}/not-found': msg\`This is not here any more.\`,\n};`,
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
        throw new Refused(`${file} has no place for ${Noun} that I know; nothing was changed.`);
      text = text.replace(where, what);
    }
    return [file, text];
  }
}
