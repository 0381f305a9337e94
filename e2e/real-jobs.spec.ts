import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './journey.ts';
import { join, newEmail } from './people.ts';
import { dataDir } from './server-address.ts';

const root = path.resolve(import.meta.dirname, '..');
const data = path.resolve(root, '../shared/data');
const postings = path.join(data, 'nyc-jobs.csv');
const known = path.join(data, 'nyc-places.tsv');

const phone = { width: 390, height: 844 };

/** A point in City Hall Park, Manhattan. */
const park = { latitude: 40.7127, longitude: -74.0059 };

test('real postings are imported, a worker in City Hall Park finds the nearest and applies, and the business sees it', async ({
  browser,
  page,
  contextOptions,
}, info) => {
  test.skip(
    !existsSync(postings) || !existsSync(known),
    'skipped: the postings of New York City are not on this machine',
  );
  test.setTimeout(240_000);

  const owner = newEmail('city');
  await join(page, owner, 'City of New York', 'Hire people');
  const report = info.outputPath('refused.csv');
  const notified = execFileSync(
    process.execPath,
    [
      path.join(root, 'apps/api/src/commands/import.ts'),
      postings,
      '--map',
      path.join(root, 'apps/api/imports/nyc-jobs.map.json'),
      '--places',
      known,
      '--owner',
      owner,
      '--report',
      report,
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  info.annotations.push({ type: 'import', description: notified });
  expect(existsSync(report)).toBe(true);

  const other = await browser.newContext({
    ...contextOptions,
    viewport: phone,
    isMobile: true,
    hasTouch: true,
    permissions: ['geolocation'],
    geolocation: park,
  });
  const worker = await other.newPage();
  await join(worker, newEmail('ines'), 'Ines Moreau', 'Find work');
  await worker.goto('/tabs/menu/explore');
  await worker.getByRole('button', { name: /Searching around/ }).click();
  await worker.getByRole('button', { name: 'Use my location' }).click();
  const nearest = worker
    .getByRole('region', { name: /^Within / })
    .first()
    .getByRole('article')
    .first();
  await expect(nearest.getByText(/\d min walk/)).toBeVisible();
  await nearest.getByRole('link').filter({ visible: true }).first().click();
  await expect(worker).toHaveURL(/\/job-desc\//);
  await worker.getByRole('link', { name: 'Apply for this job' }).click();
  await worker.getByLabel('Your message').fill('I live a short walk away and have done this work before.');
  await worker.getByRole('button', { name: 'Continue' }).click();
  await worker.getByRole('button', { name: 'Send application' }).click();
  await expect(worker.getByText('Application sent').filter({ visible: true }).first()).toBeVisible();

  await page.goto('/notifications');
  await expect(page.getByText('Ines Moreau').filter({ visible: true }).first()).toBeVisible();
  await page.getByText('See applicants').filter({ visible: true }).first().click();
  await expect(
    page
      .getByText('I live a short walk away and have done this work before.')
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await other.close();
});
