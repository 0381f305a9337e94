import { directionOf } from '@nearhand/contract/languages';
import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { language } from './languages/setting.ts';
import { bankThatReturns } from './money.ts';
import { withPhone } from './one-page.ts';
import { confirmPassword, join, newEmail } from './people.ts';

const explore = '/tabs/menu/explore';
const openDialogs = (page: Page) => page.locator('dialog[open]');
const menu = (page: Page) => page.getByRole('dialog', { name: 'Menu' });
const path = (page: Page) => new URL(page.url()).pathname;

async function lookAround(page: Page): Promise<void> {
  await withPhone(page);
  await page.goto('/getting-started');
  await page.getByRole('link', { name: 'Look around first' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Good work' })).toBeVisible();
}

const openFilters = async (page: Page) => {
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
};

const backs = [
  ["the browser's Back", (page: Page) => page.goBack()],
  ["the phone's back button", (page: Page) => page.evaluate(() => window.pressBack())],
] as const;

for (const [name, back] of backs) {
  test(`${name} closes a sheet first and then leaves the page`, async ({ page }) => {
    await lookAround(page);
    await openFilters(page);
    await back(page);
    await expect(openDialogs(page)).toHaveCount(0);
    expect(path(page)).toBe(explore);
    await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
    await openFilters(page);
    await back(page);
    await expect(openDialogs(page)).toHaveCount(0);
    await back(page);
    await expect(page).toHaveURL(/\/getting-started$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Work you can walk to');
    await expect(openDialogs(page)).toHaveCount(0);
    await page.goForward();
    await expect(page).toHaveURL(new RegExp(`${explore}$`));
    await expect(openDialogs(page)).toHaveCount(0);
  });

  test(`${name} closes an alert and stays on the form that caused it`, async ({ page }) => {
    await withPhone(page);
    await page.goto('/getting-started');
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Email').fill('nobody@journey.example');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await back(page);
    await expect(openDialogs(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel('Email')).toHaveValue('nobody@journey.example');
  });
}

test.describe('the menu of a phone', () => {
  test.skip(({ isMobile }) => !isMobile, 'From 992 px the menu is always open.');

  const openMenu = async (page: Page) => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await expect(menu(page)).toBeVisible();
  };

  for (const [name, back] of backs) {
    test(`${name} closes it, also on the first page of a visit`, async ({ page }) => {
      await withPhone(page);
      await page.goto(explore);
      await openMenu(page);
      await back(page);
      await expect(menu(page)).toBeHidden();
      expect(path(page)).toBe(explore);
      await openMenu(page);
      await back(page);
      await expect(menu(page)).toBeHidden();
      expect(path(page)).toBe(explore);
      expect(await page.evaluate(() => window.timesLeft)).toBe(0);
    });
  }

  test('a link in it replaces it in the history, Escape and its backdrop close it', async ({ page }) => {
    await lookAround(page);
    await openMenu(page);
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await openMenu(page);
    await page.mouse.click(directionOf(language) === 'rtl' ? 10 : 380, 400);
    await expect(menu(page)).toBeHidden();
    await openMenu(page);
    await menu(page).getByRole('link', { name: 'Saved' }).click();
    await expect(page).toHaveURL(/\/favorite$/);
    await expect(menu(page)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${explore}$`));
    await expect(menu(page)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/\/getting-started$/);
  });

  test('switching sides keeps it open with the focus on the side, and Back closes it', async ({ page }) => {
    await lookAround(page);
    await openMenu(page);
    const hire = menu(page).getByRole('radio', { name: 'Hire' });
    await hire.click();
    await expect(page).toHaveURL(/\/tabs\/menu\/business$/);
    await expect(menu(page)).toBeVisible();
    await expect(hire).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(page).toHaveURL(new RegExp(`${explore}$`));
    await expect(menu(page).getByRole('radio', { name: 'Work' })).toBeFocused();
    await page.goBack();
    await expect(menu(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL(/\/tabs\/menu\/business$/);
    await expect(menu(page)).toBeHidden();

    await openMenu(page);
    await menu(page).getByRole('radio', { name: 'Work' }).click();
    await expect(page).toHaveURL(new RegExp(`${explore}$`));
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Good work' })).toBeFocused();
  });

  test('the map over the list closes on Back', async ({ page }) => {
    await lookAround(page);
    await page.evaluate(() => window.openLink('/tabs/menu/explore?view=map'));
    await expect(page.getByRole('button', { name: 'List' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: 'List' })).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${explore}$`));
  });
});

test('Back closes an alert over a sheet, then the sheet, then leaves the page', async ({ page }) => {
  await withPhone(page);
  await join(page, newEmail('leila'), 'Leila Haddad', 'Find work');
  await page.goto('/tabs/menu/account');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => window.openLink('/withdraw'));
  await page.getByRole('button', { name: 'Add a bank account' }).click();
  const form = page.getByRole('dialog', { name: 'Add a bank account' });
  await form.getByLabel('Account holder').fill('Leila Haddad');
  await form.getByLabel('IBAN').fill(bankThatReturns);
  await form.getByRole('button', { name: 'Add account' }).click();
  await confirmPassword(page);
  await expect(form).toBeHidden();

  await page.getByRole('button', { name: 'Your bank accounts' }).click();
  const accounts = page.getByRole('dialog', { name: 'Bank accounts' });
  await accounts.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(openDialogs(page)).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(accounts).toBeVisible();
  await expect(accounts.getByRole('button', { name: /^Remove/ })).toBeFocused();
  await page.goBack();
  await expect(openDialogs(page)).toHaveCount(0);
  expect(path(page)).toBe('/withdraw');
  await page.goBack();
  await expect(page).toHaveURL(/\/tabs\/menu\/account$/);
  await expect(openDialogs(page)).toHaveCount(0);
});
