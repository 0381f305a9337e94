import { readFileSync } from 'node:fs';
import { openShift } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { join, newEmail, password } from './people.ts';

test('someone invites a friend, who signs up by the link and shows up by first name', async ({
  page,
  browser,
}) => {
  await join(page, newEmail('sam'), 'Sam Okafor', 'Find work');
  await page.goto('/share-refer');
  await expect(page.getByRole('heading', { name: 'You both get €10' })).toBeVisible();
  await expect(page.getByText('Nobody yet')).toBeVisible();
  await expect(page.getByText('You can get up to 10 rewards in 30 days, and 50 in total.')).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/r\/[0-9A-Z]{10}$/);

  const friend = await (await browser.newContext()).newPage();
  await friend.goto(new URL(link).pathname);
  await expect(friend).toHaveURL(/\/getting-started\?ref=/);
  await friend.getByRole('link', { name: 'Create account' }).click();
  await friend.getByLabel('Email').fill(newEmail('mei'));
  await friend.getByLabel('Password', { exact: true }).fill(password);
  await friend.getByRole('button', { name: 'Create account' }).click();
  await expect(friend.getByText("Sam invited you. You're both in line for a reward.")).toBeVisible();
  await friend.context().close();

  // The server knows the friend before they have verified anything or given a name.
  await expect(page.getByText('Someone', { exact: true })).toBeVisible();
  await expect(page.getByText('Not enough paid work yet')).toBeVisible();
});

test('a business shares a job, and sees which channel an application came from', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista' });
  const hirer = nadia.page;
  await hirer.goto('/share-job');
  await hirer.getByRole('link', { name: /Weekend barista/ }).click();
  await expect(hirer.getByRole('heading', { name: 'Anyone with the link can read the job' })).toBeVisible();
  await nadia.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await hirer.getByRole('button', { name: 'Copy link' }).click();
  await expect(hirer.getByText('Link copied.')).toBeVisible();
  const link = await hirer.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/j\/weekend-barista-[0-9a-z]{10}\?s=link$/);

  const [poster] = await Promise.all([
    hirer.waitForEvent('download'),
    hirer.getByRole('button', { name: 'Download A4' }).click(),
  ]);
  expect(poster.suggestedFilename()).toBe('nearhand-weekend-barista-a4.pdf');
  expect(
    readFileSync(await poster.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const [code] = await Promise.all([
    hirer.waitForEvent('download'),
    hirer.getByRole('button', { name: 'Download PNG' }).click(),
  ]);
  expect(code.suggestedFilename()).toBe('nearhand-weekend-barista-qr.png');

  const visitor = await parts.browser.newContext({
    userAgent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
  });
  const guest = await visitor.newPage();
  await guest.goto(new URL(link).pathname + new URL(link).search);
  await expect(guest.getByRole('link', { name: 'Apply', exact: true })).toHaveAttribute(
    'href',
    `/job-apply-form/${shift.id}?s=link`,
  );
  await visitor.close();

  await leila.page.goto(`/job-apply-form/${shift.id}?s=link`);
  await leila.page.getByRole('button', { name: 'Continue' }).click();
  await leila.page.getByRole('button', { name: 'Send application' }).click();
  await expect(leila.page).toHaveURL(/job-applied-success/);

  await expect(async () => {
    await hirer.reload();
    await expect(hirer.getByRole('row', { name: 'Copied link 1 1' })).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
});
