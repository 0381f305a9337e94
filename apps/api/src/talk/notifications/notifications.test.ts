import { dayMs, subtractMs } from '@nearhand/contract/durations';
import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { type Notice, notify, notifyAll, purgeOldNotices } from './notifications.ts';

const app = useTestApp({ PUBLIC_URL: 'https://nearhand.example' });
let leila: Person;
beforeEach(async () => {
  leila = await app.person();
  await app.runDue();
  app.mails.length = 0;
});

const notice = (options: Partial<Notice> = {}): Notice => ({
  accountId: leila.accountId,
  topic: 'application-viewed',
  data: {
    jobTitle: 'Barista “أحمد” 👩🏽‍🍳',
    businessName: 'Café <Noord>',
    decideBy: '2026-12-03T17:40:00Z',
    timeZone: 'Europe/Amsterdam',
  },
  path: '/tabs/menu/my-work',
  dedupeKey: 'application-viewed/1',
  ...options,
});
const publish = (...options: Partial<Notice>[]) =>
  app.db.transaction().execute((tx) => notifyAll(tx, app, options.map(notice)));

describe('notifications.list', () => {
  it('returns none at first', async () => {
    expect(await leila.api.notifications.list({})).toEqual({ items: [], nextCursor: null, unread: 0 });
  });

  it("returns the account's notices, once per event", async () => {
    await publish({});
    await publish({}, { dedupeKey: 'application-viewed/2' });
    const page = await leila.api.notifications.list({});
    expect(page).toMatchObject({ unread: 2, nextCursor: null });
    expect(page.items).toHaveLength(2);
    expect(page.items[0]).toMatchObject({
      topic: 'application-viewed',
      data: notice().data,
      path: '/tabs/menu/my-work',
      createdAt: app.clock.now().toISOString(),
      readAt: null,
    });
  });

  it('notifies nobody when the change is rolled back', async () => {
    const undone = app.db.transaction().execute(async (tx) => {
      await notify(tx, app, notice());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await app.runDue();
    expect((await leila.api.notifications.list({})).unread).toBe(0);
    expect(app.mails).toEqual([]);
  });

  it('pages newest first without gaps or repeats, even for notices of one instant', async () => {
    await publish(...[1, 2, 3].map((n) => ({ dedupeKey: `a${n}` })));
    app.clock.forward({ seconds: 1 });
    await publish(...[4, 5].map((n) => ({ dedupeKey: `a${n}` })));
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await leila.api.notifications.list({ limit: 2, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(ids).toHaveLength(5);
    // Ids begin with their time.
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it('rejects a forged cursor and an invalid limit', async () => {
    for (const cursor of [
      'x',
      'WyJhIiwiYiJd',
      '\u0000',
      Buffer.from('["2026-11-21T09:00:00Z",1]').toString('base64url'),
    ])
      expect(await failure(leila.api.notifications.list({ cursor }))).toMatchObject({
        status: 400,
        code: 'request/bad-cursor',
      });
    expect(await failure(leila.api.notifications.list({ limit: 101 }))).toMatchObject({ status: 400 });
  });

  it('allows anyone signed in, verified or not', async () => {
    expect(await failure(app.apiAs(null).notifications.list({}))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect((await unverified.api.notifications.list({})).items).toEqual([]);
  });
});

describe('notifications.read', () => {
  it("marks some, then all, and leaves others' alone", async () => {
    await publish({ dedupeKey: 'one' }, { dedupeKey: 'two' }, { dedupeKey: 'three' });
    const [first] = (await leila.api.notifications.list({})).items;
    const other = await app.person();
    expect(await other.api.notifications.read({ ids: [first?.id ?? ''] })).toEqual({ unread: 0 });
    expect(await leila.api.notifications.read({ ids: [first?.id ?? '', crypto.randomUUID()] })).toEqual({
      unread: 2,
    });
    const readAt = app.clock.now().toISOString();
    app.clock.forward({ minutes: 1 });
    expect(await leila.api.notifications.read({ ids: 'all' })).toEqual({ unread: 0 });
    const { items } = await leila.api.notifications.list({});
    expect(items.find(({ id }) => id === first?.id)?.readAt).toBe(readAt);
  });

  it('replays the response to a repeat', async () => {
    await publish({});
    const again = app.apiAs(leila.token, { 'idempotency-key': 'read-all-1' });
    expect(await again.notifications.read({ ids: 'all' })).toEqual({ unread: 0 });
    await publish({ dedupeKey: 'later' });
    expect(await again.notifications.read({ ids: 'all' })).toEqual({ unread: 0 });
    expect((await leila.api.notifications.list({})).unread).toBe(1);
  });

  it('rejects other shapes', async () => {
    for (const ids of [[], ['x'], 'some', Array(101).fill(crypto.randomUUID()), null])
      expect(await failure(leila.api.notifications.read({ ids } as never))).toMatchObject({ status: 400 });
    expect(await failure(app.apiAs(null).notifications.read({ ids: 'all' }))).toMatchObject({ status: 401 });
  });
});

describe('notifications.open', () => {
  it("opens its group with it, but nothing later or others'", async () => {
    const path = '/job-applicants/1';
    const applied = (n: number): Partial<Notice> => ({
      topic: 'application-received',
      dedupeKey: `applied/${n}`,
      path,
    });
    const other = await app.person();
    await publish(applied(1), { ...applied(1), accountId: other.accountId });
    app.clock.forward({ minutes: 1 });
    await publish(applied(2), { dedupeKey: 'alone' });
    const newest = (await leila.api.notifications.list({})).items.find(({ group }) => group !== null);
    app.clock.forward({ minutes: 1 });
    await publish(applied(3));
    expect(await leila.api.notifications.open({ notificationId: newest?.id ?? '' })).toMatchObject({
      readAt: app.clock.now().toISOString(),
    });
    expect((await leila.api.notifications.list({})).unread).toBe(2);
    expect((await other.api.notifications.list({})).unread).toBe(1);
    const rows = await app.db
      .selectFrom('notifications')
      .select(['dedupeKey', 'readAt', 'openedAt'])
      .where('accountId', '=', leila.accountId)
      .orderBy('dedupeKey')
      .execute();
    const opened = rows.filter(({ readAt, openedAt }) => readAt !== null && openedAt !== null);
    expect(opened.map(({ dedupeKey }) => dedupeKey)).toEqual(['applied/1', 'applied/2']);
    const foreign = other.api.notifications.open({ notificationId: newest?.id ?? '' });
    expect(await failure(foreign)).toMatchObject({ status: 404, code: 'notification/not-found' });
  });
});

describe('the unread count', () => {
  it('excludes messages, which are counted with conversations', async () => {
    await publish(
      {},
      { topic: 'message-received', dedupeKey: 'message', group: 'chat:1', replaces: true, path: '/chat?c=1' },
    );
    expect(await leila.api.notifications.list({})).toMatchObject({ unread: 1, items: [{}, {}] });
    expect((await leila.api.accounts.me({})).unreadNotifications).toBe(1);
    expect(await leila.api.notifications.read({ ids: 'all' })).toEqual({ unread: 0 });
    const { items } = await leila.api.notifications.list({});
    expect(items.filter(({ readAt }) => readAt === null)).toEqual([]);
  });
});

describe('old notices', () => {
  it('are deleted in batches: read ones after 180 days, all after 400', async () => {
    const at = (days: number) => subtractMs(app.clock.now(), days * dayMs);
    const id = () => crypto.randomUUID();
    const row = (days: number, read: boolean) => ({
      id: id(),
      accountId: leila.accountId,
      topic: 'job-changed',
      data: '{}',
      path: '/',
      dedupeKey: id(),
      createdAt: at(days),
      readAt: read ? at(days) : null,
    });
    const rows = [row(179, true), row(179, false), row(399, false), row(200, false)];
    const gone = [row(181, true), row(401, false), ...Array.from({ length: 4_100 }, () => row(300, true))];
    for (let from = 0; from < gone.length; from += 1_000)
      await app.db
        .insertInto('notifications')
        .values(gone.slice(from, from + 1_000))
        .execute();
    await app.db.insertInto('notifications').values(rows).execute();
    await purgeOldNotices(app);
    const left = await app.db
      .selectFrom('notifications')
      .select('id')
      .where('accountId', '=', leila.accountId)
      .execute();
    expect(new Set(left.map((notice) => notice.id))).toEqual(new Set(rows.map((row) => row.id)));
  });
});

describe('mail of a notice', () => {
  it('is sent once, with its text and a link into the app', async () => {
    await publish({});
    await app.runDue();
    await publish({});
    await app.runDue();
    expect(app.mails).toHaveLength(1);
    const [mail] = app.mails;
    expect(mail).toMatchObject({ to: leila.email, subject: 'Café <Noord> viewed your application' });
    expect(mail?.text).toContain("They'll reply by: Thu 3 Dec, 18:40 (Amsterdam time)");
    expect(mail?.text).toContain('https://nearhand.example/tabs/menu/my-work');
    expect(mail?.html).toContain('Café &lt;Noord&gt;');
    expect(mail?.html).toContain('href="https://nearhand.example/tabs/menu/my-work"');
  });

  it('is not sent to an unconfirmed address or a disabled account', async () => {
    const unverified = await app.person({ verified: false });
    const disabled = await app.person();
    await app.db
      .updateTable('accounts')
      .set({ disabledAt: app.clock.now() })
      .where('id', '=', disabled.accountId)
      .execute();
    await publish({ accountId: unverified.accountId }, { accountId: disabled.accountId });
    await app.runDue();
    expect(app.mails).toEqual([]);
  });

  it('keeps typographic quotes, Arabic and emoji in the HTML', async () => {
    await publish({});
    await app.runDue();
    const [mail] = app.mails;
    const parsed = await PostalMime.parse(`Content-Type: text/html; charset=utf-8\r\n\r\n${mail?.html}`);
    expect(parsed.html).toContain('Barista “أحمد” 👩🏽‍🍳');
  });
});
