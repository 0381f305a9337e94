import { expect, type Page, test } from '@playwright/test';
import { standInForGoogle } from './google-frames.ts';
import { mailedLink, newEmail, password, signUp, verify } from './people.ts';

// Journeys that differ with Firebase (`npm run test:firebase`); sign-up is that of sign-up.spec.ts.

const logIn = async (page: Page, email: string, typed: string) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'Log in' }).click();
};
const signOut = async (page: Page) => {
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started/);
};

test('an unverified person logs in, sends the mail again, and verifies', async ({ page }) => {
  const email = newEmail('unverified');
  await signUp(page, email);
  const first = await mailedLink(page.request, email, /\/login\?/);
  await signOut(page);
  await logIn(page, email, password);
  await page.getByRole('button', { name: /Resend/ }).click();
  await expect(page.getByText('Email verification sent! Please check your inbox.')).toBeVisible();
  await expect(async () =>
    expect(await mailedLink(page.request, email, /\/login\?/)).not.toBe(first),
  ).toPass();
  await verify(page, email);
  await page.goto('/login?mode=verifyEmail&oobCode=not-a-code');
  await expect(page).toHaveURL(/\/tabs\/menu\//);
});

test('a forgotten password is reset by the mailed link, which works once', async ({ page }) => {
  const email = newEmail('forgetful');
  await signUp(page, email);
  await verify(page, email);
  await signOut(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send email' }).click();
  await expect(
    page.getByText('A password reset email has been sent. Please check your inbox.'),
  ).toBeVisible();
  const link = await mailedLink(page.request, email, /\/login\?/);
  for (const works of [true, false]) {
    await page.goto(link);
    await page.getByLabel('New password').fill('a louder harbour 8');
    await page.getByRole('button', { name: 'Set new password' }).click();
    if (works) await expect(page.getByText('Your new password is set. Log in to continue.')).toBeVisible();
    else
      await expect(
        page.getByText('This link is not valid or has already been used. Request a new one.'),
      ).toBeVisible();
  }
  await logIn(page, email, password);
  await expect(page.getByText('Invalid email or password.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Password', { exact: true }).fill('a louder harbour 8');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);
});

test('a password is changed with the current one, and the session goes on', async ({ page }) => {
  const email = newEmail('changing');
  await signUp(page, email);
  await verify(page, email);
  await page.goto('/change-password');
  const change = async (current: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill('a louder harbour 8');
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not the password');
  await expect(page.getByText('Error. Password changed failed.')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button').first().click();
  await expect(page.getByText('This is not your current password.')).toBeVisible();
  await change(password);
  await expect(page.getByText('Password changed successfully. Redirecting in 3 seconds...')).toBeVisible();
  await expect(page).toHaveURL(/\/tabs\/menu\/account/);
  await page.reload();
  await expect(page.getByText(email).first()).toBeVisible();
});

test('the same address cannot sign up twice', async ({ page, browser, contextOptions }) => {
  const email = newEmail('twice');
  await signUp(page, email);
  const other = await browser.newContext(contextOptions);
  const second = await other.newPage();
  await second.goto('/register');
  await second.getByLabel('Email').fill(email);
  await second.getByLabel('Password', { exact: true }).fill(password);
  await second.getByRole('button', { name: 'Create account' }).click();
  await expect(second.getByText('The email address is already in use by another account.')).toBeVisible();
  await other.close();
});

/** Leaves for Google's page, as the emulator shows it, and signs in there as someone new. */
async function signInWithGoogle(page: Page, email: string) {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL(/\/emulator\/auth\/handler/);
  await page.getByRole('button', { name: /Add new account/ }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Display name' }).fill('Noor Smit');
  await page.getByRole('button', { name: /Sign in with Google/ }).click();
}

test('Google is left for, and signs in by redirect back to the page', async ({ page }) => {
  await standInForGoogle(page);
  const email = newEmail('google');
  await page.goto('/login?next=%2Fmyprofile');
  await signInWithGoogle(page, email);
  await expect(page).toHaveURL(/\/complete-signup\?next=/);
  await page.getByRole('button', { name: 'Find work' }).click();
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Noor Smit');
  // The next sign-in finds the same account.
  await signOut(page);
  await page.goto('/login?next=%2Ftabs%2Fmenu%2Faccount');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL(/\/emulator\/auth\/handler/);
  await page.getByText(email).click();
  await expect(page).toHaveURL(/\/complete-signup|\/tabs\/menu\/account/);
});

test('who turns back at Google’s page is not signed in, and reads why', async ({ page }) => {
  await standInForGoogle(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL(/\/emulator\/auth\/handler/);
  await page.goBack();
  const alert = page.getByRole('alertdialog', { name: 'Error' });
  await expect(alert).toContainText('Sign-in was cancelled because permission was not given.');
  await alert.getByRole('button', { name: 'Go to log in' }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/myprofile');
  await expect(page).toHaveURL(/\/(login|getting-started)/);
});
