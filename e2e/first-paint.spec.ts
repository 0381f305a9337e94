import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';

type Seen = { painted: number; largest: string; styled: boolean | null };
declare global {
  interface Window {
    firstPaint: Seen;
  }
}

const watchFirstPaint = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Largest = PerformanceEntry & { element: Element | null };
    const seen: Seen = { painted: 0, largest: '', styled: null };
    window.firstPaint = seen;
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') seen.painted = startTime;
    }).observe({ type: 'paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { element } of list.getEntries() as Largest[])
        seen.largest = `${element?.closest('#pre, #root')?.id} ${element?.textContent}`;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new MutationObserver((changes) => {
      for (const { removedNodes } of changes)
        if ([...removedNodes].some((node) => node instanceof Element && node.id === 'pre'))
          seen.styled = [...document.querySelectorAll<HTMLLinkElement>('body link[rel=stylesheet]')].every(
            ({ sheet }) => sheet !== null,
          );
    }).observe(document, { childList: true, subtree: true });
  });

for (const path of ['/getting-started', '/login', '/register', '/tabs/menu/explore'])
  test(`${path} is painted before its app is fetched, and never larger after that`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({
      ...(baseURL ? { baseURL } : {}),
      viewport: { width: 390, height: 844 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    // Simulates a slow network: the page uses a fallback font, and the app arrives before the styles.
    for (const [files, ms] of [
      [/\.woff2$/, 500],
      [/\/assets\/app-.*\.css$/, 4_000],
    ] as const)
      await page.route(files, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        await route.continue();
      });
    await watchFirstPaint(page);
    await page.goto(path);
    await expect(page.locator('#pre')).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready);
    // Two frames: the last render has been painted.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const { painted, largest, styled } = await page.evaluate(() => window.firstPaint);
    expect(largest).toMatch(/^pre \S/);
    expect(styled).toBe(true);
    const fetched = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/assets\/[^/]+\.js$/.test(name))
        .map(({ startTime }) => startTime),
    );
    expect(painted).toBeGreaterThan(0);
    expect(Math.min(...fetched)).toBeGreaterThan(painted);
    await context.close();
  });

test('/login starts its app, even if a style sheet failed', async ({ page }) => {
  await page.route(/\/assets\/forms-.*\.css$/, (route) => route.abort());
  await page.goto('/login');
  await expect(page.locator('#root form')).toBeVisible();
});
