import { expect, test } from '@playwright/test';
import { judge, withoutMotion } from './axe.ts';
import { join, mailedLink, newEmail, password } from './people.ts';

test.use(withoutMotion);

test('someone sets up their account, on every device', async ({ page, browser }) => {
  const email = newEmail('leila');
  await join(page, email, 'Leila Haddad', 'Find work');
  await page.goto('/account-settings');
  await expect(page.getByRole('heading', { name: 'Account settings', level: 1 })).toBeVisible();

  // Details are saved with the profile.
  await page.getByLabel('Name', { exact: true }).fill('Leila Haddad-Smit');
  await page.getByLabel('Phone').fill('+31 6 1234 5678');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText('Not checked yet.')).toBeVisible();

  // Formats apply at once, and the theme before the first paint of the next page.
  await page.getByRole('radio', { name: '12-hour' }).click();
  await expect(page.getByText(/For example 1:30\spm/i)).toBeVisible();
  await page.getByRole('radio', { name: 'Miles' }).click();
  await expect(page.getByText(/For example 1.9\smi/)).toBeVisible();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('radio', { name: '12-hour' })).toBeChecked();
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}-dark.png`, fullPage: true });
  await page.getByRole('radio', { name: 'Match device' }).first().click();
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}.png` });
  await judge(page, '/account-settings');

  // A second device follows the account's settings, and can be signed out from the first.
  const elsewhere = await browser.newContext();
  const second = await elsewhere.newPage();
  await second.goto('/login');
  await second.getByLabel('Email').fill(email);
  await second.getByLabel('Password', { exact: true }).fill(password);
  await second.getByRole('button', { name: 'Log in' }).click();
  await expect(second).toHaveURL(/\/tabs\/menu\//);
  await second.goto('/account-settings');
  await expect(second.getByRole('radio', { name: 'Miles' })).toBeChecked();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out other devices' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out other devices' }).click();
  await expect(page.getByText('Other devices signed out')).toBeVisible();
  await expect(second).toHaveURL(/\/getting-started/, { timeout: 30_000 });
  await elsewhere.close();
  await page.getByRole('button', { name: 'Sign-in history' }).click();
  await expect(page.getByRole('dialog').getByText('Signed in', { exact: true }).first()).toBeVisible();
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}-history.png` });
  await page.keyboard.press('Escape');
});

test('both addresses confirm a change of email, and the old one undoes it', async ({ page }) => {
  const [email, next] = [newEmail('mila'), newEmail('mila-new')];
  await join(page, email, 'Mila de Vries', 'Find work');
  await page.goto('/account-settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill(email);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await expect(page.getByText('This is already your address.')).toBeVisible();
  await page.getByLabel('New email').fill(next);
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}-email.png` });
  await page.getByRole('button', { name: 'Send the links' }).click();
  await expect(page.getByText(`Changing to ${next}.`, { exact: false })).toBeVisible();
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}-waiting.png` });

  await page.goto(await mailedLink(page.request, next, /confirm=/));
  await expect(page.getByText('Now follow the link that we emailed to your old address.')).toBeVisible();
  await page.goto(await mailedLink(page.request, email, /confirm=/));
  await expect(page.getByText(`From now on, log in with ${next}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Go to account settings' }).click();
  await expect(page.getByText(next, { exact: true })).toBeVisible();

  await page.goto(await mailedLink(page.request, email, /undo=/));
  await expect(page.getByRole('heading', { name: 'Undo the change of email?' })).toBeVisible();
  await page.screenshot({ path: `/tmp/settings/${test.info().project.name}-undo.png` });
  await judge(page, 'undo');
  await page.getByRole('button', { name: 'Undo and choose a password' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('another harbour 8');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('another harbour 8');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);
});
