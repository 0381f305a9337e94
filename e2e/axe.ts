import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** For `test.use`: nothing slides or fades in (the app obeys), so that what is judged stands. */
export const withoutMotion = { contextOptions: { reducedMotion: 'reduce' } } as const;

/** WCAG 2.2 AA as far as a machine can judge it (look.md, Accessibility), in light and in dark. */
export async function requireNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  // What a screen asks for besides is there too, or told to be missing.
  await page.waitForLoadState('networkidle');
  await judge(page, path);
}

/** The same for what is on screen now: a sheet that was opened, a form that was refused. */
export async function judge(page: Page, name: string): Promise<void> {
  expect.soft(await violationsOf(page, name)).toEqual([]);
}

/** What is wrong with what is on screen, in words. */
export async function violationsOf(page: Page, name: string): Promise<string[]> {
  await stands(page);
  const everything = axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  // The checker takes what lies behind an open dialog, where nothing can be pressed, for something that covers its buttons.
  if ((await page.locator('dialog[open]').count()) > 0) everything.disableRules('target-size');
  const light = await found(everything, `${name}, light`);
  // Dark has the same elements in the same places; only what depends on colours can differ (ADR 0123).
  await page.emulateMedia({ colorScheme: 'dark' });
  await stands(page);
  const dark = await found(axe(page).withRules(['color-contrast', 'link-in-text-block']), `${name}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

/** The checker inside the page itself: there are no frames of others, for which it would open a second page each time. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });

/** Everything has come, and stands still. */
async function stands(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.loading, .sk')].every((one) => !one.checkVisibility()),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    );
  });
}

async function found(builder: AxeBuilder, name: string): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${name}: ${id} (${nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`).join('; ')})`,
  );
}
