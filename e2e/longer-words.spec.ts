import type { Page } from '@playwright/test';
import { withoutMotion } from './axe.ts';
import { overflowing, overlappingTexts } from './fit.ts';
import { applyForJob, openShift } from './hiring.ts';
import { clippedTexts, speakLonger } from './longer-words.ts';
import { expect, test } from './moved-time.ts';
import { desktop, phone } from './sizes.ts';

// The service worker would respond with the real Dutch.
test.use({ ...withoutMotion, locale: 'nl-NL', serviceWorkers: 'block' });

async function expectNothingClipped(page: Page, paths: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    // Resizes from phone to desktop, which is faster than loading it twice.
    for (const { viewport } of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await expect(page.getByText('⟧').filter({ visible: true }).first()).toBeVisible();
      await expect(page.locator('.loading, .sk').filter({ visible: true })).toHaveCount(0);
      await page.waitForLoadState('networkidle');
      const faults = [
        ...(await clippedTexts(page)),
        ...(await overflowing(page)),
        ...(await overlappingTexts(page)),
      ];
      found.push(...faults.map((fault) => `${path} at ${viewport.width}: ${fault}`));
    }
  }
  expect(found).toEqual([]);
}

test('words that are 40 % longer fit on the main screens', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 2,
    locale: 'nl-NL',
  });
  const applied = await applyForJob(leila, shift.id);
  const offer = await nadia.api('POST', `/applications/${applied.id}/offers`, { message: '' });
  const { engagementId } = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  await Promise.all([speakLonger(leila.context), speakLonger(nadia.context)]);
  await expectNothingClipped(leila.page, [
    '/tabs/menu/explore',
    `/job-desc/${shift.id}`,
    '/tabs/menu/my-work',
    `/tabs/menu/my-work/engagement/${engagementId}`,
    '/tabs/menu/account',
    '/withdraw',
    '/notifications',
    '/notification-settings',
  ]);
  await expectNothingClipped(nadia.page, [
    '/my-business',
    '/tabs/menu/jobs',
    '/create-job',
    `/job-applicants/${shift.id}`,
    `/tabs/menu/jobs/engagement/${engagementId}`,
    '/merchant-transaction',
    '/release-payment',
  ]);
});

const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik Veranstaltungstechnikfachkraft';

/** Names as long as they may be, and amounts beyond any pay. */
function stretched(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => stretched(item, key));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, stretched(item, name)]));
  if (typeof value === 'string')
    return /^(name|title|label|area|.+(Name|Title))$/.test(key) ? longName : value;
  return typeof value === 'number' && value > 0 && /minor$/i.test(key) ? 12_345_678_900 : value;
}

async function stretchAnswers(page: Page): Promise<void> {
  await page.route(/\/api\/(?!auth|settings|accounts)/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const isJson = response.headers()['content-type']?.includes('json') ?? false;
    return isJson
      ? route.fulfill({ response, json: stretched(await response.json()) })
      : route.fulfill({ response });
  });
}

test('a very long name or amount breaks no layout on the narrowest phone', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 2 });
  const applied = await applyForJob(leila, shift.id);
  const offer = await nadia.api('POST', `/applications/${applied.id}/offers`, { message: '' });
  const { engagementId } = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  const screens = [
    [
      leila.page,
      '/tabs/menu/explore?sort=pay',
      `/job-desc/${shift.id}`,
      '/tabs/menu/my-work',
      `/tabs/menu/my-work/engagement/${engagementId}`,
      '/myprofile',
      '/chat',
    ],
    [
      nadia.page,
      '/tabs/menu/jobs',
      '/edit-business',
      `/job-applicants/${shift.id}`,
      `/tabs/menu/jobs/engagement/${engagementId}`,
      '/merchant-transaction',
      '/chat',
    ],
  ] as const;
  const found: string[] = [];
  for (const [page, ...paths] of screens) {
    await stretchAnswers(page);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      found.push(...(await overflowing(page)).map((fault) => `${path}: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

test('words that are 40 % longer fit before someone signs in', async ({ page }) => {
  await speakLonger(page.context());
  await expectNothingClipped(page, ['/getting-started', '/login', '/register', '/help-center']);
});

test('a checker that can fail: words cut at the side and below', async ({ page }) => {
  await page.setContent(`<html lang="en"><meta name="viewport" content="width=device-width,initial-scale=1"><title>It</title><body>
    <p class="a" style="width:60px;overflow:hidden;white-space:nowrap">⟦Cut at the side⟧</p>
    <p class="b" style="height:1em;width:60px;overflow:hidden">⟦Cut below the line⟧</p>
    <p style="width:60px;overflow:auto;white-space:nowrap">⟦Can be scrolled to⟧</p>
    <p style="width:400px">⟦Whole⟧</p></body></html>`);
  expect(await clippedTexts(page)).toEqual([
    expect.stringContaining('Cut at the side'),
    expect.stringContaining('Cut below the line'),
  ]);
});

test('a checker that can fail: texts over each other', async ({ page }) => {
  const withText = async (content: string) => {
    await page.setContent(
      `<html lang="en"><title>It</title><body style="font:16px/1.5 sans-serif">${content}</body></html>`,
    );
    return overlappingTexts(page);
  };
  const over = (style: string, text: string) => `<div style="margin-top:-24px;${style}">${text}</div>`;
  expect(await withText(`<div>Below</div>${over('', 'Above')}`)).toEqual(['"Below" and "Above" overlap']);
  const wide = '<span style="flex:none;width:30px">Evening bar</span>';
  expect(await withText(`<p style="display:flex;white-space:nowrap">${wide}<b>Withdraw</b></p>`)).toEqual([
    '"Evening bar" and "Withdraw" overlap',
  ]);
  for (const onPurpose of [
    '<h1 style="line-height:1;width:90px">A title in lines</h1>',
    `<div>Text</div>${over('position:sticky;bottom:0', 'A bar')}`,
    `<div>Text</div>${over('height:1px;width:1px;overflow:hidden', 'For screen readers')}`,
    `<div>Text</div>${over('visibility:hidden', 'Hidden')}`,
  ])
    expect(await withText(onPurpose), onPurpose).toEqual([]);
});
