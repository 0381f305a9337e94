import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { textsInCode } from './text-in-code.rules.ts';

const src = `${import.meta.dirname}/../src`;
/** The operators' console is in English only (ADR 182). */
const isShown = (file: string) => !/\.(test|fixtures|samples)\./.test(file) && !file.startsWith('console/');
/** Our name, and the beginnings of addresses. */
const sameEverywhere = /^(nearhand|example\.com|https:\/\/)$/i;

it('is in no component of the app', () => {
  const files = globSync('**/*.tsx', { cwd: src }).filter(isShown);
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    textsInCode(file, readFileSync(`${src}/${file}`, 'utf8'))
      .filter((text) => !sameEverywhere.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ['<p>Apply now</p>', ['Apply now']],
  ['<p>{open ? "Open" : t`Closed`}</p>', ['Open']],
  ['<p>{name || `No name`}</p>', ['No name']],
  ['<Field label="Pool name" placeholder={"Baristas"} />', ['Pool name', 'Baristas']],
  ['<button aria-label={busy ? `Wait` : t`Send`} />', ['Wait']],
  ['<Row note={<b>Paid</b>} />', ['Paid']],
  ['<p><Trans>Apply to <b>{name}</b> now</Trans> or not</p>', ['or not']],
])('is found in %s', (code, found) => expect(textsInCode('a.tsx', `const a = ${code};`)).toEqual(found));

it.each([
  '<p>{t`Apply now`}</p>',
  '<Trans>Apply <b>now</b></Trans>',
  '<p className="row g2" id="apply">{count} · 5</p>',
  '<Field label={t`Pool name`} type="text" autoComplete="off" />',
])('is not %s', (code) => expect(textsInCode('a.tsx', `const a = ${code};`)).toEqual([]));
