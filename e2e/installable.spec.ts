import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { test as base, expect } from './journey.ts';
import { join, newEmail } from './people.ts';

/** Chromium offers to install an app only in a persistent profile, not in private ones. */
const test = base.extend<{ profile: BrowserContext }>({
  profile: async ({ baseURL, launchOptions, locale }, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'nearhand-e2e-profile-'));
    const context = await chromium.launchPersistentContext(folder, {
      ...launchOptions,
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(locale === undefined ? {} : { locale }),
    });
    try {
      await use(context);
    } finally {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

type Kept = typeof globalThis & { nearhandInstall?: object | undefined };

async function obstacles(page: Page): Promise<string[]> {
  const browserSide = await page.context().newCDPSession(page);
  try {
    const { installabilityErrors } = await browserSide.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  } finally {
    await browserSide.detach();
  }
}

test('a browser can install the app, and says what is wrong with a broken manifest', async ({ profile }) => {
  const page = await profile.newPage();
  await page.goto('/getting-started');
  expect(await obstacles(page)).toEqual([]);

  await page.route('**/manifest.webmanifest', async (route) => {
    const manifest = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...manifest, icons: [] } });
  });
  await page.reload();
  await expect.poll(() => obstacles(page)).toContain('no-acceptable-icon');

  await page.unroute('**/manifest.webmanifest');
  await page.route('**/manifest.webmanifest', (route) => route.fulfill({ body: '{ "name": ' }));
  await page.reload();
  await expect.poll(() => obstacles(page)).toContain('manifest-parsing-or-network-error');
});

test('a member is told once, on the second visit, that the app can be installed', async ({ profile }) => {
  const page = await profile.newPage();
  const hint = page.getByText('You can install Nearhand. Find it in your account.');
  const install = page.getByRole('button', { name: 'Install Nearhand' });
  await join(page, newEmail('leila'), 'Leila Haddad', 'Find work');
  await page.goto('/tabs/menu/account');
  await expect(install).toBeVisible();
  await expect(hint).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('nearhand-visits'))).not.toBeNull();

  await page.clock.setSystemTime(new Date(Date.now() + 3_600_000));
  // Shown on a page that closes before anyone can have read it: shown once more on the next.
  const offer = await page.evaluateHandle(() => (globalThis as Kept).nearhandInstall);
  const offered = (next: typeof offer | null) =>
    page.evaluate((now) => {
      (globalThis as Kept).nearhandInstall = now ?? undefined;
      dispatchEvent(new Event('nearhand-install'));
    }, next);
  await offered(null);
  await expect(install).toHaveCount(0);
  await offered(offer);
  await expect(install).toBeVisible();
  await hint.waitFor();
  // Shown for six seconds, which can pass before a slow machine reports the page as open.
  await page.goto('/tabs/menu/explore', { waitUntil: 'commit' });
  await hint.waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('nearhand-visits'))).toBe('told');
  await page.goto('/tabs/menu/account');
  await expect(install).toBeVisible();
  await expect(hint).toHaveCount(0);
});
