import { directionOf } from '@nearhand/contract/languages';
import { expect, said, test } from './journey.ts';
import { language } from './languages/setting.ts';
import { mailedLink, newEmail, password, signUp, verify } from './people.ts';

test('a worker signs up, verifies in another browser, and finds the profile and the way on there', async ({
  browser,
  contextOptions,
  page: first,
}) => {
  let page = first;
  const email = newEmail('leila');
  await page.goto('/register');
  await page.getByRole('button', { name: 'terms and conditions' }).click();
  await expect(page.getByRole('dialog').getByText('1. What Nearhand is')).toBeVisible();
  await page.keyboard.press('Escape');
  await signUp(page, email);
  await page.getByRole('button', { name: 'Find work' }).click();

  await page.getByLabel('Search skills').fill(said('Barista'));
  await page
    .getByRole('button', { name: /barista/i })
    .first()
    .click();
  await page.getByRole('link', { name: 'Continue with 1' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Leila Haddad');
  await page.getByLabel('About you').fill('Three years behind a bar, mostly mornings.');
  await page.getByRole('button', { name: 'Continue' }).click();

  const wait = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/accounts/me') && answer.request().method() === 'PATCH',
  );
  await page.goto('/nearby-jobs-list');
  await expect(page).toHaveURL(/\/getting-started/);
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
  await wait;

  // In another browser, the password of the sign-up confirms the address and signs in (ADR 10).
  const other = await browser.newContext(contextOptions);
  page = await other.newPage();
  await page.goto(await mailedLink(page.request, email, /\/login\?/));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await expect(page).toHaveURL(/\/nearby-jobs-list/);
  await page.goto('/myprofile');
  await expect(page.getByRole('heading', { name: 'Leila Haddad' })).toBeVisible();
  await expect(page.getByText('Three years behind a bar, mostly mornings.')).toBeVisible();
  await expect(page.getByText('Barista', { exact: true })).toBeVisible();

  await page.goto('/toc');
  await expect(page.getByText('You accepted this version.')).toBeVisible();
  await page.goto('/fill-profile');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Leila Haddad');
  await other.close();
});

test("a wrong password shows the specification's text, and signing out clears the device", async ({
  page,
}) => {
  const email = newEmail('kwame');
  await signUp(page, email);
  await verify(page, email);
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started/);
  expect(
    await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('access-token')]),
  ).toEqual([null, null]);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByText('Error', { exact: true })).toBeVisible();
  await expect(alert.getByText('Sign in', { exact: true })).toBeVisible();
  await expect(alert.getByText('Invalid email or password.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);

  if ((page.viewportSize()?.width ?? 0) < 992) return;
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expect(menu).toBeVisible();
  await expect(async () => {
    const [side, main] = await Promise.all([menu.boundingBox(), page.locator('#main').boundingBox()]);
    expect(side?.width).toBeGreaterThan(0);
    const [first, second] = directionOf(language) === 'rtl' ? [main, side] : [side, main];
    expect(second?.x).toBeGreaterThanOrEqual((first?.x ?? 0) + (first?.width ?? 0) - 1);
  }).toPass({ timeout: 15_000 });
  await menu.getByRole('link', { name: 'My work' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\/my-work/);
});
