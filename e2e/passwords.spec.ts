import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { mailedLink, newEmail, password, signOut, signUp, verify } from './people.ts';

// Runs with either provider: built in, and Firebase with `npm run test:firebase`.

const logIn = async (page: Page, email: string, typed: string) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'Log in' }).click();
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
  const link = await mailedLink(page.request, email, /\/login\?reset=/);
  const setPassword = async () => {
    await page.goto(link);
    await page.getByLabel('New password').fill('a louder harbour 8');
    await page.getByRole('button', { name: 'Set new password' }).click();
  };
  await setPassword();
  await expect(page).toHaveURL(/\/tabs\/menu\//);
  await signOut(page);
  await setPassword();
  const alert = page.getByRole('alertdialog');
  await expect(
    alert.getByText('This link is not valid or has already been used. Request a new one.'),
  ).toBeVisible();
  await logIn(page, email, password);
  await expect(alert.getByText('Invalid email or password.')).toBeVisible();
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
  await expect(
    second.getByRole('alertdialog').getByText('The email address is already in use by another account.'),
  ).toBeVisible();
  await other.close();
});
