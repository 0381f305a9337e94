import type { Page } from '@playwright/test';
import { openShift } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { phone } from './sizes.ts';

const rows = 200;

type TraceEvent = { name: string; ph: string; args: { elementCount?: number } };

const actions = (page: Page) => page.getByRole('button', { name: /^Actions for Barista/ }).first();

/** The maximum number of elements restyled at once while a sheet opened and closed. */
async function restyledBySheet(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('No browser');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await actions(page).click();
  const sheet = page.locator('dialog[open]');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  return Math.max(
    ...traceEvents
      .filter(({ name, ph }) => name === 'UpdateLayoutTree' && ph === 'X')
      .map(({ args }) => args.elementCount ?? 0),
  );
}

test('a sheet over a long list opens in a task of its own, and restyles only the rows near the window', async ({
  parts,
}) => {
  const { nadia } = await openShift(parts, { title: 'Barista in the Jordaan' });
  const { page } = nadia;
  await page.setViewportSize(phone.viewport);
  await page.route(/\/api\/businesses\/[^/]+\/jobs(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { items: object[] };
    const items = Array.from({ length: rows }, (_, index) => ({
      ...body.items[0],
      id: `019aa000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    }));
    await route.fulfill({ response, json: { ...body, items, nextCursor: null } });
  });
  await page.goto('/listed-job');
  const cards = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Barista in the Jordaan' });
  // All are in the list, for find-in-page and screen readers.
  await expect(cards).toHaveCount(rows);

  const atOnce = await actions(page).evaluate((button) => {
    (button as HTMLElement).focus();
    (button as HTMLElement).click();
    return document.querySelector('dialog[open]') !== null;
  });
  expect(atOnce).toBe(false);
  await expect(page.locator('dialog[open]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await expect(actions(page)).toBeFocused();

  const whole = await page.locator('main *').count();
  expect(await restyledBySheet(page)).toBeLessThan(whole / 2);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.long > * { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
  });
  expect(await restyledBySheet(page)).toBeGreaterThan(whole * 0.9);
});
