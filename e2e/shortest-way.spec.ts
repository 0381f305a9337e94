import type { Page } from '@playwright/test';
import { counting } from './counting.ts';
import { expect, test } from './journey.ts';
import { mailedLink, newEmail, password } from './people.ts';

const door = { latitude: 52.3791, longitude: 4.8831 };
const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

/** Resolves when the destination is stored with the account, which happens before anyone opens their mail. */
const keeps = (page: Page, path: string) =>
  page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/accounts/me') &&
      answer.request().method() === 'PATCH' &&
      (answer.request().postData() ?? '').includes(path),
  );

test.use({ permissions: ['geolocation'], geolocation: door });

test('a stranger comes from the first page to a published job, and another to an application, in few steps', async ({
  browser,
  contextOptions,
  page,
}) => {
  const title = `Weekend barista ${crypto.randomUUID().slice(0, 6)}`;
  const seen = (name: string | RegExp, role: 'button' | 'link' = 'button', on = page) =>
    on.getByRole(role, { name }).filter({ visible: true }).first();

  await test.step('a business', async () => {
    const counted = await counting(page);
    const email = newEmail('nadia');
    await page.goto('/');
    await seen('Account', 'link').click();
    await seen('Create account', 'link').click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await seen('Create account').click();
    const kept = keeps(page, '/register-business');
    await seen('Hire people').click();
    await kept;
    counted.taps += 1;
    await page.goto(await mailedLink(page.request, email, /\/login\?/));
    await expect(page).toHaveURL(/\/register-business/);
    await page.getByLabel('Name', { exact: true }).fill('Kopi and Crumb');
    await page.getByLabel('Category').selectOption({ label: 'Hospitality' });
    await seen('Use my location').click();
    await expect(page.getByLabel('Country')).toHaveValue('NL');
    await page.getByLabel('Street and number', { exact: true }).fill('Westerstraat 112');
    await seen('Register business').click();
    await expect(page).toHaveURL(/\/my-business/);
    await seen('Create job', 'link').click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Description').fill('You run the bar with one other, about 200 drinks a morning.');
    await seen('Continue').click();
    await seen('Continue').click();
    await page.getByLabel('Day', { exact: true }).fill(inTwoDays());
    await page.getByLabel('Pay per hour').fill('18');
    await seen('Continue').click();
    await seen('Continue').click();
    await seen('Publish job').click();
    await expect(page.getByText(`${title} published`)).toBeVisible();
    expect([counted.taps, counted.fields.size], [...counted.fields].join('\n')).toEqual([13, 9]);
  });

  await test.step('a worker', async () => {
    const other = await browser.newContext({
      ...contextOptions,
      permissions: ['geolocation'],
      geolocation: door,
    });
    const worker = await other.newPage();
    const counted = await counting(worker);
    const email = newEmail('leila');
    await worker.goto('/');
    await worker
      .getByRole('link', { name: new RegExp(title) })
      .first()
      .click();
    await worker.getByRole('link', { name: 'Apply', exact: true }).click();
    await seen('Create account', 'link', worker).click();
    await expect(worker.getByText(title).filter({ visible: true }).first()).toBeVisible();
    await worker.getByLabel('Email').fill(email);
    await worker.getByLabel('Password', { exact: true }).fill(password);
    const kept = keeps(worker, '/job-apply-form/');
    await seen('Create account', 'button', worker).click();
    await expect(worker).toHaveURL(/complete-signup/);
    await kept;
    counted.taps += 1;
    await worker.goto(await mailedLink(worker.request, email, /\/login\?/));
    await worker.getByLabel('Your name').fill('Leila Haddad');
    await seen('Continue', 'button', worker).click();
    await seen('Send application', 'button', worker).click();
    await expect(worker).toHaveURL(/\/job-applied-success\//);
    expect([counted.taps, counted.fields.size], [...counted.fields].join('\n')).toEqual([7, 3]);
    await other.close();
  });
});
