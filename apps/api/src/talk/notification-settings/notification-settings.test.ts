import { notificationTopics } from '@nearhand/contract/talk/notification-topics';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { browserAt } from '../../../test/services/push-services.ts';
import { emittedIn } from '../../platform/realtime/publish.ts';
import { type Notice, notifyAll, purgeOldNotices } from '../notifications/notifications.ts';
import { unsubscribeUrl } from './unsubscribe.page.ts';

const app = useTestApp({ PUBLIC_URL: 'https://nearhand.example' });
let leila: Person;
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  await app.pool.query('delete from graphile_worker._private_jobs');
  leila = await app.person();
  app.mails.length = 0;
});
const choiceAbout = async (person: Person, topic: string) =>
  (await person.api.notificationSettings.get({})).topics.find((each) => each.topic === topic)?.choice;
const notify = (...notices: (Partial<Notice> & Pick<Notice, 'topic'>)[]) =>
  app.db.transaction().execute((tx) =>
    notifyAll(
      tx,
      app,
      notices.map((options) => ({
        accountId: leila.accountId,
        data: { jobTitle: 'Barista', workerName: 'Sam', side: 'business' },
        path: '/job-applicants/1?applicant=2',
        dedupeKey: crypto.randomUUID(),
        ...options,
      })),
    ),
  );
const browser = (origin = 'https://updates.push.services.mozilla.com') => {
  const { read: _, ...target } = browserAt(origin);
  return { kind: 'web' as const, label: 'Firefox on Linux', ...target };
};

describe('notificationSettings.get', () => {
  it('returns every topic except the test and replies or decisions about the user, all on by default', async () => {
    const settings = await leila.api.notificationSettings.get({});
    expect(settings.topics.map(({ topic }) => topic)).toEqual(
      notificationTopics.filter(
        (topic) =>
          topic !== 'test-notice' &&
          !/^(ticket|sanction|appeal|identity-document|certificate)-|^(report-answered|team-invited)$/.test(
            topic,
          ),
      ),
    );
    for (const { choice } of settings.topics) expect(choice).toEqual({ app: 'on', push: 'on', email: 'on' });
    expect(settings).toMatchObject({
      quiet: { on: false, from: '22:00', to: '07:00', timeZone: 'UTC' },
      devices: [],
      email: { address: leila.email, state: 'ok' },
      nativePush: { android: false, ios: false },
    });
    expect(Buffer.from(settings.vapidPublicKey ?? '', 'base64url')).toHaveLength(65);
    expect((await leila.api.notificationSettings.get({})).vapidPublicKey).toBe(settings.vapidPublicKey);
  });

  it('uses the zone of the user’s home until they choose one', async () => {
    await app.db
      .insertInto('profiles')
      .values({
        accountId: leila.accountId,
        homeLabel: 'Nunhead',
        homeLat: 51.46,
        homeLng: -0.05,
        updatedAt: app.clock.now(),
      })
      .onConflict((conflict) =>
        conflict.column('accountId').doUpdateSet({ homeLabel: 'Nunhead', homeLat: 51.46, homeLng: -0.05 }),
      )
      .execute();
    expect((await leila.api.notificationSettings.get({})).quiet.timeZone).toBe('Europe/London');
    // The time-zone map puts this Finnish border town in Sweden.
    const tornio = { label: 'Tornio', lat: 65.8481, lng: 24.1466, countryCode: 'FI' };
    await leila.api.profiles.save({ home: tornio });
    expect((await leila.api.notificationSettings.get({})).quiet.timeZone).toBe('Europe/Helsinki');
  });

  it('allows anyone signed in, verified or not', async () => {
    expect(await failure(app.apiAs(null).notificationSettings.get({}))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect((await unverified.api.notificationSettings.get({})).email.state).toBe('not-verified');
  });
});

describe('notificationSettings.update', () => {
  it('stores the choice, the last of two, and is idempotent', async () => {
    const choices = {
      topics: [
        { topic: 'application-received', channel: 'email', choice: 'off' },
        { topic: 'application-received', channel: 'email', choice: 'daily' },
        { topic: 'application-received', channel: 'push', choice: 'off' },
        { topic: 'withdrawal-failed', channel: 'email', choice: 'off' },
        { topic: 'withdrawal-failed', channel: 'app', choice: 'off' },
      ],
      quiet: { on: true, from: '23:30', to: '06:15', timeZone: 'Asia/Kathmandu' },
    } as const;
    const once = await leila.api.notificationSettings.update({ ...choices, topics: [...choices.topics] });
    expect(await leila.api.notificationSettings.update({ ...choices, topics: [...choices.topics] })).toEqual(
      once,
    );
    expect(await leila.api.notificationSettings.get({})).toEqual(once);
    expect(once.quiet).toEqual(choices.quiet);
    expect(await choiceAbout(leila, 'application-received')).toEqual({
      app: 'on',
      push: 'off',
      email: 'daily',
    });
    expect(await choiceAbout(leila, 'withdrawal-failed')).toEqual({ app: 'on', push: 'on', email: 'on' });
    expect(await choiceAbout(await app.person(), 'application-received')).toMatchObject({ email: 'on' });
  });

  it('rejects invalid zones and times, and a daily mail for urgent topics', async () => {
    const quiet = { on: true, from: '22:00', to: '07:00', timeZone: 'Europe/Amsterdam' };
    for (const wrong of [
      { quiet: { ...quiet, timeZone: 'Mars/Base' } },
      { quiet: { ...quiet, timeZone: 'Europe/Amsterdam\u0000' } },
      { quiet: { ...quiet, timeZone: '' } },
      { quiet: { ...quiet, from: '24:00' } },
      { quiet: { ...quiet, to: '7:00' } },
      { topics: [{ topic: 'interview-reminder', channel: 'email', choice: 'daily' }] },
      { topics: [{ topic: 'application-received', channel: 'push', choice: 'daily' }] },
      { topics: [{ topic: 'constructor', channel: 'push', choice: 'off' }] },
      { topics: [{ topic: 'application-received', channel: 'sms', choice: 'off' }] },
      { topics: 'all' },
    ])
      expect(
        await failure(leila.api.notificationSettings.update(wrong as never)),
        JSON.stringify(wrong),
      ).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    expect(await failure(app.apiAs(null).notificationSettings.update({ topics: [] }))).toMatchObject({
      status: 401,
    });
  });
});

describe('devices.remove', () => {
  it('removes only the selected device', async () => {
    const first = await leila.api.devices.add(browser());
    const second = await leila.api.devices.add(browser());
    const { devices } = await leila.api.devices.remove({ deviceId: first.id });
    expect(devices.map(({ id }) => id)).toEqual([second.id]);
    await leila.api.devices.remove({ deviceId: second.id });
  });
});

describe('devices.add', () => {
  it('adds a browser once, renews it, and removes it', async () => {
    const target = browser();
    const device = await leila.api.devices.add(target);
    app.clock.forward({ minutes: 5 });
    const again = await leila.api.devices.add({ ...target, label: 'Firefox at home' });
    expect(again).toEqual({ ...device, label: 'Firefox at home' });
    expect(await leila.api.devices.remove({ deviceId: device.id })).toEqual({ devices: [] });
    expect(await failure(leila.api.devices.remove({ deviceId: device.id }))).toMatchObject({
      status: 404,
      code: 'notification/not-found',
    });
  });

  it('replays the response to a repeated call', async () => {
    const target = browser();
    const again = app.apiAs(leila.token, { 'idempotency-key': `device-${leila.accountId}` });
    expect(await again.devices.add(target)).toEqual(await again.devices.add(target));
  });

  it('belongs to one account at a time, with a new id for the next', async () => {
    const target = browser();
    const mine = await leila.api.devices.add(target);
    const nadia = await app.person();
    const theirs = await nadia.api.devices.add(target);
    expect(theirs.id).not.toBe(mine.id);
    expect((await leila.api.notificationSettings.get({})).devices).toEqual([]);
    expect(await failure(leila.api.devices.remove({ deviceId: theirs.id }))).toMatchObject({
      status: 404,
    });
  });

  it('is removed when its session ends', async () => {
    await leila.api.devices.add(browser());
    await app.db.deleteFrom('sessions').where('id', '=', leila.sessionId).execute();
    expect(
      await app.db
        .selectFrom('notification_devices')
        .select('id')
        .where('accountId', '=', leila.accountId)
        .execute(),
    ).toEqual([]);
  });

  it('rejects unknown push services and invalid keys', async () => {
    const target = browser();
    const refused = (endpoint: string) => leila.api.devices.add({ ...target, endpoint });
    for (const endpoint of [
      'http://fcm.googleapis.com/x',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://localhost/x',
      'https://169.254.169.254/latest',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.test/x',
      'https://evil.test/fcm.googleapis.com',
      'https://fcm.googleapis.com@evil.test/x',
      'https://user:pass@fcm.googleapis.com/x',
      'https://evilpush.services.mozilla.com/x',
      'https://.push.services.mozilla.com/x',
      'ftp://fcm.googleapis.com/x',
      'file:///etc/passwd',
    ])
      expect((await failure(refused(endpoint))).status, endpoint).toBeGreaterThanOrEqual(400);
    expect(await failure(refused('https://evil.test/x'))).toMatchObject({
      status: 422,
      code: 'notification/device-refused',
    });
    const wrongKeys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: target.keys.auth };
    expect(await failure(leila.api.devices.add({ ...target, keys: wrongKeys }))).toMatchObject({
      code: 'notification/device-refused',
    });
    expect(
      await failure(leila.api.devices.add({ kind: 'android', token: 'x'.repeat(40), label: 'Phone' })),
    ).toMatchObject({ code: 'notification/device-refused' });
    expect(await failure(refused(`https://fcm.googleapis.com/${'x'.repeat(1_000)}`))).toMatchObject({
      status: 400,
    });
    expect(await failure(app.apiAs(null).devices.add(target))).toMatchObject({ status: 401 });
    expect((await leila.api.notificationSettings.get({})).devices).toEqual([]);
  });

  it('keeps at most 20, also concurrently', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 25 }, () => leila.api.devices.add(browser())),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await failure(leila.api.devices.add(browser()))).toMatchObject({
      status: 422,
      code: 'notification/too-many-devices',
    });
  });
});

describe('notifications.test', () => {
  it('returns the result for each channel', async () => {
    expect((await leila.api.notifications.test({})).ways).toEqual([
      { channel: 'app', deviceId: null, outcome: 'queued' },
      { channel: 'push', deviceId: null, outcome: 'no-device' },
      { channel: 'email', deviceId: null, outcome: 'queued' },
    ]);
    await app.runDue();
    expect(app.mails.map(({ subject }) => subject)).toEqual(['Test notification from Nearhand']);
    const unverified = await app.person({ verified: false });
    expect((await unverified.api.notifications.test({})).ways.at(-1)?.outcome).toBe('email-not-verified');
    expect((await leila.api.notifications.list({})).items).toMatchObject([
      { topic: 'test-notice', path: '/notification-settings' },
    ]);
  });

  it('allows a few per minute', async () => {
    for (let n = 0; n < 3; n += 1) await leila.api.notifications.test({});
    expect(await failure(leila.api.notifications.test({}))).toMatchObject({
      status: 429,
      code: 'request/too-many',
    });
    app.clock.forward({ seconds: 61 });
    expect((await leila.api.notifications.test({})).ways).toHaveLength(3);
    expect(await failure(app.apiAs(null).notifications.test({}))).toMatchObject({ status: 401 });
  });
});

describe('notifications.open', () => {
  it("marks it read and no longer pending, and returns 404 for others'", async () => {
    await notify(
      { topic: 'application-received', data: { decideBy: '2026-11-23T09:00:00Z' } },
      { topic: 'application-viewed' },
    );
    const [waiting] = (await leila.api.notifications.list({ waiting: 'true' })).items;
    expect(waiting).toMatchObject({
      topic: 'application-received',
      waiting: true,
      group: 'application-received:/job-applicants/1',
    });
    const open = { notificationId: waiting?.id ?? '' };
    expect(await failure((await app.person()).api.notifications.open(open))).toMatchObject({
      status: 404,
      code: 'notification/not-found',
    });
    const opened = await leila.api.notifications.open(open);
    expect(opened).toMatchObject({ waiting: false, readAt: app.clock.now().toISOString() });
    expect(await leila.api.notifications.open(open)).toEqual(opened);
    expect(await leila.api.notifications.list({ waiting: 'true' })).toMatchObject({ items: [], unread: 1 });
    expect(await failure(app.apiAs(null).notifications.open(open))).toMatchObject({ status: 401 });
  });

  it('is pending only while there is something to do', async () => {
    await notify({ topic: 'application-received', data: { decideBy: '2026-11-23T09:00:00Z' } });
    app.clock.set('2026-11-23T09:00:00Z');
    const { items } = await leila.api.notifications.list({});
    expect(items).toMatchObject([{ waiting: false, readAt: null }]);
  });
});

describe('the daily mail', () => {
  const daily = (person: Person, timeZone: string) =>
    person.api.notificationSettings.update({
      topics: ['application-received', 'application-withdrawn', 'job-expiring'].map((topic) => ({
        topic: topic as 'application-received',
        channel: 'email',
        choice: 'daily',
      })),
      quiet: { on: false, from: '22:00', to: '07:00', timeZone },
    });

  it('contains unseen notices, once a day at eight in each zone', async () => {
    const sam = await app.person();
    await daily(leila, 'Europe/Amsterdam');
    await daily(sam, 'America/New_York');
    await notify({ topic: 'application-received' }, { topic: 'job-expiring' });
    await notify(
      { topic: 'application-received', accountId: sam.accountId },
      { topic: 'application-withdrawn', accountId: sam.accountId },
    );
    const [seen] = (await leila.api.notifications.list({})).items;
    await leila.api.notifications.read({ ids: [seen?.id ?? ''] });
    const sentAt = async (instant: string) => {
      app.clock.set(instant);
      await app.runDue();
      return app.mails.splice(0).map(({ to, subject }) => [to, subject]);
    };
    expect(await sentAt('2026-11-21T12:59:00Z')).toEqual([]);
    expect(await sentAt('2026-11-21T13:00:00Z')).toEqual([[sam.email, '2 new notifications on Nearhand']]);
    expect(await sentAt('2026-11-22T06:59:00Z')).toEqual([]);
    expect(await sentAt('2026-11-22T07:00:00Z')).toHaveLength(1);
    expect(await sentAt('2026-11-24T00:00:00Z')).toEqual([]);
  });

  it('arrives at eight on clock changes too', async () => {
    await daily(leila, 'Europe/Amsterdam');
    for (const [notified, due] of [
      ['2027-03-27T08:00:00Z', '2027-03-28T06:00:00Z'],
      ['2027-10-30T08:00:00Z', '2027-10-31T07:00:00Z'],
    ] as const) {
      app.clock.set(notified);
      await notify({ topic: 'application-received' });
      app.clock.set(new Date(Date.parse(due) - 60_000));
      await app.runDue();
      expect(app.mails).toEqual([]);
      app.clock.set(due);
      await app.runDue();
      expect(app.mails.splice(0)).toHaveLength(1);
    }
  });

  it('links to each item, with its own unsubscribe link', async () => {
    await daily(leila, 'UTC');
    await notify({ topic: 'application-received' }, { topic: 'application-withdrawn' });
    app.clock.set('2026-11-22T08:00:00Z');
    await app.runDue();
    const [mail] = app.mails;
    expect(mail?.text).toContain('Sam applied\nFor Barista');
    expect(mail?.text).toContain('https://nearhand.example/job-applicants/1?applicant=2');
    const path = new URL(mail?.unsubscribeUrl ?? '').pathname;
    expect((await app.raw({ method: 'POST', url: path })).statusCode).toBe(200);
    expect(await choiceAbout(leila, 'application-received')).toMatchObject({ email: 'off' });
    expect(await choiceAbout(leila, 'offer-received')).toMatchObject({ email: 'on' });
  });
});

describe('/api/unsubscribe', () => {
  const pathOf = (kind: 'money' | 'applications') =>
    new URL(unsubscribeUrl(app.scopeOf(leila), leila.accountId, kind)).pathname;

  it("turns off a group's mail by a POST without a session, and changes nothing by GET", async () => {
    const url = pathOf('applications');
    const page = await app.raw({ method: 'GET', url });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<form method="post">');
    expect(page.body).not.toContain('<script');
    expect(page.body).toContain('href="/notification-settings">Notification settings</a>');
    const style = await app.raw({ method: 'GET', url: '/api/unsubscribe.css' });
    expect(style.headers['content-type']).toContain('text/css');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(await choiceAbout(leila, 'application-viewed')).toMatchObject({ email: 'on' });
    for (const headers of [
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ]) {
      const payload = headers['content-type'].startsWith('multipart')
        ? '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
        : 'List-Unsubscribe=One-Click';
      const done = await app.raw({ method: 'POST', url, headers, payload });
      expect(done.statusCode, done.body).toBe(200);
    }
    expect(await choiceAbout(leila, 'application-viewed')).toEqual({ app: 'on', push: 'on', email: 'off' });
    expect(await choiceAbout(leila, 'offer-received')).toMatchObject({ email: 'on' });
    await notify({ topic: 'application-viewed' });
    await app.runDue();
    expect(app.mails).toEqual([]);
  });

  it("uses the account's language, and the browser's for a foreign link", async () => {
    await leila.api.accountSettings.update({ language: 'ar' });
    const page = await app.raw({ url: pathOf('applications') });
    expect(page.body).toContain('<html lang="ar" dir="rtl">');
    expect(page.body).toContain('لن تصلك بعد الآن رسائل عن: الطلبات والدعوات.');
    const done = await app.raw({ method: 'POST', url: pathOf('applications') });
    expect(done.body).toContain('<h1>أُلغي اشتراكك</h1>');
    const cut = await app.raw({
      url: pathOf('applications').slice(0, -1),
      headers: { 'accept-language': 'nl-BE' },
    });
    expect(cut.body).toContain('<h1>Deze link werkt niet</h1>');
  });

  it('leaves locked topics on', async () => {
    await app.raw({ method: 'POST', url: pathOf('money') });
    expect(await choiceAbout(leila, 'tip-received')).toMatchObject({ email: 'off' });
    expect(await choiceAbout(leila, 'withdrawal-returned')).toMatchObject({ email: 'on' });
  });

  it('rejects forged tokens', async () => {
    const url = pathOf('applications');
    const other = await app.person();
    for (const wrong of [
      url.slice(0, -1),
      `${url}x`,
      url.replace('applications', 'money'),
      url.replace('applications', 'daily'),
      url.replace(leila.accountId, other.accountId),
      '/api/unsubscribe/x',
      '/api/unsubscribe/..',
      '/api/unsubscribe/%00.%00.%00',
      `/api/unsubscribe/${'a'.repeat(199)}`,
    ])
      for (const method of ['GET', 'POST'] as const)
        expect((await app.raw({ method, url: wrong })).statusCode, `${method} ${wrong}`).toBe(
          method === 'POST' && wrong.endsWith('/..') ? 401 : 404,
        );
    expect(await choiceAbout(other, 'application-viewed')).toMatchObject({ email: 'on' });
    const cut = await app.raw({ url: url.slice(0, -1) });
    expect(cut.headers['content-type']).toContain('text/html');
    expect(cut.body).toContain('This link does not work');
    expect((await app.raw({ method: 'POST', url: `${url}x` })).json()).toMatchObject({
      code: 'notification/not-found',
    });
  });
});

describe('housekeeping', () => {
  it('deletes old read ones, very old ones, and inactive devices', async () => {
    const scope = { ...app, sign: app.scopeOf(leila).sign } as never;
    await leila.api.devices.add(browser());
    await notify({ topic: 'application-received' }, { topic: 'application-viewed' });
    const [read] = (await leila.api.notifications.list({})).items;
    await leila.api.notifications.read({ ids: [read?.id ?? ''] });
    const left = async () => {
      await purgeOldNotices(scope);
      const { items } = await leila.api.notifications.list({});
      return [items.length, (await leila.api.notificationSettings.get({})).devices.length];
    };
    app.clock.forward({ days: 179 });
    expect(await left()).toEqual([2, 1]);
    app.clock.forward({ days: 2 });
    expect(await left()).toEqual([1, 0]);
    app.clock.forward({ days: 180 });
    expect(await left()).toEqual([1, 0]);
  });
});

describe('inbox signals', () => {
  it('reach recipients and readers, in committed transactions', async () => {
    const signals: unknown[] = [];
    await app.db.transaction().execute(async (tx) => {
      await notifyAll(tx, app, [
        {
          accountId: leila.accountId,
          topic: 'application-viewed',
          data: {},
          path: '/x',
          dedupeKey: crypto.randomUUID(),
        },
      ]);
      signals.push(...emittedIn(tx));
    });
    expect(signals).toEqual([{ rooms: [`account:${leila.accountId}`], signal: { kind: 'notice' } }]);
  });
});
