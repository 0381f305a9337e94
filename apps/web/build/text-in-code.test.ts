import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { textsInCode } from './text-in-code.rules.ts';

const src = `${import.meta.dirname}/../src`;
/** The operators' console is in English only (ADR 176). */
const isShown = (file: string) => !/\.(test|fixtures|samples)\./.test(file) && !file.startsWith('console/');
/** The product's name, address prefixes, a source's name, a CSS variable, and a file format. */
const sameEverywhere = /^(nearhand|example\.com|https:\/\/|© OpenStreetMap|--text|XML)$/i;
const named = [
  'hiring/job-posting/job-refusal.tsx: title',
  // A colour, words as typed, names of places, which are stored, a search for an address, and cells of CSV files.
  ...[
    'people/places/map/map-theme.ts',
    'hiring/nearby/typed-filters.ts',
    'people/places/gazetteer.ts',
    'people/places/find-place.ts',
    'people/places/address-fields.tsx',
    'hiring/pools/saved-workers.screen.tsx',
    'hiring/pipeline/applicant-table.tsx',
  ].map((file) => `${file}: join(', ')`),
];

it('is in no component of the app', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: src }).filter(isShown);
  expect(files.length).toBeGreaterThan(600);
  const found = files.flatMap((file) =>
    textsInCode(file, readFileSync(`${src}/${file}`, 'utf8'))
      .filter((text) => !sameEverywhere.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found.filter((one) => !named.includes(one))).toEqual([]);
});

it('is in no mail or PDF of the server', () => {
  const api = `${src}/../../api/src`;
  // `poster-pdf.ts` is left out, because posters are in English in every language (ADR 227).
  const files = globSync(['**/*mails.ts', '**/*-pdf.ts', '**/pdf-*.ts', 'people/**/*.ts'], { cwd: api })
    .filter((file) => isShown(file) && !file.endsWith('poster-pdf.ts'))
    // Mails are in their own files or in the task that sends them; both use `phrase`.
    .filter((file) => /pdf|mails/.test(file) || /\bphrase\(/.test(readFileSync(`${api}/${file}`, 'utf8')));
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) =>
    textsInCode(file, readFileSync(`${api}/${file}`, 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found.filter((one) => !one.endsWith(': nearhand'))).toEqual([]);
});

it.each([
  ['<p>Apply now</p>', ['Apply now']],
  ['<p>{open ? "Open" : t`Closed`}</p>', ['Open']],
  ['<p>{name || `No name`}</p>', ['No name']],
  ['<Field label="Pool name" placeholder={"Baristas"} />', ['Pool name', 'Baristas']],
  ['<button aria-label={busy ? `Wait` : t`Send`} />', ['Wait']],
  ['<Row note={<b>Paid</b>} />', ['Paid']],
  ['showToast(done ? `Saved` : t`Sent`)', ['Saved']],
  ['pen.text("Invoice", 1, 2)', ['Invoice']],
  ['{ value: "leave", label: "Check out now" }', ['Check out now']],
  ['composeMail(to, key, { subject: "Welcome" })', ['Welcome']],
  ["joinedNames = names.join(', ')", ["join(', ')"]],
  ['<p><Trans>Apply to <b>{name}</b> now</Trans> or not</p>', ['or not']],
])('is detected in %s', (code, found) => expect(textsInCode('a.tsx', `const a = ${code};`)).toEqual(found));

it.each([
  '<p>{t`Apply now`}</p>',
  '<Trans>Apply <b>now</b></Trans>',
  'msg({ message: "Open", context: "state" })',
  'showToast(t`Saved`)',
  '<p className="row g2" id="apply">{count} · 5</p>',
  '<Field label={t`Pool name`} type="text" autoComplete="off" />',
])('is not %s', (code) => expect(textsInCode('a.tsx', `const a = ${code};`)).toEqual([]));
