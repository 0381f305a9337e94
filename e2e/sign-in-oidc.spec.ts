import { expect, type Page, test } from '@playwright/test';
import { appleAddress, openIdAddress } from './server-address.ts';

const person = () => `noor-${crypto.randomUUID().slice(0, 8)}`;

/** From the login page to the provider's. */
async function leaveFor(page: Page, provider: string, next: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`);
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await page.waitForURL(`${provider === 'Apple' ? appleAddress : openIdAddress}/**`);
}
const leaveForGoogle = (page: Page, next: string) => leaveFor(page, 'Google', next);

/** What a person does there: log in, then allow. */
async function logInThere(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('anything');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

/** A new account goes through the sign-up steps once, with the provider's name. */
async function firstSteps(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/complete-signup\?next=/);
  await page.getByRole('button', { name: 'Find work' }).click();
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Noor Smit');
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('signs in through a real OpenID provider, back to the original page, and out again', async ({
  page,
}) => {
  await leaveForGoogle(page, '/myprofile');
  await logInThere(page, person());
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();

  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/getting-started');
  const kept = () =>
    page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('access-token')]);
  expect(await kept()).toEqual([null, null]);
  // The cookie is gone too: just opening the redirect page signs nobody in.
  await page.goto('/loading?next=%2Fmyprofile');
  await expect(page).toHaveURL(/\/login/);
});

test('signs in with Apple, whose page posts back from another site, with a name that it sends once', async ({
  page,
}) => {
  // Apple adds the name to its first answer; the provider here does not know that.
  await page.route('**/api/auth/callback/apple', (route) => {
    const user = JSON.stringify({ name: { firstName: 'Noor', lastName: 'Smit' } });
    return route.continue({
      postData: `${route.request().postData()}&${new URLSearchParams({ user })}`,
    });
  });
  await leaveFor(page, 'Apple', '/myprofile');
  await logInThere(page, person());
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
});

test('signs in with the OpenID provider that the settings name', async ({ page }) => {
  await leaveFor(page, 'Harbour ID', '/myprofile');
  await logInThere(page, person());
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
});

test('reports a cancelled sign-in', async ({ page }) => {
  await leaveForGoogle(page, '/myprofile');
  await page.getByRole('link', { name: /cancel/i }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('Error');
  await expect(alert).toContainText('Sign In');
  await expect(alert).toContainText('Sign-in was cancelled because permission was not given.');
  await alert.getByRole('button').first().click();
  await expect(page).toHaveURL(/\/login/);
});

test('never takes over an account by an unverified email', async ({ page, browser, contextOptions }) => {
  const name = person();
  await leaveForGoogle(page, '/myprofile');
  await logInThere(page, name);
  await expect(page).toHaveURL(/\/complete-signup\?next=/);

  const other = await browser.newContext(contextOptions);
  const stranger = await other.newPage();
  await leaveForGoogle(stranger, '/myprofile');
  await logInThere(stranger, `unproven-${name}`);
  await expect(stranger.getByRole('alertdialog')).toContainText(
    'You already have an account with this email.',
  );
  await other.close();
});
