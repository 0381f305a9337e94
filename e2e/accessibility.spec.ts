import { bestPractice, requireNoViolations, violationsOf, withoutMotion } from './axe.ts';
import { dailySample, expect, test } from './journey.ts';
import { join, newEmail } from './people.ts';

test.use(withoutMotion);

test("a guest's screens are accessible in light and dark", async ({ page }) => {
  for (const path of dailySample([
    '/tabs/menu/explore',
    '/getting-started',
    '/login',
    '/register',
    '/expertise',
    '/edit-job/none',
    '/all-job-applicants',
    '/favorite',
    '/interview',
    '/no/such/page',
  ])) {
    await requireNoViolations(page, path, bestPractice);
  }
});

test("a member's screens are accessible in light and dark", async ({ page }) => {
  await join(page, newEmail('noor'), 'Noor Smit', 'Hire people');
  for (const path of dailySample([
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
  ])) {
    await requireNoViolations(page, path, bestPractice);
  }
});

test('the checker can fail: it finds an image without alt text, and text that only dark mode hides', async ({
  page,
}) => {
  await page.setContent(`<html lang="en"><title>It</title><main><h1>Words to read</h1><img src="data:,"></main><p>Words outside</p>
    <style>@media (prefers-color-scheme: dark) { body { background: #222; color: #333 } }</style></html>`);
  const violations = await violationsOf(page, 'it', bestPractice);
  expect(violations).toHaveLength(3);
  expect(violations[0]).toMatch(/^it, light: image-alt/);
  expect(violations[1]).toMatch(/^it, light: region/);
  expect(violations[2]).toMatch(/^it, dark: color-contrast/);
  const dialog = (open: string) =>
    page.setContent(
      `<html lang="en"><title>It</title><main><h1>Words</h1></main><dialog ${open} aria-label="It"><h2></h2></dialog>`,
    );
  await dialog('');
  expect(await violationsOf(page, 'it')).toEqual([]);
  await dialog('open');
  expect((await violationsOf(page, 'it')).join()).toMatch(/^it, light: empty-heading/);
});
