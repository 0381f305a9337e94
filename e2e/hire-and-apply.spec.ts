import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { join, newEmail } from './people.ts';

const door = { latitude: 52.3791, longitude: 4.8831 };

const dayAfterTomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

async function registerBusiness(page: Page, name: string): Promise<void> {
  await page.goto('/register-business');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Category').selectOption({ label: 'Hospitality' });
  await page.getByLabel('Description').fill('A coffee bar on a corner, open from seven.');
  await page.getByRole('button', { name: 'Use my location' }).click();
  await expect(page.getByLabel('Country')).toHaveValue('NL');
  await page.getByLabel('Street and number', { exact: true }).fill('Westerstraat 112');
  await page.getByRole('textbox', { name: 'Town or neighbourhood' }).fill('Jordaan');
  await page.getByLabel('Legal name').fill(`${name} B.V.`);
  await page.getByRole('button', { name: 'Register business' }).click();
  await expect(page.getByText(`${name} is registered`)).toBeVisible();
}

async function postShift(page: Page, title: string): Promise<void> {
  await page.goto('/create-job');
  const next = () => page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Shift' }).check();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Category').selectOption({ label: 'Hospitality' });
  await page.getByLabel('Description').fill('You run the bar with one other, about 200 drinks on a morning.');
  await next();
  await next();
  await page.getByLabel('Day', { exact: true }).fill(dayAfterTomorrow());
  await page.getByLabel('From', { exact: true }).fill('08:00');
  await page.getByLabel('To', { exact: true }).fill('14:00');
  await page.getByLabel('Pay per hour').fill('18');
  await next();
  await next();
  await page.getByRole('button', { name: 'Publish job' }).click();
  await expect(page.getByText(`${title} published`)).toBeVisible();
}

test('a business posts a shift, a worker nearby finds it and applies, and the business sees the applicant', async ({
  browser,
  page,
  contextOptions,
}) => {
  const tag = crypto.randomUUID().slice(0, 6);
  const title = `Weekend barista ${tag}`;

  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation(door);
  await join(page, newEmail('nadia'), 'Nadia Rahmani', 'Hire people');
  await registerBusiness(page, `Kopi and Crumb ${tag}`);
  await postShift(page, title);

  const other = await browser.newContext({
    ...contextOptions,
    permissions: ['geolocation'],
    geolocation: { latitude: 52.3752, longitude: 4.8838 },
  });
  const worker = await other.newPage();
  await join(worker, newEmail('leila'), 'Leila Haddad', 'Find work');
  await worker.goto('/tabs/menu/explore');
  await worker.getByLabel('Search jobs').fill(tag);
  await worker
    .getByRole('link', { name: new RegExp(title) })
    .first()
    .click();
  await expect(worker).toHaveURL(/\/job-desc\//);
  await expect(worker.getByRole('heading', { name: title }).filter({ visible: true }).first()).toBeVisible();
  await worker.getByRole('link', { name: 'Apply for this job' }).click();
  await worker
    .getByLabel('Your message')
    .fill('I have worked a bar for three years and live around the corner.');
  await worker.getByRole('button', { name: 'Continue' }).click();
  await worker.getByRole('button', { name: 'Send application' }).click();
  await expect(worker).toHaveURL(/\/job-applied-success\//);
  await expect(worker.getByText('Application sent').filter({ visible: true }).first()).toBeVisible();

  await page.goto('/tabs/menu/jobs');
  await page.goto('/all-job-applicants');
  const seen = (text: string) => page.getByText(text).filter({ visible: true }).first();
  await expect(seen('Leila Haddad')).toBeVisible();
  // The list shows the start of a note too; only the opened application has a timeline.
  await page.getByRole('heading', { name: 'Leila Haddad' }).filter({ visible: true }).first().click();
  await expect(seen('Timeline')).toBeVisible();
  await expect(seen('I have worked a bar for three years and live around the corner.')).toBeVisible();

  await worker.goto('/notifications');
  await expect(worker.getByText(title).filter({ visible: true }).first()).toBeVisible();
  await other.close();
});
