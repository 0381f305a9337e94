import type { Browser, Page } from '@playwright/test';
import { mailTo } from './chatting.ts';
import { expect, test } from './journey.ts';
import { mailedLink, newEmail, password } from './people.ts';
import { phone } from './sizes.ts';

async function phoneIn(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ ...phone, locale });
  return context.newPage();
}

/** Checks a translated screen: its language, direction and heading, and that it is no wider than the phone. */
async function expectScreen(page: Page, path: string, language: string, direction: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('html')).toHaveAttribute('dir', direction);
  await expect(page.getByRole('heading').filter({ visible: true }).first()).toBeVisible();
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await tooWide(), `${path} in ${language}`).toBeLessThanOrEqual(0);
}

const screens = [
  '/tabs/menu/explore',
  '/tabs/menu/my-work',
  '/tabs/menu/account',
  '/withdraw',
  '/notifications',
  '/notification-settings',
  '/help-center',
  '/tabs/menu/help/check-in',
];

test('someone signs up in Dutch, chooses Arabic, and finds it on another device and in mails', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const page = await phoneIn(browser, 'nl-NL');
  const email = newEmail('noor');

  await test.step('the browser decides at first', async () => {
    await page.goto('/register');
    await expect(page.locator('html')).toHaveAttribute('lang', 'nl');
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.getByRole('button', { name: 'Account maken', exact: true }).click();
    await expect(page).toHaveURL(/\/complete-signup/);
    const link = await mailedLink(page.request, email, /\/login\?/);
    expect(await mailTo({ email, context: page.context() } as never)).toContain('Bevestig je e-mailadres');
    await page.goto(link);
    await expect(page).toHaveURL(/\/complete-signup/);
    for (const path of screens) await expectScreen(page, path, 'nl', 'ltr');
  });

  await test.step('the settings change it at once, from right to left', async () => {
    await page.goto('/account-settings');
    await page.getByRole('combobox').filter({ hasText: 'العربية' }).selectOption('ar');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    for (const path of screens) await expectScreen(page, path, 'ar', 'rtl');
  });

  await test.step('another device follows the account', async () => {
    const other = await phoneIn(browser, 'en-GB');
    await other.goto('/login');
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.getByRole('button', { name: 'Log in' }).click();
    await expect(other.locator('html')).toHaveAttribute('lang', 'ar', { timeout: 60_000 });
    await other.context().close();
  });
  await page.context().close();
});
