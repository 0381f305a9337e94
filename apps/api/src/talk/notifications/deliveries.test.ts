import { addMs } from '@nearhand/contract/durations';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { browserAt, openFirebase, openPushService } from '../../../test/services/push-services.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { vapidKeys } from '../../platform/push/push-web.ts';
import { createSign } from '../../platform/sign.ts';
import { type Notice, notifyAll, seeGroup } from './notifications.ts';

let service: Awaited<ReturnType<typeof openPushService>>;
let firebase: Awaited<ReturnType<typeof openFirebase>>;
const app = useTestApp(async () => {
  service = await openPushService();
  firebase = await openFirebase(() => app.clock.now());
  return {
    PUBLIC_URL: 'https://nearhand.example',
    PUSH_HOSTS: `push.example,${service.host}`,
    PUSH_CA: service.ca,
    FCM_SERVICE_ACCOUNT: firebase.account,
    FCM_URL: firebase.url,
  };
});
afterAll(async () => {
  await service?.close();
  await firebase?.close();
});

let leila: Person;
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  // Removes tasks that earlier tests queued.
  await app.pool.query('delete from graphile_worker._private_jobs');
  leila = await app.person();
  app.mails.length = 0;
  service.pushed.length = 0;
  firebase.sent.length = 0;
  Object.assign(service.state, { answer: 201, headers: {} });
  Object.assign(firebase.state, { answer: 200, body: {} });
});

const notice = (options: Partial<Notice> = {}): Notice => ({
  accountId: leila.accountId,
  topic: 'offer-received',
  data: { jobTitle: 'Barista', businessName: 'Café Noord', side: 'worker' },
  path: '/tabs/menu/my-work/1',
  dedupeKey: `offer-received/${crypto.randomUUID()}`,
  ...options,
});
const notify = (...options: Partial<Notice>[]) =>
  app.db.transaction().execute((tx) => notifyAll(tx, app, options.map(notice)));
const browser = async (person = leila) => {
  const { read, ...target } = browserAt(service.origin);
  const device = await person.api.devices.add({ kind: 'web', label: 'Firefox', ...target });
  return { ...device, read, endpoint: target.endpoint };
};
const phone = async (token = `token-of-a-phone-${crypto.randomUUID()}`) =>
  leila.api.devices.add({ kind: 'android', label: 'Phone', token });
const ways = async () => {
  const rows = await app.db
    .selectFrom('notification_deliveries')
    .select(['channel', 'state', 'reason'])
    .where('accountId', '=', leila.accountId)
    .orderBy('channel', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ channel, state, reason }) => [channel, state, reason]);
};
const quiet = (from: string, to: string, timeZone: string, person = leila) =>
  person.api.notificationSettings.update({ quiet: { on: true, from, to, timeZone } });

describe('web push', () => {
  it('is encrypted for its browser and signed by us', async () => {
    const device = await browser();
    await notify({});
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    const [push] = service.pushed;
    expect(service.origin + push?.path).toBe(device.endpoint);
    const said = device.read(push?.body ?? Buffer.alloc(0)) as Record<string, string>;
    const [notified] = (await leila.api.notifications.list({})).items;
    expect(said).toEqual({
      title: 'Café Noord offered you the job',
      body: expect.stringMatching(/\S/),
      path: '/tabs/menu/my-work/1',
      tag: expect.stringMatching(/^[\w-]{32}$/),
      notificationId: notified?.id,
    });
    expect(push?.headers).toMatchObject({ ttl: '259200', urgency: 'normal', topic: said.tag });
    expect(push?.vapid.key).toBe(vapidKeys(app.config, createSign(app.secret)).publicKey);
    expect(push?.vapid.claims.sub).toBe('mailto:no-reply@nearhand.example');
    expect((await leila.api.notificationSettings.get({})).devices).toMatchObject([
      { id: device.id, lastUsedAt: app.clock.now().toISOString() },
    ]);
  });

  it('goes to every device, once even when its task runs again', async () => {
    await browser();
    await browser();
    await notify({});
    await app.runDue();
    expect(service.pushed).toHaveLength(2);
    const ids = await app.db.selectFrom('notification_deliveries').select('id').execute();
    for (const { id } of ids)
      await app.pool.query(
        `select graphile_worker.add_job('notifications.deliver', json_build_object('deliveryId', $1::text), run_at => '1970-01-01')`,
        [id],
      );
    await app.runDue();
    expect(service.pushed).toHaveLength(2);
    expect(app.mails).toEqual([]);
  });

  it.each([404, 410])('removes a device after %i and mails at once instead', async (answer) => {
    await browser();
    service.state.answer = answer;
    await notify({}, { topic: 'application-viewed', dedupeKey: `viewed/${answer}` });
    await app.runDue();
    expect((await leila.api.notificationSettings.get({})).devices).toEqual([]);
    expect(app.mails).toHaveLength(2);
    expect(await ways()).toContainEqual(['push', 'failed', 'device-gone']);
    expect(await ways()).toContainEqual(['push', 'suppressed', 'device-gone']);
  });

  it.each([413, 429, 503])('retries after %i, no sooner than requested', async (answer) => {
    await browser();
    Object.assign(service.state, { answer, headers: { 'retry-after': '300' } });
    await notify({});
    await app.runDue();
    service.state.answer = 201;
    app.clock.forward({ minutes: 4 });
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    app.clock.forward({ minutes: 1 });
    await app.runDue();
    expect(service.pushed).toHaveLength(2);
    expect(await ways()).toContainEqual(['push', 'sent', null]);
  });

  it('gives up after a day of errors', async () => {
    await browser();
    service.state.answer = 500;
    await notify({});
    for (let hour = 0; hour < 40; hour += 1) {
      await app.runDue();
      app.clock.forward({ hours: 1 });
    }
    expect(service.pushed).toHaveLength(10);
    expect(await ways()).toEqual([
      ['push', 'failed', 'gave-up'],
      ['email', 'sent', null],
    ]);
  });

  it('calls only hosts on the list, even for devices added before', async () => {
    const device = await browser();
    await app.db
      .updateTable('notification_devices')
      .set({ target: 'https://127.0.0.1:1/x' })
      .where('id', '=', device.id)
      .execute();
    await notify({});
    await app.runDue();
    expect(service.pushed).toEqual([]);
    expect((await leila.api.notificationSettings.get({})).devices).toEqual([]);
  });

  it('trusts only known certificates and the configured one', async () => {
    const { createWebPush } = await import('../../platform/push/push-web.ts');
    const { PUSH_CA: _, ...config } = app.config;
    const strict = createWebPush(config as typeof app.config, createSign(app.secret));
    const { endpoint, keys } = browserAt(service.origin);
    const push = { title: 'a', body: 'b', path: '/', tag: 'c', notificationId: 'd' };
    const pace = { ttlSeconds: 60, urgency: 'normal' } as const;
    expect(await strict.send({ kind: 'web', endpoint, ...keys }, push, pace)).toMatchObject({
      outcome: 'later',
      why: expect.stringMatching(/CERT/),
    });
  });
});

describe('push to the apps', () => {
  it('goes through Firebase with one shared token, requested by a signed JWT', async () => {
    await phone('token-of-a-phone-1234567890');
    firebase.state.tokens = 0;
    await notify({}, { topic: 'engagement-cancelled' });
    await app.runDue();
    expect(firebase.state.tokens).toBeLessThanOrEqual(1);
    const [offer, cancelled] = firebase.sent.map(({ message }) => message);
    expect(offer).toMatchObject({
      token: 'token-of-a-phone-1234567890',
      notification: { title: 'Café Noord offered you the job' },
      data: { path: '/tabs/menu/my-work/1' },
      android: { priority: 'NORMAL' },
    });
    expect(cancelled).toMatchObject({ android: { priority: 'HIGH', ttl: '14400s' } });
  });

  it('requests another token when the current one was revoked', async () => {
    await phone();
    firebase.state.valid = 'withdrawn';
    await notify({});
    await app.runDue();
    expect(firebase.sent).toHaveLength(1);
  });

  it('removes a device whose app was removed, but keeps one when the project is wrong', async () => {
    await phone();
    firebase.state.answer = 404;
    await notify({});
    await app.runDue();
    expect((await leila.api.notificationSettings.get({})).devices).toHaveLength(1);
    firebase.state.body = { error: { details: [{ errorCode: 'UNREGISTERED' }] } };
    await notify({});
    await app.runDue();
    expect((await leila.api.notificationSettings.get({})).devices).toEqual([]);
    expect(app.mails).toHaveLength(2);
  });
});

describe('settings', () => {
  it('return which apps this server can reach', async () => {
    const { nativePush } = await leila.api.notificationSettings.get({});
    expect(nativePush).toEqual({ android: true, ios: false });
    const iphone = { kind: 'ios' as const, label: 'Phone', token: 'a'.repeat(64) };
    expect(await failure(leila.api.devices.add(iphone))).toMatchObject({
      code: 'notification/device-refused',
    });
  });
});

describe('escalation', () => {
  it('mails 15 minutes after an unseen push', async () => {
    await browser();
    await notify({});
    app.clock.forward({ minutes: 14 });
    await app.runDue();
    expect(app.mails).toEqual([]);
    app.clock.forward({ minutes: 1 });
    await app.runDue();
    expect(app.mails).toHaveLength(1);
    expect(app.mails[0]).toMatchObject({ to: leila.email });
  });

  it('sends no mail after it was seen in the app', async () => {
    await browser();
    await notify({});
    await app.runDue();
    await leila.api.notifications.read({ ids: 'all' });
    app.clock.forward({ minutes: 20 });
    await app.runDue();
    expect(app.mails).toEqual([]);
    expect(await ways()).toEqual([
      ['push', 'sent', null],
      ['email', 'suppressed', 'seen'],
    ]);
  });

  it('sends no mail after the requested action, even with the notice unopened', async () => {
    const nadia = await app.person();
    const recruiter = app.scopeOf(nadia);
    const { id: businessId } = await makeBusiness(app.db, recruiter);
    const job = await makeJob(app.db, recruiter, businessId);
    const application = await makeApplication(app.db, app.scopeOf(leila), job.id);
    await browser();
    const offer = await makeOffer(app.db, recruiter, application.id);
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    await leila.api.offers.accept({ offerId: offer.id, version: offer.version });
    app.mails.length = 0;
    app.clock.forward({ minutes: 20 });
    await app.runDue();
    expect(app.mails.filter(({ to, subject }) => to === leila.email && /offers you/.test(subject))).toEqual(
      [],
    );
    expect(await ways()).toContainEqual(['email', 'suppressed', 'not-waiting']);
  });

  it('covers shifts, money, interviews and offers; the rest is pushed but not mailed', async () => {
    await browser();
    await notify({ topic: 'application-viewed' });
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect(app.mails).toEqual([]);
    expect(await ways()).toEqual([
      ['push', 'sent', null],
      ['email', 'suppressed', 'pushed'],
    ]);
  });
});

describe('choices', () => {
  it('apply when the notice is written and again when it is due', async () => {
    await browser();
    await leila.api.notificationSettings.update({
      topics: [{ topic: 'offer-received', channel: 'push', choice: 'off' }],
    });
    await notify({});
    await app.runDue();
    expect(service.pushed).toEqual([]);
    expect(app.mails).toHaveLength(1);
    await notify({ topic: 'interview-proposed' });
    await leila.api.notificationSettings.update({
      topics: [{ topic: 'interview-proposed', channel: 'email', choice: 'off' }],
    });
    app.clock.forward({ minutes: 20 });
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    expect(app.mails).toHaveLength(1);
  });

  it('keep a notice out of the inbox, and still mail it', async () => {
    await leila.api.notificationSettings.update({
      topics: [{ topic: 'offer-received', channel: 'app', choice: 'off' }],
    });
    await notify({});
    await app.runDue();
    expect(await leila.api.notifications.list({})).toMatchObject({ items: [], unread: 0 });
    expect((await leila.api.accounts.me({})).unreadNotifications).toBe(0);
    expect(app.mails).toHaveLength(1);
  });

  it("can't turn off notices of money leaving an account", async () => {
    await leila.api.notificationSettings.update({
      topics: [{ topic: 'withdrawal-failed', channel: 'email', choice: 'off' }],
    });
    await notify({ topic: 'withdrawal-failed' });
    await app.runDue();
    expect(app.mails).toHaveLength(1);
    expect(app.mails[0]?.unsubscribeUrl).toBeUndefined();
  });
});

describe('quiet hours', () => {
  it('hold push and mail until they end in the user’s zone, except urgent ones', async () => {
    await browser();
    await quiet('22:00', '07:00', 'America/New_York');
    app.clock.set('2026-11-22T03:30:00Z');
    await notify({}, { topic: 'application-viewed' }, { topic: 'engagement-cancelled' });
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    app.clock.set('2026-11-22T11:59:00Z');
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    app.clock.set('2026-11-22T12:00:00Z');
    await app.runDue();
    expect(service.pushed).toHaveLength(3);
    app.clock.set('2026-11-22T12:15:00Z');
    await app.runDue();
    expect(app.mails.map(({ subject }) => subject)).toContain('Café Noord offered you the job: Barista');
  });

  it('skip in the morning what was seen at night', async () => {
    await browser();
    await quiet('22:00', '07:00', 'Europe/Amsterdam');
    app.clock.set('2026-11-21T22:30:00Z');
    await notify({});
    await leila.api.notifications.read({ ids: 'all' });
    app.clock.set('2026-11-22T08:00:00Z');
    await app.runDue();
    expect(service.pushed).toEqual([]);
    expect(app.mails).toEqual([]);
  });

  it('end an hour later in elapsed time when clocks go back', async () => {
    await browser();
    await quiet('22:00', '07:00', 'Europe/Amsterdam');
    app.clock.set('2027-10-30T21:00:00Z');
    await notify({ topic: 'application-viewed' });
    app.clock.set('2027-10-31T05:59:00Z');
    await app.runDue();
    expect(service.pushed).toEqual([]);
    app.clock.set('2027-10-31T06:00:00Z');
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
  });

  it('apply to notices written before they were set', async () => {
    await browser();
    app.clock.set('2026-11-21T22:30:00Z');
    await notify({});
    await quiet('22:00', '07:00', 'Europe/Amsterdam');
    await app.runDue();
    expect(service.pushed).toEqual([]);
    app.clock.set('2026-11-22T06:00:00Z');
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
  });
});

describe('messages of a conversation', () => {
  const message = (n: number, group: string): Partial<Notice> => ({
    topic: 'message-received',
    data: { jobTitle: 'Barista', businessName: 'Café Noord', side: 'worker', reason: `word ${n}` },
    dedupeKey: `message-received/${group}/${n}`,
    path: '/chat',
    group: `chat:${group}`,
    replaces: true,
  });

  it('share one notice while unread, each pushed with one tag and mailed once', async () => {
    const device = await browser();
    const group = crypto.randomUUID();
    for (const n of [1, 2, 3]) {
      await notify(message(n, group));
      await app.runDue();
      app.clock.forward({ minutes: 1 });
    }
    const { items, unread } = await leila.api.notifications.list({});
    expect(unread).toBe(0);
    expect(items).toMatchObject([
      { readAt: null, group: `chat:${group}`, data: { reason: 'word 3', count: 3 } },
    ]);
    expect(service.pushed).toHaveLength(3);
    const said = service.pushed.map(({ body }) => device.read(body) as { tag: string; body: string });
    expect(new Set(said.map(({ tag }) => tag)).size).toBe(1);
    expect(said.at(-1)?.body).toContain('word 3');
    app.clock.forward({ minutes: 15 });
    await app.runDue();
    await notify(message(4, group));
    app.clock.forward({ minutes: 16 });
    await app.runDue();
    expect(app.mails).toHaveLength(1);
  });

  it("start over once read, and aren't mailed to members who read them", async () => {
    const group = crypto.randomUUID();
    await notify(message(1, group));
    await notify(message(1, group));
    await app.db.transaction().execute((tx) => seeGroup(tx, app, leila.accountId, `chat:${group}`));
    app.clock.forward({ minutes: 20 });
    await app.runDue();
    expect(app.mails).toEqual([]);
    await notify(message(2, group));
    expect((await leila.api.notifications.list({})).items.map(({ readAt }) => readAt === null)).toEqual([
      true,
      false,
    ]);
    app.clock.forward({ minutes: 20 });
    await app.runDue();
    expect(app.mails).toHaveLength(1);
  });

  it("aren't pushed to someone viewing them", async () => {
    await browser();
    const group = crypto.randomUUID();
    const until = addMs(app.clock.now(), 60_000);
    await app.db
      .insertInto('presence')
      .values({
        accountId: leila.accountId,
        lastSeenAt: app.clock.now(),
        onlineUntil: until,
        looking: group,
        lookingUntil: until,
        process: crypto.randomUUID(),
      })
      .execute();
    await notify(message(1, group), message(1, crypto.randomUUID()));
    await app.runDue();
    expect(service.pushed).toHaveLength(1);
    expect(await ways()).toContainEqual(['push', 'suppressed', 'looking']);
  });
});

describe('many at once', () => {
  it('notify 500 workers in two statements', async () => {
    const people = await app.db
      .insertInto('accounts')
      .values(
        Array.from({ length: 500 }, (_, n) => ({
          id: crypto.randomUUID(),
          name: `Worker ${n}`,
          email: `bulk-${n}-${crypto.randomUUID()}@example.test`,
          email_verified: true,
        })),
      )
      .returning('id')
      .execute();
    let statements = 0;
    await app.db.transaction().execute(async (tx) => {
      const counting = tx.withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await notifyAll(
        counting as typeof tx,
        app,
        people.map(({ id }) => notice({ accountId: id, topic: 'job-changed', dedupeKey: 'job-changed/1' })),
      );
    });
    expect(statements).toBe(2);
    await app.runDue();
    expect(app.mails).toHaveLength(500);
  }, 180_000);
});
