import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { signOut } from './people.ts';
import { atGoogle, firstSteps, leaveFor, newPerson } from './providers/google.ts';

// Runs with either provider: an OpenID provider in place of Google, or the emulator (`npm run
// test:firebase`).

const accountId = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('user') ?? '{}') as { id?: string }).id);

test('Google signs in, back to the page that was asked for, and next time as the same person', async ({
  page,
}) => {
  const person = newPerson();
  await leaveFor(page, 'Google', '/myprofile');
  await atGoogle.signIn(page, person);
  await firstSteps(page);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
  const first = await accountId(page);
  expect(first).toBeTruthy();

  await signOut(page);
  const kept = () =>
    page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('access-token')]);
  expect(await kept()).toEqual([null, null]);
  // Without the cookie, opening the redirect page does not sign in.
  await page.goto('/loading?next=%2Fmyprofile');
  await expect(page).toHaveURL(/\/login/);

  await page.context().clearCookies();
  await leaveFor(page, 'Google', '/myprofile');
  await atGoogle.signInAgain(page, person);
  await expect(page).toHaveURL('/myprofile');
  await expect(page.getByRole('heading', { name: 'Noor Smit' })).toBeVisible();
  expect(await accountId(page)).toBe(first);
});

test('who turns back at Google is not signed in, and reads why', async ({ page }) => {
  await leaveFor(page, 'Google', '/myprofile');
  await atGoogle.turnBack(page);
  const alert = page.getByRole('alertdialog', { name: 'Error' });
  await expect(alert).toContainText('Sign In');
  await expect(alert).toContainText('Sign-in was cancelled because permission was not given.');
  await alert.getByRole('button', { name: 'Go to log in' }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/myprofile');
  await expect(page).toHaveURL(/\/(login|getting-started)/);
});
