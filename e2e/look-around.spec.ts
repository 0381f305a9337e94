import { openShift, shiftOf } from './hiring.ts';
import { expect, test, worded } from './moved-time.ts';
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
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 500 });
  await withPhone(page);
  const tabBar = (page.viewportSize()?.width ?? 0) < 992;
  const requireOnly = (expected: Expected, focused = true) =>
    // `expect.poll` fails if a navigation interrupts the evaluation.
    expect(async () => {
      const faults = await page.evaluate(([one, on]) => window.pageFaults(one, on), [
        expected,
        focused,
      ] as const);
      expect(faults).toEqual([]);
    }).toPass({ timeout: 30_000 });
  const explore = { address: '/tabs/menu/explore', title: worded(/^Explore · Nearhand$/), tabBar };

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
  await requireOnly(
    { address: '/getting-started', title: worded(/^Welcome · Nearhand$/), tabBar: false },
    false,
  );
  await context.close();
});

test('Explore comes with its jobs: a guest’s browser asks for none', async ({ parts, browser, baseURL }) => {
  await openShift(parts, { title: 'Weekend barista' });
  const context = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const asked: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => request.url().includes('/api/jobs/nearby') && asked.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  // The server waits 300 ms for its own responses: a slow machine may need a second try.
  await expect(async () => {
    asked.length = 0;
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Weekend barista/ }).first()).toBeVisible();
    expect(asked).toEqual([]);
  }).toPass();
  expect(refused).toEqual([]);
  await context.close();
});
