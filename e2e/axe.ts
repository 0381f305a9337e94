import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** WCAG 2.2 AA as far as a machine can judge it (look.md, Accessibility). */
export async function demandNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await judge(page, path);
}

/** The same for what is on screen now: a sheet that was opened, a form that was refused. */
export async function judge(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  // Pages slide in; colours are judged when they stand.
  await page.waitForTimeout(700);
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  );
  const builder = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  // The checker takes what lies behind an open dialog, where nothing can be pressed, for something that covers its buttons.
  if ((await page.locator('dialog[open]').count()) > 0) builder.disableRules('target-size');
  const { violations } = await builder.analyze();
  const told = violations.map(
    (found) =>
      `${name}: ${found.id} (${found.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`).join('; ')})`,
  );
  expect.soft(told).toEqual([]);
}
