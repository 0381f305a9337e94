import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './moved-time.ts';
import { join, mailedLink, newEmail, password, signUp } from './people.ts';

async function logIn(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function deleteAccount(page: Page, proof: string) {
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const sheet = page.getByRole('dialog', { name: 'Delete your account' });
  await expect(sheet.getByText('For 30 days:')).toBeVisible();
  await sheet.getByLabel('Your password', { exact: true }).fill(proof);
  await sheet.getByRole('button', { name: 'Delete my account' }).click();
  return sheet;
}

test('someone downloads their data, deletes the account, keeps it, and deletes it for good', async ({
  page,
  browser,
  time,
}) => {
  const email = newEmail('mila');
  await join(page, email, 'Mila Jansen', 'Find work');
  await page.goto('/account-settings');
  const terms = page.getByRole('region', { name: 'Terms you accepted' });
  await expect(terms.getByText('In force')).toBeVisible();

  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByRole('button', { name: 'Get a copy of my data' }).click();
  await expect(data.getByText(`We sent a link to ${email}`)).toBeVisible({ timeout: 30_000 });
  await page.goto(await mailedLink(page.request, email, /\/account-settings\?export=/));
  const saved = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download your data' }).click();
  const file = await readFile(await (await saved).path());
  expect(file.subarray(0, 2).toString()).toBe('PK');
  expect(file.includes('data/profiles.json')).toBe(true);

  await page.goto('/account-settings');
  const sheet = await deleteAccount(page, 'not my password');
  await expect(sheet.getByText("That isn't your password.")).toBeVisible();
  await sheet.getByLabel('Your password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible();
  await expect(page).toHaveURL(/\/getting-started/);
  await page.getByRole('button', { name: 'OK' }).click();

  await logIn(page, email);
  await expect(page.getByRole('heading', { name: /Your account will be deleted on/ })).toBeVisible();
  await page.goto('/tabs/menu/my-work');
  await expect(page.getByRole('heading', { name: /Your account will be deleted on/ })).toBeVisible();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByRole('region', { name: 'Delete account' })).toBeVisible();

  await deleteAccount(page, password);
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible();
  await time.forward({ days: 30, minutes: 1 });
  await logIn(page, email);
  await expect(page.getByText('Error', { exact: true })).toBeVisible();

  const other = await browser.newContext();
  await time.follow(other);
  await signUp(await other.newPage(), email);
});
