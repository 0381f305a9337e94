// @ts-check
// `npm run new:slice DOMAIN NAME [NOUN]`: creates a working slice on its three sides and adds it to every list of slices.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages } from './packages.mjs';
import { sliceFiles } from './slice-files.mjs';
import { registrations } from './slice-lists.mjs';
import { capture, main, projectNode, Refused, root, runHere } from './steps.mjs';

/** @typedef {import('./slice-files.mjs').Names} Names */

const migrations = 'apps/api/migrations';
const domains = ['people', 'talk', 'money', 'work', 'hiring', 'trust'];

await main(async () => {
  const names = readNames(process.argv.slice(2));
  await ensurePackages();
  const files = sliceFiles(names, nextMigration(names.table));
  const inTheWay = Object.keys(files).find((file) => existsSync(path.join(root, file)));
  if (inTheWay) throw new Refused(`${inTheWay} already exists; nothing was changed.`);
  // Every text is complete before any file is written.
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
Next:
- add the word to docs/glossary.md, and write the slice's real columns, inputs and rules;
- add a path for ${names.noun}.screen.tsx to apps/web/src/app/routes.ts and spec-routes.ts;
- add a record to apps/api/test/foreign-world.ts, and to signal-watch.ts who is notified when it changes;
- run npm run check.`);
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
      'Name the slice, and one of its records if that is not the name without its s: npm run new:slice people favorites, or npm run new:slice talk chat message.',
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
