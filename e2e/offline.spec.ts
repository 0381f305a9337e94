import type { BrowserContext, Locator, Page } from '@playwright/test';
import { accountId, conversationOn, photo } from './chatting.ts';
import {
  applyForJob,
  businessOf,
  doorPosition,
  openJob,
  type Person,
  recordAttendance,
  signedInPerson,
  visibleButton,
  visibleText,
} from './hiring.ts';
import { wrote } from './journey.ts';
import { expect, jump, type Parts, test } from './moved-time.ts';
import { dataDirOf, serverPort } from './server-address.ts';
import { startFaultyNetwork } from './servers/faulty-network.ts';
import { brokenTitle, startReleases } from './servers/releases.ts';
import { startServer } from './servers/restarted-server.ts';
import { phone } from './sizes.ts';

const ofWorker = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return { active: registration?.active?.state, waiting: registration?.waiting?.state };
  });

/** A visit of 31 seconds, after which the app is cached. On a slow machine the time starts late. */
async function stayAwhile(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(async () => {
    await jump(page.context(), 31_000);
    await expect.poll(async () => (await ofWorker(page)).active, { timeout: 20_000 }).toBe('activated');
  }).toPass({ timeout: 90_000 });
}

/** Data is fetched ahead 10 seconds after a start, and stored within 2. */
async function stored(page: Page, words: string): Promise<void> {
  const isStored = () =>
    page.evaluate(async (sought) => {
      // Opening it before the app did would create it without its store.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'keyval-store')) return false;
      const opening = indexedDB.open('keyval-store');
      const store = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      const reading = store.transaction('keyval').objectStore('keyval').getAll();
      const values = await new Promise<unknown[]>((resolve) => {
        reading.onsuccess = () => resolve(reading.result);
      });
      store.close();
      const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
      return texts.some((text) => text.includes(sought));
    }, words);
  await expect
    .poll(isStored, { message: `"${words}" is not stored on the device`, timeout: 60_000 })
    .toBe(true);
}

async function reopenOffline(context: BrowserContext, page: Page, path: string): Promise<Page> {
  await context.setOffline(true);
  const next = await context.newPage();
  await page.close();
  await next.goto(path);
  return next;
}

const saysHowOld = (page: Page) =>
  expect(
    page.locator('.banner.wait').filter({ visible: true, hasText: 'Last updated:' }).first(),
    `${page.url()} says how old it is`,
  ).toBeVisible();

/** Unavailable offline, with the reason, but still in the tab order. */
async function isNotAvailable(one: Locator): Promise<void> {
  await expect(one).toBeDisabled();
  await expect(one).toHaveAccessibleDescription('Needs a connection');
  await one.focus();
  await expect(one).toBeFocused();
}

async function hiredForToday(parts: Parts) {
  const [nadia, leila] = await Promise.all([
    signedInPerson(parts, 'Nadia Rahmani', 'hire'),
    signedInPerson(parts, 'Leila Haddad', 'work'),
  ]);
  const business = await businessOf(nadia, 'Kopi and Crumb');
  const startsAt = new Date(parts.time.now().getTime() + 15 * 60_000);
  const endsAt = new Date(startsAt.getTime() + 6 * 3_600_000);
  const job = await openJob(nadia, business.id, { title: 'Evening bar', startsAt, endsAt, headCount: 2 });
  const hire = async (worker: Person) => {
    const application = await applyForJob(worker, job.id);
    const offer = await nadia.api('POST', `/applications/${application.id}/offers`, { message: '' });
    const accepted = await worker.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
    return String(accepted.engagementId);
  };
  const engagementId = await hire(leila);
  const workerId = await accountId(leila);
  const conversation = await nadia.api('POST', '/conversations', { jobId: job.id, workerId });
  const write = (body: string) =>
    nadia.api('POST', `/conversations/${conversation.id}/messages`, { clientId: crypto.randomUUID(), body });
  return { nadia, leila, hire, engagementId, conversationId: conversation.id, write };
}

test('on site without a network, a worker reads messages and checks in by code, and the business sees who is on shift', async ({
  parts,
  time,
}) => {
  const { nadia, leila, hire, engagementId, conversationId, write } = await hiredForToday(parts);
  const omar = await signedInPerson(parts, 'Omar Said', 'work');
  const omarsWork = await hire(omar);
  await recordAttendance(omar, omarsWork, 'check-in', time.now());
  await write('Bring black shoes.');
  await nadia.page.goto(`/chat?c=${conversationId}`);
  const theirs = conversationOn(nadia.page);
  await theirs.foot
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: photo });
  await theirs.say('Ring at this door.');
  await expect(theirs.line('Ring at this door.').locator('.chat-pic img')).toBeVisible();

  await test.step('both have the app open for half a minute', async () => {
    await leila.page.goto('/tabs/menu/my-work');
    await nadia.page.goto('/tabs/menu/business');
    await Promise.all([stayAwhile(leila.page), stayAwhile(nadia.page)]);
    // The worker has not opened the conversation, nor the business the shift list.
    await stored(leila.page, 'Ring at this door.');
    await stored(nadia.page, '"ahead"');
    // Resets the clocks: a code of another minute is refused.
    for (const { context } of [leila, nadia]) await context.clock.setSystemTime(time.now());
  });

  await test.step('the worker reads the messages, and what of them is missing', async () => {
    const page = await reopenOffline(leila.context, leila.page, '/tabs/menu/my-work');
    leila.page = page;
    await expect(visibleText(page, 'Evening bar')).toBeVisible();
    await saysHowOld(page);
    for (const path of ['/favorite', '/withdraw']) {
      await page.goto(path);
      await saysHowOld(page);
    }
    await page.goto('/tabs/menu/messages');
    await visibleText(page, 'Kopi and Crumb').click();
    const hers = conversationOn(page);
    await expect(hers.line('Bring black shoes.')).toBeVisible();
    const picture = hers.line('Ring at this door.').locator('.chat-pic');
    await expect(picture).toHaveText('Needs a connection');
    await picture.click();
    const viewer = page.getByRole('dialog', { name: /^Photo from/ });
    await expect(viewer).toContainText('Needs a connection');
    await viewer.getByRole('button', { name: 'Close' }).click();
    await saysHowOld(page);
    await page.reload();
    await expect(hers.line('Bring black shoes.')).toBeVisible();
  });

  await test.step('the worker checks in by the code of the business, which shows it without a network too', async () => {
    const page = await reopenOffline(nadia.context, nadia.page, '/merchant-ongoing-jobs');
    nadia.page = page;
    await saysHowOld(page);
    await expect(page.getByRole('heading', { name: 'On shift' }).first()).toBeVisible();
    await visibleButton(page, /^Started/).click();
    await expect(visibleText(page, 'Omar Said')).toBeVisible();
    await visibleButton(page, /^Show code/).click();
    const sheet = page.getByRole('dialog', { name: 'Check-in code' });
    await expect(sheet.getByText(/^Last updated: .* The code keeps changing and works\./)).toBeVisible();
    const code = ((await sheet.locator('.site-digits .vh').textContent()) ?? '').replaceAll(' ', '');
    expect(code).toMatch(/^\d{6}$/);
    await sheet.getByRole('button', { name: 'Close' }).click();

    await leila.page.goto(`/tabs/menu/my-work/engagement/${engagementId}`);
    await saysHowOld(leila.page);
    await isNotAvailable(visibleButton(leila.page, "I'm running late"));
    await visibleButton(leila.page, 'Use the check-in code').click();
    await leila.page.getByLabel('Check-in code').fill(code);
    await visibleButton(leila.page, 'Use this code').click();
    const waits = visibleText(leila.page, "Saved on this device. We'll send it when you're online.");
    await expect(waits).toBeVisible();
    await leila.page.reload();
    await expect(waits).toBeVisible();
    await leila.context.setOffline(false);
    await expect(waits).toBeHidden();
    await expect(visibleText(leila.page, 'Checked in')).toBeVisible();
    const { attendance } = await nadia.api('GET', `/engagements/${engagementId}`);
    expect(attendance).toMatchObject([{ kind: 'check_in', how: 'code' }]);
  });

  await test.step('the business reads the attendance of who was here', async () => {
    const { page } = nadia;
    await page.goto(`/tabs/menu/jobs/engagement/${omarsWork}`);
    await expect(visibleText(page, /Check-in \d\d:\d\d/)).toBeVisible();
    await saysHowOld(page);
    await isNotAvailable(visibleButton(page, 'Record check-out'));
    await nadia.context.setOffline(false);
    await expect(visibleButton(page, 'Record check-out')).toBeEnabled();
    await nadia.context.setOffline(true);
    await page.goto('/tabs/menu/business');
    await saysHowOld(page);
  });
});

async function visitor({ browser, time }: Parts, address: string): Promise<Page> {
  const context = await browser.newContext({
    ...phone,
    baseURL: address,
    permissions: ['geolocation'],
    geolocation: doorPosition,
  });
  await time.follow(context);
  return context.newPage();
}

const explore = `/tabs/menu/explore?lat=${doorPosition.latitude}&lng=${doorPosition.longitude}&at=Jordaan`;
const runs = (page: Page) =>
  page.evaluate(() =>
    document.querySelector('script[type="module"][src*="/app-"]')?.getAttribute('src')?.endsWith('.next.js')
      ? 'next'
      : 'this',
  );

test('a guest opens the app without a network after one visit, and a new version waits until they reload', {
  tag: '@nightly',
}, async ({ parts, baseURL }) => {
  const nadia = await signedInPerson(parts, 'Nadia Rahmani', 'hire');
  const business = await businessOf(nadia, 'Kopi and Crumb');
  const startsAt = new Date(parts.time.now().getTime() + 26 * 3_600_000);
  const endsAt = new Date(startsAt.getTime() + 6 * 3_600_000);
  await openJob(nadia, business.id, { title: 'Morning bar', startsAt, endsAt });
  const releases = await startReleases(serverPort + 30, Number(new URL(baseURL ?? '').port));
  try {
    let page = await visitor(parts, releases.address);
    const context = page.context();
    await test.step('it starts after a visit of 31 seconds, with the jobs of that visit', async () => {
      await page.goto(explore);
      await expect(visibleText(page, 'Morning bar')).toBeVisible();
      await stayAwhile(page);
      await stored(page, 'Morning bar');
      page = await reopenOffline(context, page, explore);
      await expect(visibleText(page, 'Morning bar')).toBeVisible();
      await saysHowOld(page);
      await context.setOffline(false);
    });
    await test.step('a new version says that it is ready, and leaves the page as it is', async () => {
      await page.reload();
      await stayAwhile(page);
      await page.getByRole('searchbox').filter({ visible: true }).first().fill('bar');
      releases.deploy('next');
      const ready = visibleText(page, 'A new version of Nearhand is ready.');
      await Promise.all([ready.waitFor(), jump(page.context(), '01:00:00')]);
      expect(await ofWorker(page)).toEqual({ active: 'activated', waiting: 'installed' });
      expect(await runs(page)).toBe('this');
      await expect(page.getByRole('searchbox').filter({ visible: true }).first()).toHaveValue('bar');
      await visibleButton(page, 'Reload').click();
      await expect.poll(() => runs(page)).toBe('next');
    });
    await test.step('it takes over, and starts without a network', async () => {
      await page.waitForLoadState('networkidle');
      await jump(page.context(), 31_000);
      await expect.poll(() => ofWorker(page)).toEqual({ active: 'activated', waiting: undefined });
      page = await reopenOffline(context, page, explore);
      await expect(visibleText(page, 'Morning bar')).toBeVisible();
      expect(await runs(page)).toBe('next');
    });
  } finally {
    await releases.close();
  }
});

test('on a network without internet the app says at once how old it is and what needs a connection, and finds back', {
  tag: '@nightly',
}, async ({ parts, baseURL }) => {
  const nadia = await signedInPerson(parts, 'Nadia Rahmani', 'hire');
  const business = await businessOf(nadia, 'Kopi and Crumb');
  const startsAt = new Date(parts.time.now().getTime() + 26 * 3_600_000);
  const endsAt = new Date(startsAt.getTime() + 6 * 3_600_000);
  await openJob(nadia, business.id, { title: 'Late bar', startsAt, endsAt });
  const port = serverPort + 33;
  const network = await startFaultyNetwork(port, Number(new URL(baseURL ?? '').port));
  try {
    const page = await visitor(parts, `http://localhost:${port}`);
    await page.goto(explore);
    await expect(visibleText(page, 'Late bar')).toBeVisible();
    await stayAwhile(page);
    await stored(page, 'Late bar');
    const retry = visibleButton(page, 'Retry').first();
    for (const broken of ['cut', 'captive'] as const) {
      await test.step(`${broken}: an open page finds out with the first read that fails`, async () => {
        network.set(broken);
        // Forced: a read of the app's own may have failed first, which closes the field.
        const search = page.getByRole('searchbox').filter({ visible: true }).first();
        await search.fill(`bar ${broken}`, { force: true });
        await expect(visibleText(page, /You're offline\./)).toBeVisible();
        expect(await page.evaluate(() => navigator.onLine)).toBe(true);
      });
      await test.step(`${broken}: a page started from the device knows it from the first paint`, async () => {
        await page.goto('/login');
        await isNotAvailable(visibleButton(page, 'Log in'));
        await page.goto(explore);
        await expect(visibleText(page, 'Late bar')).toBeVisible();
        await saysHowOld(page);
      });
      await test.step(`${broken}: Retry leaves it as it is until the server answers`, async () => {
        await retry.click();
        await saysHowOld(page);
        network.set('good');
        // Presses without waiting for the button: the app also retries automatically, and then removes it.
        await retry.evaluateAll((buttons: HTMLElement[]) => buttons.map((one) => one.click()));
        await expect(page.locator('.banner.wait').filter({ visible: true })).toHaveCount(0);
      });
    }
  } finally {
    await network.close();
  }
});

test('OFFLINE_APP=false undoes a release that answers every visit with a broken page', {
  tag: '@nightly',
}, async ({ parts, baseURL }) => {
  const port = serverPort + 31;
  const releases = await startReleases(port, Number(new URL(baseURL ?? '').port));
  const server = await startServer({
    port: port + 1,
    dataDir: dataDirOf(port + 1),
    publicUrl: releases.address,
    env: { OFFLINE_APP: 'false' },
  });
  try {
    const page = await visitor(parts, releases.address);
    releases.deploy('broken');
    await page.goto('/getting-started');
    await stayAwhile(page);
    await page.goto('/getting-started');
    await expect(page).toHaveTitle(wrote(brokenTitle));
    releases.deploy('this', port + 1);
    await page.goto('/getting-started');
    await expect(async () => {
      await page.goto('/getting-started');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  } finally {
    await server.stop();
    await releases.close();
  }
});
