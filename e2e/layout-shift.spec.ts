import type { Page } from '@playwright/test';
import { applyForJob, openShift, shiftOf } from './hiring.ts';
import { expect, test } from './moved-time.ts';

declare global {
  interface Window {
    layoutShifts: { value: number; moved: string }[];
  }
}

const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources?: { node: Node | null }[] };
    window.layoutShifts = [];
    const wordsOf = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.getAttribute('class') ?? ''}` : 'text';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        window.layoutShifts.push({
          value: entry.value,
          moved: (entry.sources ?? []).map(({ node }) => wordsOf(node)).join(', '),
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });

const max = 0.05;

/** The shifts on the current page since it was opened, if they exceed the limit. */
async function tooMuchShift(page: Page, name: string): Promise<string[]> {
  const shifts = await page.evaluate(() => window.layoutShifts);
  const sum = shifts.reduce((before, { value }) => before + value, 0);
  if (sum < max) return [];
  return [
    `${name} moved ${sum.toFixed(2)}: ${shifts.map(({ value, moved }) => `${value.toFixed(2)} ${moved}`).join('; ')}`,
  ];
}

test('no screen moves while it loads', async ({ parts, page }) => {
  const { nadia, leila, business, shift } = await openShift(parts, { title: 'Weekend barista' });
  for (const daysAhead of [4, 5])
    await shiftOf(nadia, business.id, parts.time, { title: `Barista ${daysAhead}`, daysAhead });
  const applied = await applyForJob(leila, shift.id);
  const offer = await nadia.api('POST', `/applications/${applied.id}/offers`, { message: '' });
  const { engagementId } = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  const screens: [Page, ...string[]][] = [
    [page, '/getting-started', '/tabs/menu/explore', '/login', '/register', '/tabs/menu/help'],
    [
      leila.page,
      '/tabs/menu/explore',
      `/job-desc/${shift.id}`,
      '/tabs/menu/my-work',
      '/tabs/menu/messages',
      `/tabs/menu/my-work/engagement/${engagementId}`,
      '/withdraw',
      '/user-transaction',
      '/myprofile',
      '/notifications',
      '/interview',
      '/tabs/menu/account',
      '/share-refer',
      '/favorite',
    ],
    [
      nadia.page,
      '/tabs/menu/business',
      '/tabs/menu/jobs',
      `/job-applicants/${shift.id}`,
      '/all-job-applicants',
      '/merchant-ongoing-jobs',
      '/merchant-transaction',
      '/my-business',
      '/create-job',
      '/saved-workers',
    ],
  ];
  const size = page.viewportSize();
  const problems: string[] = [];
  for (const [who, ...paths] of screens) {
    if (size) await who.setViewportSize(size);
    await watchShifts(who);
    for (const path of paths) {
      await who.goto(path);
      await expect(who.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await who.waitForLoadState('networkidle');
      problems.push(...(await tooMuchShift(who, path)));
    }
  }
  expect(problems).toEqual([]);
});

test('a checker of shifts that can fail: a page that something late pushes down', async ({ page }) => {
  await watchShifts(page);
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  expect(await tooMuchShift(page, '/login')).toEqual([]);
  await page.evaluate(async () => {
    const late = document.createElement('div');
    late.style.height = '300px';
    document.body.prepend(late);
    document.body.style.height = 'auto';
    await new Promise((resolve) => setTimeout(resolve, 700));
  });
  expect(await tooMuchShift(page, '/login')).toEqual([expect.stringMatching(/^\/login moved 0\.\d\d: /)]);
});
