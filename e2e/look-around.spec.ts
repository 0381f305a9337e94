import { openShift, shiftOf } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { type Expected, withPhone } from './one-page.ts';

test('a guest reads a job without signing in, and Back returns to the list', async ({
  parts,
  browser,
  contextOptions,
  baseURL,
}, { project }) => {
  const { nadia, business } = await openShift(parts, { title: 'Weekend barista' });
  for (const daysAhead of [4, 5])
    await shiftOf(nadia, business.id, parts.time, { title: `Barista ${daysAhead}`, daysAhead });

  const context = await browser.newContext({
    ...contextOptions,
    ...project.use,
    baseURL,
    permissions: ['geolocation'],
    geolocation: { latitude: 52.3752, longitude: 4.8838 },
  });
  const page = await context.newPage();
  // Low enough that three jobs scroll.
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 500 });
  await withPhone(page);
  const tabBar = (page.viewportSize()?.width ?? 0) < 992;
  const requireOnly = (expected: Expected, focused = true) =>
    expect
      .poll(() => page.evaluate(([one, on]) => window.pageFaults(one, on), [expected, focused] as const))
      .toEqual([]);
  const explore = { address: '/tabs/menu/explore', title: 'Explore · Nearhand', tabBar };

  await page.goto('/getting-started');
  await page.getByRole('link', { name: 'Look around first' }).click();
  await requireOnly(explore);
  const job = page.getByRole('link', { name: /Barista 5/ }).first();
  await job.scrollIntoViewIfNeeded();
  const scrolled = () =>
    page
      .locator('main')
      .filter({ visible: true })
      .evaluate((main) => main.scrollTop);
  const before = await scrolled();
  expect(before).toBeGreaterThan(100);

  await job.click();
  await expect(page).toHaveURL(/\/j\/barista-5-/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Barista 5');
  await page.getByRole('link', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/\/getting-started\?next=%2Fjob-apply-form%2F/);
  await page.goBack();
  await expect(page).toHaveURL(/\/j\/barista-5-/);
  await page.goBack();
  await requireOnly(explore, false);
  await expect(job).toBeVisible();
  await page.goBack();
  await requireOnly({ address: '/getting-started', title: 'Welcome · Nearhand', tabBar: false }, false);
  await context.close();
});
