import type { Page } from '@playwright/test';
import { routes } from '../apps/web/src/app/routes.ts';
import { expect, test, worded } from './journey.ts';
import { language } from './languages/setting.ts';
import { type Expected, pageFaults, type Stop, walk, withPhone } from './one-page.ts';
import { join, newEmail, password } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

// `/complete-signup` leads people on who have looked at hiring, which these walks do before they come to it.
const guestRoutes = routes.filter(({ guarded, path }) => !guarded && path !== '/complete-signup');
const pathOf = (path: string) => path.replace(/:[a-z]+/g, 'none');

const leadsOn: Record<string, string> = {
  '/': '/tabs/menu/explore',
  '/tabs': '/tabs/menu/explore',
  '/flashscreen': '/getting-started',
  '/loading': '/login',
};

async function guestStops(page: Page, wide: boolean): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (const route of guestRoutes) {
    const path = pathOf(route.path);
    const address = leadsOn[path] ?? path;
    const tab = guestRoutes.find((guestRoute) => guestRoute.path === address)?.tab === true;
    await page.goto(path);
    await expect(page).toHaveURL((url) => url.pathname === address);
    // A prerendered page has an English title until its app has rendered.
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('#pre')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page).toHaveTitle(/\S · Nearhand$/);
    stops.push({ path, expected: { address, title: await page.title(), tabBar: tab && !wide } });
  }
  return stops;
}

/** All on a phone; a few on a desktop, which has the same pages without tabs. */
const some = (stops: Stop[], wide: boolean) => (wide ? stops.filter((_, index) => index % 5 === 0) : stops);

const isStart = ({ path, expected }: Stop) => expected.address === path;

/** A different fifth for each page: every page is opened from several and returned to from several (ADR 58). */
const fromHere = (stops: Stop[], start: number) => stops.filter((_, index) => (start * 2 + index) % 5 === 0);

test('guest pages from one another: one is visible, with its address, title, tabs and focus, also after Back', {
  tag: '@phone-only',
}, async ({ page }) => {
  await withPhone(page);
  const stops = await guestStops(page, false);
  const starts = stops.filter(isStart);
  expect(starts.length).toBe(guestRoutes.length - Object.keys(leadsOn).length);
  // Pages with the same title could be mistaken for each other.
  expect(new Set(starts.map(({ expected }) => expected.title)).size).toBe(starts.length);

  // One document for all of them, which loads the code of each screen once.
  await page.goto('/interview');
  await expect(page).toHaveTitle(/^Interviews/);
  for (const [index, start] of starts.entries()) {
    const others = fromHere(stops, index).filter(({ path }) => path !== start.path);
    expect(await walk(page, start, others)).toEqual([]);
  }
});

test('every guest page opened by its address, and Back to the one before', async ({ page }) => {
  await withPhone(page);
  const wide = (page.viewportSize()?.width ?? 0) >= 992;
  const starts = some((await guestStops(page, wide)).filter(isStart), wide);
  const requireOnly = (expected: Expected) =>
    // `expect.poll` fails if a navigation interrupts the evaluation, which happens around Back.
    expect(async () => {
      expect(await page.evaluate((one) => window.pageFaults(one, false), expected)).toEqual([]);
    }).toPass({ timeout: 30_000 });
  for (const [index, { path, expected }] of starts.entries()) {
    await page.goto(path);
    await requireOnly(expected);
    const before = starts[index - 1];
    if (!before) continue;
    await page.goBack();
    await requireOnly(before.expected);
    await page.goForward();
    await requireOnly(expected);
  }
});

test('a checker that can fail: two visible pages, the wrong title, no tabs, the focus elsewhere', async ({
  page,
}) => {
  const expected = { address: '/one', title: 'One · Nearhand', tabBar: true };
  const two = `<title>Two · Nearhand</title><div class="page-holder"><main><h1 tabindex="-1">One</h1></main></div>
    <div class="page-holder"><main><h1>Two</h1></main></div><dialog open>Menu</dialog>`;
  await page.setContent(two);
  expect(await page.evaluate(pageFaults, expected)).toEqual([
    '2 pages are visible',
    '2 visible elements are main',
    'the address is blank instead of /one',
    'the title is "Two · Nearhand" instead of "One · Nearhand"',
    '0 tab bars are visible',
    'the current tab is none',
    '1 dialogs are open',
    'the focus is on BODY, not on the heading',
  ]);
});

test('an unknown address says so, with a search and the way home', async ({ page }) => {
  await withPhone(page);
  await page.goto('/getting-started');
  await page.evaluate(() => window.openLink('/login'));
  await expect(page).toHaveTitle('Log in · Nearhand');
  await page.goto('/no/such-page?x=1');
  const heading = page.getByRole('heading', { level: 1, name: 'Page not found' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('Page not found · Nearhand');
  await expect(page).toHaveURL(/\/no\/such-page\?x=1$/);
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('  barista & bar ');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tabs\/menu\/explore\?q=barista/);
  await expect(page).toHaveTitle('Explore · Nearhand');
  await expect(page.getByRole('searchbox', { name: 'Search jobs' })).toHaveValue('barista & bar');
  await page.goBack();
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('Page not found · Nearhand');
  await page.getByRole('link', { name: 'Go home' }).click();
  await expect(page).toHaveURL(/\/tabs\/menu\/explore/);
});

test('the title follows the page after signing in and after signing out', async ({ page }) => {
  await join(page, newEmail('titus'), 'Titus Bos', 'Find work');
  await expect(page).toHaveTitle('Explore · Nearhand');
  await page.goto('/login?next=%2Ftoc');
  await expect(page).toHaveURL(/\/toc$/);
  await expect(page).toHaveTitle('Terms and conditions · Nearhand');
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started$/);
  await expect(page).toHaveTitle('Welcome · Nearhand');
  await page.getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveTitle('Log in · Nearhand');
});

test('a password manager finds the password page, through sign-in and back', async ({ page }) => {
  const email = newEmail('pia');
  await join(page, email, 'Pia Smit', 'Find work');
  await page.goto('/.well-known/change-password');
  await expect(page).toHaveTitle('Change password · Nearhand');
  await page.goto('/tabs/menu/account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/getting-started$/);
  await page.goto('/.well-known/change-password');
  await expect(page).toHaveURL(/\/getting-started\?next=%2Fchange-password$/);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/change-password$/);
});

test('a walk that can fail: a page with another title than expected ends it', async ({ page }) => {
  await withPhone(page);
  await page.goto('/interview');
  await expect(page).toHaveTitle(/^Interviews/);
  const stop = (path: string, title: RegExp): Stop => ({
    path,
    expected: { address: path, title: worded(title), tabBar: false },
  });
  const stops = [
    stop('/register', /^Create account · Nearhand$/),
    stop('/expertise', /^Another$/),
    stop('/favorite', /^Other$/),
  ];
  const faults = await walk(page, stop('/login', /^Log in · Nearhand$/), stops);
  const step = /^\/login -> \/expertise: the title is "(.*)" instead of "\/\^Another\$\/"$/;
  expect(faults.map((fault) => step.exec(fault)?.[1] ?? fault)).toEqual([
    expect.stringMatching(worded(/^Your skills · Nearhand$/)),
  ]);
});
