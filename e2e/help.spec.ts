import type { Language } from '@nearhand/contract/languages';
import { judge, withoutMotion } from './axe.ts';
import { expect, test } from './journey.ts';
import { language } from './languages/setting.ts';
import { join, mailedLink, newEmail } from './people.ts';

test.use(withoutMotion);

const slips: Partial<Record<Language, string>> = {
  en: 'chekc in code',
  nl: 'inchekcen code',
  ar: 'تسجلي الحضور برمز',
};

test('someone finds an article, and writes to Nearhand about what it leaves open', async ({ page }) => {
  const email = newEmail('leila');
  await join(page, email, 'Leila Haddad', 'Find work');
  await page.goto('/help-center');
  await page.getByLabel('Search the help').fill(slips[language] ?? '');
  await page.getByRole('link', { name: 'Check in with a code' }).click();
  await expect(page.getByRole('heading', { name: 'Check in with a code', level: 1 })).toBeVisible();
  await judge(page, '/tabs/menu/help/:slug');
  await page.getByRole('button', { name: "No, it didn't" }).click();
  await expect(page.getByRole('button', { name: "No, it didn't" })).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('link', { name: 'Contact us' }).first().click();
  await expect(page.getByRole('heading', { name: 'Contact us', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Send to Nearhand' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.getByLabel('What is it about?').selectOption({ index: 1 });
  await page.getByLabel('Subject', { exact: true }).fill('The code is not accepted');
  await page.getByLabel('What happened?').fill('I typed the code on the poster.\nIt says that it is wrong.');
  await judge(page, '/tabs/menu/help/contact');
  await page.getByRole('button', { name: 'Send to Nearhand' }).click();

  await expect(page.getByRole('heading', { name: 'The code is not accepted', level: 1 })).toBeVisible();
  await expect(page.getByText('I typed the code on the poster.')).toBeVisible();
  await page.getByLabel('Your reply').fill('It was the code of yesterday, sorry.');
  await page.getByRole('button', { name: 'Send reply' }).click();
  await expect(page.getByText('It was the code of yesterday, sorry.').first()).toBeVisible();
  await judge(page, 'a request');
  await page.getByRole('button', { name: 'Mark as solved' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as solved' }).click();
  await expect(page.getByText('This request is closed. Your reply opens it again.')).toBeVisible();

  await page.goto('/help-center');
  await expect(page.getByRole('link', { name: /The code is not accepted/ })).toBeVisible();
});

test('a guest writes to Nearhand and confirms it by mail', async ({ page }) => {
  const email = newEmail('guest');
  await page.goto('/tabs/menu/help');
  await judge(page, '/tabs/menu/help');
  await page.getByRole('link', { name: 'Contact us' }).first().click();
  await page.getByLabel('Your name').fill('Sam');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('What is it about?').selectOption({ index: 1 });
  await page.getByLabel('Subject', { exact: true }).fill('Is there work in Utrecht?');
  await page.getByLabel('What happened?').fill('I found none in the app.');
  await page.getByRole('button', { name: 'Send to Nearhand' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox', level: 1 })).toBeVisible();
  await page.goto(await mailedLink(page.request, email, /confirm=/));
  await expect(page.getByRole('heading', { name: 'Your request is confirmed', level: 1 })).toBeVisible();
});
