import { expect, test } from '@playwright/test';
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

  // Known to the server before the friend has verified anything or given a name.
  await expect(page.getByText('Someone', { exact: true })).toBeVisible();
  await expect(page.getByText('No paid job yet')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(600);
    await page.screenshot({
      path: `/tmp/sharing/refer-${page.viewportSize()?.width}-${colorScheme}.png`,
      fullPage: true,
    });
  }
});
