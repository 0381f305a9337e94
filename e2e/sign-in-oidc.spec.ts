import { expect, test } from './journey.ts';
import { firstSteps, leaveFor, logInThere, newPerson } from './providers/google.ts';

// Runs with the built-in provider only; google.spec.ts is for both.

test('signs in with Apple, whose page posts back from another site, with a name that it sends once', async ({
  page,
}) => {
  // Apple adds the name to its first response; this provider does not.
  await page.route('**/api/auth/callback/apple', (route) => {
    const user = JSON.stringify({ name: { firstName: 'Noor', lastName: 'Smit' } });
    return route.continue({
      postData: `${route.request().postData()}&${new URLSearchParams({ user })}`,
    });
  });
  await leaveFor(page, 'Apple', '/myprofile');
  await logInThere(page, newPerson());
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
});

test('signs in with the OpenID provider that the settings name', async ({ page }) => {
  await leaveFor(page, 'Harbour ID', '/myprofile');
  await logInThere(page, newPerson());
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
});

test('never takes over an account by an unverified email', async ({ page, browser, contextOptions }) => {
  const name = newPerson();
  await leaveFor(page, 'Google', '/myprofile');
  await logInThere(page, name);
  await expect(page).toHaveURL(/\/complete-signup\?next=/);

  const other = await browser.newContext(contextOptions);
  const stranger = await other.newPage();
  await leaveFor(stranger, 'Google', '/myprofile');
  await logInThere(stranger, `unproven-${name}`);
  await expect(stranger.getByRole('alertdialog')).toContainText(
    'You already have an account with this email.',
  );
  await other.close();
});
