import type { Page } from '@playwright/test';
import { withoutMotion } from './axe.ts';
import { applyForJob, openShift } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test.use({ ...withoutMotion, viewport: { width: 320, height: 800 } });

async function setTextSize(page: Page, pixels: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: pixels } });
}

/** Amounts and times broken across two lines, and whether the page scrolls sideways. */
const brokenFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      if (!node.parentElement?.checkVisibility()) continue;
      for (const figure of node.data.matchAll(
        /[€$£]\s?\d(?:[\d.,]*\d)?|\d(?:[\d.,]*\d)?\s?[€$£]|\b\d{1,2}:\d{2}\b/g,
      )) {
        const range = document.createRange();
        range.setStart(node, figure.index);
        range.setEnd(node, figure.index + figure[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${figure[0]} in "${node.data.trim()}"`);
      }
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth + 1 ? [...found, 'the page scrolls sideways'] : found;
  });

test('amounts and times keep their line on a phone of 320 px with text at 200 %', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 2 });
  const applied = await applyForJob(leila, shift.id);
  const offer = await nadia.api('POST', `/applications/${applied.id}/offers`, { message: '' });
  const { engagementId } = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  const screens = [
    [
      leila.page,
      '/tabs/menu/explore',
      `/job-desc/${shift.id}`,
      '/tabs/menu/my-work',
      `/tabs/menu/my-work/${applied.id}`,
      `/tabs/menu/my-work/engagement/${engagementId}`,
      '/notifications',
      '/withdraw',
      '/user-transaction',
      '/tabs/menu/my-work?view=calendar',
      '/completed-job',
      '/myprofile',
      '/favorite',
      '/interview',
      '/share-refer',
    ],
    [
      nadia.page,
      '/my-business',
      '/tabs/menu/jobs',
      '/merchant-transaction',
      '/merchant-ongoing-jobs',
      '/tabs/menu/business',
      '/listed-job',
      '/create-job',
      '/release-payment',
      '/find-workers',
      '/saved-workers',
      `/job-applicants/${shift.id}`,
      `/tabs/menu/jobs/engagement/${engagementId}`,
      `/edit-job/${shift.id}`,
      '/to-interview',
    ],
  ] as const;
  for (const [page, ...paths] of screens) {
    await page.setViewportSize({ width: 320, height: 800 });
    await setTextSize(page, 32);
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await brokenFigures(page), path).toEqual([]);
    }
  }
});

test('a checker that can fail: a broken amount, a broken time and a page that is too wide', async ({
  page,
}) => {
  await page.setContent(`<html lang="en"><meta name="viewport" content="width=device-width,initial-scale=1"><title>It</title><body>
    <p style="width:30px;overflow-wrap:anywhere">€1,234.56 at 12:30</p><p style="width:400px">€9</p></body></html>`);
  expect(await brokenFigures(page)).toEqual([
    expect.stringMatching(/^€1,234\.56 in/),
    expect.stringMatching(/^12:30 in/),
    'the page scrolls sideways',
  ]);
});
