import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { demandNoViolations } from './axe.ts';
import { join, newEmail } from './people.ts';

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
    // Nineteen screens, each looked at whole.
    test.setTimeout(180_000);
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
      '/user-transaction',
      '/merchant-transaction',
      '/release-payment',
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
