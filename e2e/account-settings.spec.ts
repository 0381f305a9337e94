import type { Page } from '@playwright/test';
import { appCode, earlierCode } from './authenticator.ts';
import { judge, withoutMotion } from './axe.ts';
import { expect, test, worded } from './journey.ts';
import { confirmPassword, join, mailedLink, newEmail, password } from './people.ts';

test.use(withoutMotion);

test('someone sets up their account, on every device', async ({ page, browser }) => {
  const email = newEmail('leila');
  await join(page, email, 'Leila Haddad', 'Find work');
  await page.goto('/account-settings');
  await expect(page.getByRole('heading', { name: 'Account settings', level: 1 })).toBeVisible();

  await page.getByLabel('Name', { exact: true }).fill('Leila Haddad-Smit');
  await page.getByLabel('Phone').fill('+31 6 1234 5678');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Details saved')).toBeVisible();
  await expect(page.getByText("This number hasn't been checked.")).toBeVisible();

  // Formats apply at once, and the theme before the first paint of the next page.
  await page.getByRole('radio', { name: '12-hour' }).click();
  await expect(page.getByText(/For example 1:30\spm/i)).toBeVisible();
  await page.getByRole('radio', { name: 'Miles' }).click();
  await expect(page.getByText(/For example 1.9\smi/)).toBeVisible();
  await page.getByRole('radio', { name: 'Dark' }).click();
  // The next page sends what the reload interrupts.
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('meta[name="theme-color"][media="all"]')).toHaveAttribute('content', '#0E1512');
  await expect(page.getByRole('radio', { name: '12-hour' })).toBeChecked();
  await page.getByRole('radio', { name: 'Match device' }).first().click();
  await judge(page, '/account-settings');

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
  await page.keyboard.press('Escape');
});

test('both addresses confirm a change of email, and the old one undoes it', async ({ page }) => {
  const [email, next] = [newEmail('mila'), newEmail('mila-new')];
  await join(page, email, 'Mila de Vries', 'Find work');
  await page.goto('/account-settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill(email);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await confirmPassword(page);
  await expect(page.getByText('This is already your address.')).toBeVisible();
  await page.getByLabel('New email').fill(next);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await expect(page.getByText(`Changing to ${next}.`, { exact: false })).toBeVisible();

  await page.goto(await mailedLink(page.request, next, /confirm=/));
  await expect(page.getByText('Now follow the link that we emailed to your old address.')).toBeVisible();
  await page.goto(await mailedLink(page.request, email, /confirm=/));
  await expect(page.getByText(`From now on, log in with ${next}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Go to account settings' }).click();
  await expect(page.getByText(next, { exact: true })).toBeVisible();

  await page.goto(await mailedLink(page.request, email, /undo=/));
  await expect(page.getByRole('heading', { name: 'Undo the change of email?' })).toBeVisible();
  await judge(page, 'undo');
  await page.getByRole('button', { name: 'Undo and choose a password' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('another harbour 8');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);
  await page.goto('/account-settings');
  await expect(page.getByText(email, { exact: true })).toBeVisible();
});

test('a second step at sign-in, by app and by recovery code', async ({ page }) => {
  const email = newEmail('noor');
  await join(page, email, 'Noor Jansen', 'Find work');
  await page.goto('/account-settings');
  await page.getByRole('button', { name: 'Turn on the second step' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Password', { exact: true }).fill('not the password');
  await sheet.getByRole('button', { name: 'Continue' }).click();
  await expect(sheet.getByText("This isn't your password.")).toBeVisible();
  await sheet.getByLabel('Password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Continue' }).click();
  const key = ((await sheet.getByTestId('totp-key').textContent()) ?? '').replaceAll(' ', '');
  await expect(sheet.locator('.settings-qr path')).toBeVisible();
  await judge(page, 'the second step');
  await sheet.getByLabel('Code', { exact: true }).fill('12');
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  await expect(sheet.getByText('The code is not correct. Check it and try again.')).toBeVisible();
  // The previous code, since each works once and the next sign-in needs one.
  await sheet.getByLabel('Code', { exact: true }).fill(await earlierCode(key));
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  const codes = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';
  const downloading = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Download the codes' }).click();
  expect((await downloading).suggestedFilename()).toBe('nearhand-recovery-codes.txt');
  await sheet.getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByText('Logging in asks for a code from your authenticator app.')).toBeVisible();

  await logOut(page);
  await logIn(page, email);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await judge(page, '/login?second-step=1');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The code is not correct. Check it and try again.')).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByLabel('Code', { exact: true }).fill(appCode(key));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);

  await logOut(page);
  await logIn(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);

  await page.goto('/account-settings');
  await page.getByRole('button', { name: 'Turn off the second step' }).click();
  await sheet.getByLabel('Password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Turn off', exact: true }).click();
  await expect(page.getByText('Second step turned off', { exact: true }).first()).toBeVisible();
  await logOut(page);
  await logIn(page, email);
  await expect(page).toHaveURL(/\/tabs\/menu\//);
});

test('a passkey: added, used to log in and as second step, and removed', async ({ page, browserName }) => {
  expect(browserName).toBe('chromium');
  const email = newEmail('amir');
  await join(page, email, 'Amir Bakker', 'Find work');
  const device = await withAuthenticator(page);
  await page.goto('/account-settings');
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(page);
  await expect(page.getByText(/^Passkey added: \S/)).toBeVisible();
  await section.getByRole('button', { name: 'Edit' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name').fill('  My   laptop ');
  await judge(page, 'a passkey');
  await sheet.getByRole('button', { name: 'Save name' }).click();
  await expect(section.getByText('My laptop', { exact: true })).toBeVisible();
  await expect(section.getByText('Added today, not used yet')).toBeVisible();
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(section.getByText('This device already has a passkey for your account.')).toBeVisible();
  await mailedText(page, email, /A passkey was added to your account/);
  await judge(page, '/account-settings with a passkey');

  await logOut(page);
  await page.goto('/login');
  await device.verifies(false);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Signing in...')).toBeHidden();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await device.verifies(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);

  // With a second step, the passkey alone is enough, and it can replace the code.
  await page.goto('/account-settings');
  await page.getByRole('button', { name: 'Turn on the second step' }).click();
  await sheet.getByLabel('Password', { exact: true }).fill(password);
  await sheet.getByRole('button', { name: 'Continue' }).click();
  const key = ((await sheet.getByTestId('totp-key').textContent()) ?? '').replaceAll(' ', '');
  await sheet.getByLabel('Code', { exact: true }).fill(appCode(key));
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  await sheet.getByRole('button', { name: 'I saved them' }).click();
  await logOut(page);
  await logIn(page, email);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\//);

  await page.goto('/account-settings');
  await section.getByRole('button', { name: 'Edit' }).click();
  await sheet.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  await confirmPassword(page);
  await expect(section.getByText('My laptop', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Sign-in history' }).click();
  await expect(sheet.getByText('Passkey removed', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await logOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('That sign-in method is not linked to your account.')).toBeVisible();
});

async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function mailedText(page: Page, email: string, english: RegExp): Promise<void> {
  await expect(async () => {
    const mailbox = await page.request.get(`/dev/mailbox?to=${encodeURIComponent(email)}`);
    expect(await mailbox.text()).toMatch(worded(english));
  }).toPass({ timeout: 30_000 });
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started/);
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}
