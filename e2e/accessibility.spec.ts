import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { join, newEmail } from './people.ts';

/** WCAG 2.2 AA as far as a machine can judge it (look.md, Accessibility). */
async function demandNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  // Pages slide in; colours are judged when they stand.
  await page.waitForTimeout(700);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const told = violations.map(
    (found) => `${path}: ${found.id} (${found.nodes.map((node) => node.target.join(' ')).join('; ')})`,
  );
  expect(told).toEqual([]);
}

for (const scheme of ['light', 'dark'] as const) {
  test(`a guest's screens are accessible in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of [
      '/tabs/menu/explore',
      '/getting-started',
      '/login',
      '/register',
      '/expertise',
      '/edit-job/none',
      '/all-job-applicants',
      '/favorite',
      '/interview',
    ]) {
      await demandNoViolations(page, path);
    }
  });

  test(`a member's screens are accessible in ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await join(page, newEmail('noor'), 'Noor Smit', 'Hire people');
    for (const path of [
      '/tabs/menu/account',
      '/tabs/menu/my-work',
      '/tabs/menu/my-work?view=calendar',
      '/interview',
      '/to-interview',
      '/notifications',
      '/nearby-jobs-list',
      '/myprofile',
      '/change-password',
      '/toc',
      '/my-business',
      '/register-business',
      '/create-job',
      '/merchant-ongoing-jobs',
      '/completed-job',
      '/withdraw',
    ]) {
      await demandNoViolations(page, path);
    }
  });
}

test('a checker that can fail: a picture without words is found', async ({ page }) => {
  await page.setContent('<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"></main></html>');
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a']).analyze();
  expect(violations.map((found) => found.id)).toContain('image-alt');
});
