import { expect, type Page, test } from '@playwright/test';
import { standInForGoogle } from './google-frames.ts';
import { newEmail, signOut } from './people.ts';

// Google at Firebase (`npm run test:firebase`); passwords.spec.ts and sign-up.spec.ts are the same for both providers.

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
