import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { mailedLink, newEmail, password, signUp, verify } from './people.ts';
import { atEmulator } from './providers/firebase-emulator.ts';
import { atGoogle, emailOf, leaveFor, newAtEmulator, newPerson } from './providers/google.ts';

// Runs with Firebase only (`npm run test:firebase`). google, passwords and sign-up run with both providers.

const accountId = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('user') ?? '{}') as { id?: string }).id);
const alertOf = (page: Page) => page.getByRole('alertdialog', { name: 'Error' });

async function logIn(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function stranger(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  return { page: await context.newPage(), close: () => context.close() };
}

async function expectNobody(page: Page) {
  expect(await accountId(page)).toBeUndefined();
  await page.goto('/myprofile');
  await expect(page).toHaveURL(/\/(login|getting-started)/);
}

/** Facebook does not verify addresses; the emulator's page always does. */
const asFacebook = (page: Page) =>
  page.route('**/accounts:signInWithIdp?*', (route) => {
    const sent = route.request().postData() ?? '';
    return route.continue({
      postData: sent.replace('email_verified%22%3Atrue', 'email_verified%22%3Afalse'),
    });
  });

test('Facebook signs in by redirect, and its address stays unverified', async ({ page }) => {
  const email = newEmail('facebook');
  await asFacebook(page);
  await leaveFor(page, 'Facebook', '/myprofile');
  await newAtEmulator(page, email);
  await expect(page).toHaveURL(/\/complete-signup\?next=/);
  const user = await page.evaluate(() => localStorage.getItem('user') ?? '');
  expect(JSON.parse(user)).toMatchObject({ email, emailVerified: false });
  await page.goto('/myprofile');
  await expect(page).toHaveURL(/\/getting-started/);
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
  // The mail sent on the return from Facebook leads to the requested page.
  await page.goto(await mailedLink(page.request, email, /\/login\?/));
  await expect(page).toHaveURL('/myprofile');
  const verified = await page.evaluate(() => localStorage.getItem('user') ?? '');
  expect(JSON.parse(verified)).toMatchObject({ email, emailVerified: true });
});

test('Facebook opens no account that has the address already', async ({ page, browser, contextOptions }) => {
  const email = newEmail('owner');
  await signUp(page, email);
  await verify(page, email);
  const owner = await accountId(page);
  const other = await stranger(browser, contextOptions);
  await asFacebook(other.page);
  await leaveFor(other.page, 'Facebook', '/myprofile');
  await newAtEmulator(other.page, email);
  await expect(alertOf(other.page)).toContainText(
    'You already have an account with this email. Sign in the way you did before, then link this provider.',
  );
  await alertOf(other.page).getByRole('button', { name: 'Go to log in' }).click();
  await expectNobody(other.page);
  await logIn(other.page, email);
  await expect(other.page).toHaveURL(/\/tabs\/menu\//);
  expect(await accountId(other.page)).toBe(owner);
  await other.close();
});

test('an account that is disabled while signed in ends, says so, and is all there once it is enabled', async ({
  page,
}) => {
  const email = newEmail('disabled');
  await signUp(page, email);
  await verify(page, email);
  const id = await accountId(page);
  await page.clock.install();
  await page.goto('/change-password');
  const uid = await atEmulator.uidOf(page.request, email);
  await atEmulator.update(page.request, uid, { disableUser: true });
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('a louder harbour 8');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(alertOf(page)).toContainText('Error. Password changed failed.');
  await alertOf(page).getByRole('button').first().click();
  await expect(page.getByText('The account was disabled; contact support.')).toBeVisible();
  await page.clock.fastForward('10:00');
  await expect(page).toHaveURL(/\/(login|getting-started)/);
  await expectNobody(page);
  await logIn(page, email);
  await expect(alertOf(page)).toContainText('The account was disabled; contact support.');
  await expectNobody(page);

  await atEmulator.update(page.request, uid, { disableUser: false });
  await logIn(page, email);
  await expect(page).toHaveURL(/\/tabs\/menu\//);
  expect(await accountId(page)).toBe(id);
});

test('an account of this server with the same address is opened by no password at Firebase, and by Google', async ({
  page,
  browser,
  contextOptions,
}) => {
  const person = newPerson();
  const email = emailOf(person);
  await signUp(page, email);
  await verify(page, email);
  const id = await accountId(page);
  // Accounts that this server created before it used Firebase are unknown to Firebase.
  await atEmulator.remove(page.request, await atEmulator.uidOf(page.request, email));

  const other = await stranger(browser, contextOptions);
  await other.page.goto('/register');
  await other.page.getByLabel('Email').fill(email);
  await other.page.getByLabel('Password', { exact: true }).fill('a password of a stranger');
  await other.page.getByRole('button', { name: 'Create account' }).click();
  await expect(
    other.page.getByRole('alertdialog').getByText('The email address is already in use by another account.'),
  ).toBeVisible();
  await expectNobody(other.page);
  await expect.poll(() => atEmulator.uidOf(page.request, email)).toBe('');
  await other.close();

  // Google proves the mailbox, in a browser that knows nothing of the account.
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await leaveFor(page, 'Google', '/tabs/menu/account');
  await atGoogle.signIn(page, person);
  await expect(page).toHaveURL(/\/tabs\/menu\/account|\/complete-signup/);
  expect(await accountId(page)).toBe(id);
});
