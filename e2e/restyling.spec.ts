import type { Page } from '@playwright/test';
import { openShift } from './hiring.ts';
import { expect, test } from './moved-time.ts';

type TraceEvent = {
  name: string;
  ph: string;
  args: { elementCount?: number; endData?: { elementCount: number } };
};

/** A rule that makes the browser restyle a whole page for every inserted element (ADR 330). */
const costlyRule = '.stale:has(.btn) > :not(.btn, :has(.btn)) { opacity: 1 }';
const bystanders = 500;

/** The fewest of three runs: late data or a font may restyle the page in between. */
async function restyled(page: Page): Promise<number> {
  const counts = [await restyledOnce(page), await restyledOnce(page), await restyledOnce(page)];
  return Math.min(...counts);
}

async function restyledOnce(page: Page): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('No browser');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await page.evaluate(() => {
    const card = document.createElement('article');
    card.className = 'job';
    const button = document.createElement('button');
    button.className = 'btn';
    card.append(button);
    document.querySelector('.entering')?.append(card);
    return getComputedStyle(card).color;
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const counts = traceEvents
    .filter(({ name, ph }) => name === 'UpdateLayoutTree' && ph === 'X')
    .map(({ args }) => args.elementCount ?? args.endData?.elementCount ?? Number.NaN);
  expect(counts.length).toBeGreaterThan(0);
  return Math.max(...counts);
}

test('a card that enters a long page is styled alone', async ({ parts, page }) => {
  await openShift(parts, { title: 'Barista in the Jordaan' });
  await page.goto('/tabs/menu/explore?lat=52.3791&lng=4.8831&at=Jordaan');
  await expect(page.getByRole('heading', { name: 'Barista in the Jordaan' }).first()).toBeVisible();
  await page.evaluate((count) => {
    const list = document.createElement('div');
    list.className = 'entering';
    list.append(...Array.from({ length: count }, () => document.createElement('p')));
    document.querySelector('main .col')?.append(list);
  }, bystanders);
  expect(await restyled(page)).toBeLessThan(bystanders / 5);

  await page.evaluate((rule) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rule);
    document.adoptedStyleSheets.push(sheet);
  }, costlyRule);
  expect(await restyled(page)).toBeGreaterThan(bystanders);
});
