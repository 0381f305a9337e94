import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { type Person, visibleButton } from './hiring.ts';
import { expect, worded } from './journey.ts';
import { language } from './languages/setting.ts';

/** Sandbox cards and banks (docs/payments.md). */
export const cards = {
  works: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  asks: '4000 0000 0000 3220',
  succeedsLate: '4000 0000 0000 0077',
  chargedBack: '4000 0000 0000 0259',
};
export const bankThatReturns = 'NL23 NRHD 0000 0000 03';

export const euro = (minor: number) => `€${minor % 100 === 0 ? minor / 100 : (minor / 100).toFixed(2)}`;

export async function saveCard(form: Locator | Page, number: string): Promise<void> {
  await form.getByLabel('Card number').fill(number);
  await form.getByRole('textbox', { name: 'Expires' }).fill('12/40');
  await form.getByLabel('Security code').fill('123');
  await form.getByRole('button', { name: 'Save card' }).click();
  await expect(form.getByLabel('Card number')).toBeHidden();
}

type Line = {
  id: string;
  kind: string;
  amountMinor: number;
  grossMinor: number;
  feeMinor: number;
  balanceMinor: number;
};
type Totals = Record<
  | 'openingMinor'
  | 'inMinor'
  | 'outMinor'
  | 'closingMinor'
  | 'feesMinor'
  | 'earnedMinor'
  | 'tipsMinor'
  | 'withdrawnMinor'
  | 'balanceMinor'
  | 'heldMinor'
  | 'paidMinor',
  number
>;
export type Statement = { items: Line[]; nextCursor: string | null; totals: Totals };

export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Fetches a full statement and checks its sums, the balance after each line and the ledger entry behind each
 * line.
 */
export async function soundStatement(person: Person, path: string): Promise<Statement> {
  const statement = (await person.api('GET', path)) as unknown as Statement;
  const { items, totals, nextCursor } = statement;
  expect(nextCursor, 'all of it is one page').toBeNull();
  expect(totals.openingMinor + totals.inMinor - totals.outMinor).toBe(totals.closingMinor);
  expect(sum(items.map((line) => line.amountMinor))).toBe(totals.closingMinor - totals.openingMinor);
  for (const [at, line] of items.entries()) {
    const before = items[at + 1]?.balanceMinor ?? totals.openingMinor;
    expect(line.balanceMinor - line.amountMinor, `the balance before line ${at}`).toBe(before);
    const { parts } = (await person.api('GET', `${path}/${line.id}`)) as unknown as {
      parts: { amountMinor: number }[];
    };
    expect(sum(parts.map((part) => part.amountMinor)), `the entry of line ${at}`).toBe(0);
  }
  return statement;
}

const shownAmount = ({ amountMinor, grossMinor }: Line) =>
  amountMinor === 0
    ? euro(Math.abs(grossMinor))
    : `${amountMinor > 0 ? '+' : '−'}${euro(Math.abs(amountMinor))}`;

export async function requireShown(
  page: Page,
  { items }: Statement,
  figures: Record<string, number>,
): Promise<void> {
  for (const [label, minor] of Object.entries(figures))
    await expect(
      page
        .getByLabel('Totals', { exact: true })
        .locator('> div')
        .filter({ hasText: new RegExp(`^${label}`) }),
    ).toHaveText(`${label}${euro(minor)}`);
  const rows = page.locator('.statement-month li, tbody tr').filter({ visible: true });
  await expect(rows).toHaveText(items.map((line) => new RegExp(escaped(shownAmount(line)))));
}

const escaped = (text: string) => text.replace(/[+.]/g, '\\$&');

/** The file that the `CSV` button downloads, oldest line first: amounts in minor units, by column name. */
export async function savedCsv(
  page: Page,
): Promise<Record<'Gross' | 'Fee' | 'Amount' | 'Balance', number>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), visibleButton(page, 'CSV').click()]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  const [head = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(language === 'nl' ? ';' : ','));
  const minor = (row: string[], named: RegExp) =>
    Math.round(Number(row[head.findIndex((column) => named.test(column))]?.replace(',', '.')) * 100);
  return rows.map((row) => {
    expect(row).toHaveLength(head.length);
    return {
      Gross: minor(row, worded(/^Gross$/)),
      Fee: minor(row, worded(/^Fee$/)),
      Amount: minor(row, worded(/^Amount$/)),
      Balance: minor(row, worded(/^Balance$/)),
    };
  });
}
