import type { CDPSession, Page, Worker } from '@playwright/test';
import { badges, conversationOn, mailTo, openLive, unreadOf } from './chatting.ts';
import { applyForJob, hoursSent, openShift, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test, worded } from './moved-time.ts';
import { mailedLink } from './people.ts';

test('an application reaches the recruiter at once, and every notice links to its subject', async ({
  parts,
}) => {
  const { nadia, leila, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 5,
    moneyMinor: 0,
  });
  const phone = await nadia.elsewhere();
  let applicationId = '';

  await test.step('the count on one device follows the inbox on another', async () => {
    await openLive(nadia.page, '/tabs/menu/account');
    await openLive(phone, '/notifications');
    const before = await unreadOf(nadia);
    expect(before).toBe(0);
    applicationId = (await applyForJob(leila, shift.id)).id;
    await expect(noticesOnAccount(nadia.page)).toContainText('1');
    await expect(phone.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
    await expect(visibleText(phone, 'Leila Haddad applied')).toBeVisible();
  });

  await test.step('it links to the applicant, and is no longer pending anywhere', async () => {
    await phone.getByRole('link', { name: 'See applicants' }).filter({ visible: true }).click();
    await expect(phone).toHaveURL(`/job-applicants/${shift.id}?applicant=${applicationId}`);
    await expect(visibleButton(phone, 'Make an offer')).toBeVisible();
    await expect.poll(() => unreadOf(nadia)).toBe(0);
    await expect(badges(nadia.page).filter({ hasText: 'new' })).toHaveCount(0);
  });

  await test.step('a message links to its conversation', async () => {
    await openLive(leila.page, '/notifications');
    const { id } = await nadia.api('POST', '/conversations', {
      jobId: shift.id,
      workerId: (await leila.api('GET', '/accounts/me')).id,
    });
    await nadia.api('POST', `/conversations/${id}/messages`, {
      clientId: crypto.randomUUID(),
      body: 'When could you begin?',
    });
    await leila.page
      .getByRole('link', { name: /Kopi and Crumb sent you a message/ })
      .filter({ visible: true })
      .click();
    await expect(leila.page).toHaveURL(`/chat?c=${id}`);
    await expect(conversationOn(leila.page).line('When could you begin?')).toBeVisible();
  });

  await test.step("a move in the pipeline shows on both sides' other devices", async () => {
    await openLive(nadia.page, `/job-applicants/${shift.id}`);
    await openLive(leila.page, `/tabs/menu/my-work/${applicationId}`);
    await expect(
      leila.page.getByRole('heading', { name: "They've seen your application" }).filter({ visible: true }),
    ).toBeVisible();
    const { version } = await nadia.api('GET', `/applicants/${applicationId}`);
    await nadia.api('POST', `/applications/${applicationId}/shortlist`, { version });
    await expect(
      leila.page.getByRole('heading', { name: "You're shortlisted" }).filter({ visible: true }),
    ).toBeVisible();
    await expect(shortlisted(nadia.page)).toBeVisible();
  });
});

const noticesOnAccount = (page: Page) =>
  page.locator('.account').getByRole('link', { name: /^Notifications/ });

/** One applicant is under `Shortlisted`: in a desktop's lane, or counted in a phone's filter. */
const shortlisted = (page: Page) =>
  page
    .getByRole('region', { name: 'Shortlisted' })
    .getByText('Leila Haddad')
    .or(page.getByRole('button', { name: 'Shortlisted 1' }))
    .filter({ visible: true })
    .first();

test("released pay shows in the worker's balance without a reload", async ({ parts, time }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Evening bar', daysAhead: 1 });
  const { engagementId, version } = await hoursSent(nadia, leila, shift, time);
  await openLive(leila.page, '/withdraw');
  const pending = leila.page.getByRole('region', { name: 'Balance' }).getByText('Pending', { exact: true });
  await expect(pending.locator('..')).toHaveText('Pending€0');
  await openLive(nadia.page, '/release-payment');
  await expect(visibleButton(nadia.page, /^Release €/)).toBeVisible();
  await nadia.api('POST', `/engagements/${engagementId}/approve`, { version });
  await expect(pending.locator('..')).toHaveText('Pending€99');
  await expect(visibleText(nadia.page, 'Nothing to release')).toBeVisible();
});

test('turned-off topics are not sent, quiet hours hold the rest, and one click in a mail unsubscribes', {
  tag: '@nightly',
}, async ({ parts, time }) => {
  const { nadia, leila, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 9,
    moneyMinor: 0,
  });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  const settings = nadia.page;
  const email = (name: string) =>
    settings.getByRole('group', { name, exact: true }).getByRole('combobox', { name: 'Email' });

  await test.step('one topic is turned off, its neighbour still arrives by mail', async () => {
    await settings.goto('/notification-settings');
    await visibleButton(settings, /^Choose for each of .*Applications$/).click();
    const saved = settings.waitForResponse(
      (answer) =>
        answer.url().endsWith('/api/notifications/settings') && answer.request().method() === 'PATCH',
    );
    await email('Someone applied for your job').selectOption('off');
    expect((await saved).ok()).toBe(true);
    await expect(email('Applications')).toHaveValue('mixed');
    await settings.reload();
    await expect(email('Applications')).toHaveValue('mixed');

    const { id, version } = await applyForJob(leila, shift.id);
    await leila.api('POST', `/applications/${id}/withdraw`, { version });
    await expect
      .poll(() => mailTo(nadia))
      .toContainEqual(expect.stringMatching(worded(/^Leila Haddad withdrew/)));
    expect((await mailTo(nadia)).filter((subject) => worded(/applied/).test(subject))).toEqual([]);
  });

  await test.step('quiet hours hold mail until they end', async () => {
    const clock = (hours: number) =>
      new Date(time.now().getTime() + hours * 3_600_000).toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Amsterdam',
        hour: '2-digit',
        minute: '2-digit',
      });
    const [from, to] = [clock(-1), clock(3)];
    await settings.getByRole('switch', { name: /Quiet hours/ }).click();
    await settings.getByLabel('From', { exact: true }).fill(from);
    await settings.getByLabel('To', { exact: true }).fill(to);
    await expect
      .poll(async () => (await nadia.api('GET', '/notifications/settings')).quiet)
      .toEqual({ on: true, from, to, timeZone: 'Europe/Amsterdam' });
    const { id, version } = await applyForJob(kwame, shift.id);
    await kwame.api('POST', `/applications/${id}/withdraw`, { version });
    await expect.poll(() => unreadOf(nadia)).toBe(4);
    await time.forward({ hours: 2 });
    expect((await mailTo(nadia)).filter((subject) => worded(/^Kwame Mensah withdrew/).test(subject))).toEqual(
      [],
    );
    await time.forward({ hours: 1, minutes: 5 });
    await expect
      .poll(() => mailTo(nadia))
      .toContainEqual(expect.stringMatching(worded(/^Kwame Mensah withdrew/)));
    await settings.getByRole('switch', { name: /Quiet hours/ }).click();
    await expect
      .poll(async () => (await nadia.api('GET', '/notifications/settings')).quiet)
      .toMatchObject({ on: false });
  });

  await test.step('one-click unsubscribe ends mail of that kind', async () => {
    // The request that a mail client sends to the address of List-Unsubscribe (RFC 8058).
    const link = await mailedLink(nadia.context.request, nadia.email, /\/unsubscribe\//);
    const answer = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(answer.status).toBe(200);
    await settings.reload();
    await expect(email('Applications')).toHaveValue('off');
  });

  await test.step('a test arrives by every channel', async () => {
    await visibleButton(settings, 'Send a test notification').click();
    await expect(visibleText(settings, `On its way to ${nadia.email}`)).toBeVisible();
    await expect(
      visibleText(settings, 'No device receives push notifications yet. Turn them on above.'),
    ).toBeVisible();
    await expect
      .poll(() => mailTo(nadia))
      .toContainEqual(expect.stringMatching(worded(/^Test notification from Nearhand$/)));
    await expect.poll(() => unreadOf(nadia)).toBe(5);
  });

  await test.step('the device shows one by itself after five seconds', async () => {
    await Promise.all([
      visibleText(settings, /so it appears at the bottom of this page/).waitFor(),
      visibleText(settings, /^A notification from this device\. This device created it/).waitFor(),
      visibleButton(settings, 'Show one from this device in 5 seconds').click(),
    ]);
  });
});

test('the service worker registers once the app is stable, shows pushes, a tap opens the app, and it starts without a network', async ({
  baseURL,
  parts,
}) => {
  const leila = await signedInPerson(parts, 'Leila Haddad', 'work');
  await leila.context.grantPermissions(['geolocation', 'notifications']);
  const { page } = leila;
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/')) !== undefined);

  const opened = Date.now();
  await openLive(page, '/tabs/menu/explore');
  const began = page.context().waitForEvent('serviceworker', { timeout: 60_000 });
  // Excludes loading time: a slow machine does not make an app stable.
  await page.clock.fastForward(Math.max(0, 20_000 - (Date.now() - opened)));
  expect(await registered()).toBe(false);
  await page.clock.fastForward(30_000);
  const worker = await began;
  // Pushes are delivered to an active worker only.
  await expect
    .poll(() =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state),
    )
    .toBe('activated');
  expect(new URL(worker.url()).pathname).toBe('/service-worker.js');

  const path = '/notification-settings';
  const push = { title: 'Hotel Brouwers offered you the job', body: 'Front desk', path, tag: 'offer-a1' };
  const browserSide = await page.context().newCDPSession(page);
  await showing(page, /^Hotel Brouwers offered you the job$/, () =>
    deliverPush(browserSide, baseURL ?? '', JSON.stringify(push)),
  );
  const changed = { ...push, title: 'The offer has changed' };
  await showing(page, /^The offer has changed$/, () =>
    deliverPush(browserSide, baseURL ?? '', JSON.stringify(changed)),
  );

  await tap(worker);
  await expect(page).toHaveURL(path);
  await expect.poll(() => shown(page)).toEqual([]);

  await showing(page, worded(/^A notification from this device$/), async () => {
    await visibleButton(page, 'Show one from this device in 5 seconds').click();
    await expect(visibleText(page, /It arrives in five seconds/)).toBeVisible();
  });

  await page.context().setOffline(true);
  await page.goto('/tabs/menu/my-work');
  await expect(page.getByRole('heading', { level: 1, name: 'My work' })).toBeVisible();
  await expect(visibleText(page, /You're offline|We couldn't reach Nearhand/).first()).toBeVisible();
  await page.context().setOffline(false);
});

/** Delivers a decrypted message to the worker, as a push service does last. */
async function deliverPush(session: CDPSession, origin: string, data: string): Promise<void> {
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ isDeleted, scopeURL }) => !isDeleted && scopeURL === `${origin}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await found;
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await session.send('ServiceWorker.disable');
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return ((await registration?.getNotifications()) ?? []).map(({ title }) => title);
  });

/** Expects this notification alone. A headless browser sometimes loses one; then it is sent again. */
const showing = (page: Page, title: RegExp, send: () => Promise<void>) =>
  expect(async () => {
    await send();
    await expect.poll(() => shown(page), { timeout: 10_000 }).toEqual([expect.stringMatching(title)]);
  }).toPass({ timeout: 60_000 });

/** Dispatches the tap in the worker. Focusing a window needs a real tap, so it is mocked. */
const tap = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      WindowClient: { prototype: { focus: () => Promise<unknown> } };
      ExtendableEvent: { prototype: { waitUntil: (work: Promise<unknown>) => void } };
      NotificationEvent: new (name: string, init: { notification: Notification }) => Event;
      dispatchEvent: (event: Event) => boolean;
    };
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('no notification is shown');
    scope.WindowClient.prototype.focus = async function focus(this: unknown) {
      return this;
    };
    let work: Promise<unknown> | undefined;
    scope.ExtendableEvent.prototype.waitUntil = (given) => {
      work = given;
    };
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    await work;
  });
