import type { Business } from '@nearhand/contract/people/businesses';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeConversation, makeManyMessages, makeMessage } from '../messages/messages.fixtures.ts';
import { postSystemMessage, postSystemMessages } from '../messages/system-messages.ts';
import { findTypingTo } from './chat-settings.ts';

const app = useTestApp({ CHAT_BURST: '100000', CHAT_PER_MINUTE: '100000' });
let owner: Person;
let recruiter: Person;
let stranger: Person;
let leila: Person;
let business: Business;
async function talk(worker: Person, title = 'Bar staff', at = business, by = owner): Promise<Conversation> {
  const job = await makeJob(app.db, app.scopeOf(by), at.id, { title });
  await makeApplication(app.db, app.scopeOf(worker), job.id);
  return makeConversation(app.db, app.scopeOf(worker), job.id);
}
const send = (person: Person, conversationId: string, body: string) =>
  makeMessage(app.db, app.scopeOf(person), conversationId, body);
const read = (person: Person, conversationId: string, readSeq: number, deliveredSeq = readSeq) =>
  person.api.conversations.acknowledge({ items: [{ conversationId, deliveredSeq, readSeq }] });
const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  stranger = await app.person({ name: 'Nosy Neighbour' });
  leila = await app.person({ name: 'Leila Haddad' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  recruiter = await app.person({ name: 'Omar Idrissi' });
  await makeMember(app.db, app.clock, business.id, recruiter.accountId);
});

describe('conversations.list', () => {
  it('uses the same two plans for every page, any caller and any length (ADR 116)', async () => {
    const { id } = await talk(await app.person());
    await send(owner, id, 'Hello');
    for (const person of [owner, recruiter, leila])
      for (const limit of [1, 2, 50]) await person.api.conversations.list({ limit });
    const clients = await Promise.all(Array.from({ length: app.pool.totalCount }, () => app.pool.connect()));
    const texts = new Set<string>();
    for (const client of clients) {
      const { rows } = await client.query<{ statement: string }>(
        'select statement from pg_prepared_statements',
      );
      for (const { statement } of rows)
        if (/worker_photo|conversations\.last_seq/.test(statement)) texts.add(statement);
      client.release();
    }
    expect(texts.size).toBe(2);
  });

  it('lists newest first over pages, in both roles and with filters', async () => {
    const mona = await app.person({ name: 'Mona Berg' });
    const cafe = await makeBusiness(app.db, app.scopeOf(mona), { name: 'Bakery 100%_Rye' });
    const talks: Conversation[] = [];
    for (const title of ['Dishwasher', 'Waiter', 'Cook']) {
      app.clock.forward({ minutes: 1 });
      talks.push(await talk(mona, title));
    }
    app.clock.forward({ minutes: 1 });
    const hiring = await talk(leila, 'Baker', cafe, mona);
    const [dishes, waiter, cook] = talks as [Conversation, Conversation, Conversation];
    app.clock.forward({ minutes: 1 });
    await send(owner, dishes.id, 'Bring your own apron, 50% off');
    const list = mona.api.conversations.list;
    const all = [dishes.id, hiring.id, cook.id, waiter.id];
    expect(idsOf(await list({}))).toEqual(all);
    const first = await list({ limit: 2 });
    expect(first.items[0]).toMatchObject({
      unread: 1,
      side: 'worker',
      last: { body: 'Bring your own apron, 50% off' },
    });
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    expect(idsOf(await list({ side: 'hire' }))).toEqual([hiring.id]);
    expect(idsOf(await list({ side: 'work' }))).toEqual([dishes.id, cook.id, waiter.id]);
    expect(idsOf(await list({ jobId: cook.job.id }))).toEqual([cook.id]);
    expect(idsOf(await list({ businessId: cafe.id }))).toEqual([hiring.id]);
    expect(idsOf(await list({ unread: 'true' as never }))).toEqual([dishes.id]);
    expect(idsOf(await list({ unread: 'false' as never }))).toEqual([hiring.id, cook.id, waiter.id]);
    expect((await list({})).unread).toBe(1);
    for (const [search, found] of [
      ['APRON', [dishes.id]],
      ['50% OFF', [dishes.id]],
      ['%', [dishes.id, hiring.id]],
      ['leila', [hiring.id]],
      ['cook', [cook.id]],
      ['100%_rye', [hiring.id]],
      ['_', [hiring.id]],
      ['\\', []],
      ["'; drop table messages; --", []],
    ] as const)
      expect([search, idsOf(await list({ search }))]).toEqual([search, found]);
    expect((await list({ search: '50% OFF' })).found).toMatchObject([
      { conversationId: dishes.id, body: 'Bring your own apron, 50% off' },
    ]);
    await send(owner, dishes.id, 'And good shoes');
    const apron = await list({ search: 'apron' });
    expect(apron.items[0]?.last?.body).toBe('And good shoes');
    expect(apron.found).toMatchObject([
      { body: 'Bring your own apron, 50% off', seq: first.items[0]?.lastSeq },
    ]);
    expect((await list({ search: 'cook' })).found).toEqual([]);
    expect((await list({})).found).toEqual([]);
    expect(await failure(list({ cursor: 'x' }))).toMatchObject({ status: 400, code: 'request/bad-cursor' });
    expect(idsOf(await stranger.api.conversations.list({ businessId: business.id }))).toEqual([]);
    expect(await failure(app.apiAs(null).conversations.list({}))).toMatchObject({ status: 401 });
  });

  it('shows someone who works and recruits at one business once, as the worker', async () => {
    const both = await app.person({ name: 'Both Hats' });
    const { id } = await talk(both);
    await makeMember(app.db, app.clock, business.id, both.accountId);
    await send(both, id, 'Hello from me');
    const mine = (await both.api.conversations.list({ limit: 100 })).items.filter((item) => item.id === id);
    expect(mine).toMatchObject([{ side: 'worker', unread: 0 }]);
    expect(idsOf(await both.api.conversations.list({ side: 'hire', limit: 100 }))).not.toContain(id);
    await send(owner, id, 'Hello');
    expect(await both.api.conversations.get({ conversationId: id })).toMatchObject({ unread: 1 });
    expect(await owner.api.conversations.get({ conversationId: id })).toMatchObject({ unread: 0 });
  });
});

describe('conversations.unread', () => {
  it('counts per member, from the day they joined, up to the last read message (ADR 143)', async () => {
    const { id } = await talk(await app.person({ name: 'Kofi Mensah' }), 'Night porter');
    const worker = (await owner.api.conversations.get({ conversationId: id })).worker.id;
    const said = async (body: string) =>
      (await makeMessage(app.db, app.scopeOf({ accountId: worker }), id, body)).seq;
    const before = (await recruiter.api.conversations.unread({})).conversations;
    const first = await said('Is there parking?');
    app.clock.forward({ minutes: 1 });
    const newcomer = await app.person({ name: 'Vera Kok' });
    await makeMember(app.db, app.clock, business.id, newcomer.accountId);
    expect((await recruiter.api.conversations.unread({})).conversations).toBe(before + 1);
    expect(await newcomer.api.conversations.unread({})).toEqual({ conversations: 0 });
    const second = await said('For a bicycle');
    expect(await newcomer.api.conversations.unread({})).toEqual({ conversations: 1 });
    await read(newcomer, id, first);
    expect(await newcomer.api.conversations.unread({})).toEqual({ conversations: 1 });
    await read(newcomer, id, second);
    expect(await newcomer.api.conversations.unread({})).toEqual({ conversations: 0 });
    expect((await recruiter.api.conversations.unread({})).conversations).toBe(before + 1);
    await send(recruiter, id, 'Behind the house');
    expect((await recruiter.api.conversations.unread({})).conversations).toBe(before);
  });

  it('counts conversations, not messages, by role', async () => {
    const worker = await app.person();
    const firstTalk = await talk(worker);
    const secondTalk = await talk(worker);
    expect(await worker.api.conversations.unread({})).toEqual({ conversations: 0 });
    await send(owner, firstTalk.id, 'A');
    await send(owner, firstTalk.id, 'B');
    const { seq } = await send(owner, secondTalk.id, 'C');
    expect(await worker.api.conversations.unread({ side: 'work' })).toEqual({ conversations: 2 });
    expect(await worker.api.conversations.unread({ side: 'hire' })).toEqual({ conversations: 0 });
    await read(worker, secondTalk.id, seq);
    expect(await worker.api.conversations.unread({})).toEqual({ conversations: 1 });
    expect(await failure(app.apiAs(null).conversations.unread({}))).toMatchObject({ status: 401 });
  });
});

describe('conversations.messages', () => {
  it('pages 10,000 messages by sequence number through indexes', async () => {
    const worker = await app.person({ name: 'Writes A Lot' });
    const { id, lastSeq } = await talk(worker);
    await makeManyMessages(app.db, id, 10_000);
    const page = owner.api.conversations.messages;
    const seqs = ({ items }: { items: { seq: number }[] }) => items.map(({ seq }) => seq);
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
    const newest = await page({ conversationId: id });
    expect(seqs(newest)).toEqual(range(9_951, 10_000));
    expect(newest).toMatchObject({ more: true, lastSeq: 10_000, rev: 10_000 });
    expect(seqs(await page({ conversationId: id, before: 9_951, limit: 200 }))).toEqual(range(9_751, 9_950));
    expect(await page({ conversationId: id, before: 2 })).toMatchObject({ more: false, items: [{ seq: 1 }] });
    expect(await page({ conversationId: id, before: 1 })).toMatchObject({ more: false, items: [] });
    const around = await page({ conversationId: id, around: 5_000 });
    expect(around.items).toHaveLength(50);
    expect(seqs(around)).toContain(5_000);
    expect(seqs(await page({ conversationId: id, around: 2_000_000_000, limit: 10 }))).toEqual(
      range(9_991, 10_000),
    );
    const since = await page({ conversationId: id, since: 9_500, limit: 200 });
    expect(seqs(since)).toEqual(range(9_501, 9_700));
    expect(since.more).toBe(true);
    expect(await page({ conversationId: id, since: 10_000 })).toMatchObject({ items: [], more: false });
    expect(await owner.api.conversations.get({ conversationId: id })).toMatchObject({
      unread: 10_000 - lastSeq,
    });
    for (const [where, order] of [
      ['seq < 5000', 'seq desc'],
      ['rev > 5000', 'rev'],
    ]) {
      const { rows } = await app.pool.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) select * from messages where conversation_id = '${id}' and ${where} order by ${order} limit 51`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan/);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
    const started = performance.now();
    for (let n = 0; n < 20; n += 1) await page({ conversationId: id, before: 9_000 - n * 300, limit: 200 });
    expect((performance.now() - started) / 20).toBeLessThan(400);
  });

  it('rejects a future revision, two queries at once, and strangers', async () => {
    const { id, rev } = await talk(await app.person());
    const page = (asked: object, api = owner.api) =>
      api.conversations.messages({ conversationId: id, ...asked });
    expect(await failure(page({ since: rev + 1 }))).toMatchObject({ status: 400, code: 'request/invalid' });
    for (const request of [
      { since: 2_147_483_648 },
      { since: -1 },
      { before: 3, around: 4 },
      { limit: 201 },
      { before: 'x' },
    ])
      expect(await failure(page(request))).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await failure(page({}, stranger.api))).toMatchObject({ status: 404, code: 'chat/not-found' });
    expect(await failure(page({}, app.apiAs(null)))).toMatchObject({ status: 401 });
  });
});

describe('conversations.recent', () => {
  it('returns the last messages of conversations about open work, to the worker only', async () => {
    const mona = await app.person({ name: 'Mona Berg' });
    const bar = await talk(mona);
    const kitchen = await talk(mona, 'Kitchen help');
    const ended = await talk(mona, 'Old job');
    await send(owner, bar.id, 'The entrance is at the back');
    for (let n = 1; n <= 25; n += 1) await send(mona, kitchen.id, `Line ${n}`);
    await mona.api.applications.withdraw({ applicationId: ended.applicationId ?? '' });
    const { items } = await mona.api.conversations.recent({});
    expect(items.map(({ conversationId }) => conversationId)).toEqual([kitchen.id, bar.id]);
    const [long, short] = items;
    expect(long?.items).toHaveLength(20);
    expect(long?.items.at(-1)?.body).toBe('Line 25');
    expect(long).toMatchObject({
      more: true,
      lastSeq: long?.items.at(-1)?.seq,
      rev: long?.items.at(-1)?.rev,
    });
    expect(short).toMatchObject({ more: false });
    expect(short).toEqual({
      conversationId: bar.id,
      ...(await mona.api.conversations.messages({ conversationId: bar.id })),
    });
    expect((await owner.api.conversations.recent({})).items).toEqual([]);
    expect((await stranger.api.conversations.recent({})).items).toEqual([]);
  });

  it('returns no more conversations than a phone needs', async () => {
    const mona = await app.person({ name: 'Mona Berg' });
    const all = [];
    for (let n = 0; n < 12; n += 1) all.push(await talk(mona, `Job ${n}`));
    const { items } = await mona.api.conversations.recent({});
    expect(items.map(({ conversationId }) => conversationId)).toEqual(
      all
        .map(({ id }) => id)
        .reverse()
        .slice(0, 10),
    );
  });

  it('requires a verified email', async () => {
    const response = await app.raw({ method: 'GET', url: '/api/conversations/recent' });
    expect(response.statusCode).toBe(401);
  });
});

describe('conversations.acknowledge', () => {
  it("only moves forward, up to the newest, in the caller's own conversations", async () => {
    const worker = await app.person();
    const { id } = await talk(worker);
    const { seq } = await send(worker, id, 'One');
    const last = await send(worker, id, 'Two');
    const theirs = async () => (await worker.api.conversations.get({ conversationId: id })).theirs;
    expect(await theirs()).toEqual({ deliveredSeq: 0, readSeq: 0 });
    await read(recruiter, id, 0, seq);
    expect(await theirs()).toEqual({ deliveredSeq: seq, readSeq: 0 });
    await Promise.all([read(recruiter, id, last.seq), read(recruiter, id, seq), read(owner, id, seq)]);
    await read(recruiter, id, 1);
    expect(await theirs()).toEqual({ deliveredSeq: last.seq, readSeq: last.seq });
    expect(await read(owner, id, Number.MAX_SAFE_INTEGER)).toEqual({ conversations: 1 });
    expect(await owner.api.conversations.get({ conversationId: id })).toMatchObject({
      readSeq: last.seq,
      unread: 0,
    });
    expect(await read(stranger, id, seq)).toEqual({ conversations: 0 });
    expect(await read(owner, crypto.randomUUID(), seq)).toEqual({ conversations: 0 });
    expect(await failure(read(owner, id, -1))).toMatchObject({ status: 400 });
    expect(await failure(read({ ...owner, api: app.apiAs(null) }, id, 1))).toMatchObject({ status: 401 });
  });

  it('ends the notice of a fully read conversation', async () => {
    const worker = await app.person();
    const { id } = await talk(worker);
    await send(owner, id, 'One');
    const { seq } = await send(owner, id, 'Two');
    const notices = async () =>
      (await worker.api.notifications.list({})).items.filter(({ topic }) => topic === 'message-received');
    expect(await notices()).toMatchObject([{ readAt: null, path: `/chat?c=${id}` }]);
    await read(worker, id, seq - 1);
    expect(await notices()).toMatchObject([{ readAt: null }]);
    await read(worker, id, seq);
    expect((await notices())[0]?.readAt).not.toBeNull();
  });
});

describe('conversations.mute', () => {
  it('is private, for participants only', async () => {
    const { id } = await talk(leila);
    expect(await owner.api.conversations.mute({ conversationId: id, muted: true })).toMatchObject({
      muted: true,
    });
    expect(await recruiter.api.conversations.get({ conversationId: id })).toMatchObject({ muted: false });
    expect(await owner.api.conversations.mute({ conversationId: id, muted: false })).toMatchObject({
      muted: false,
    });
    const foreign = stranger.api.conversations.mute({ conversationId: id, muted: true });
    expect(await failure(foreign)).toMatchObject({ status: 404, code: 'chat/not-found' });
    expect(
      await failure(app.apiAs(null).conversations.mute({ conversationId: id, muted: true })),
    ).toMatchObject({
      status: 401,
    });
  });
});

describe('conversations.settings', () => {
  it('shows everything by default', async () => {
    const all = { showsTyping: true, showsLastSeen: true, showsRead: true };
    expect(await (await app.person()).api.conversations.settings()).toEqual(all);
    expect(await failure(app.apiAs(null).conversations.settings())).toMatchObject({ status: 401 });
  });
});

describe('conversations.saveSettings', () => {
  it("works both ways: hiding it also hides other people's", async () => {
    const worker = await app.person();
    const { id } = await talk(worker);
    const { seq } = await send(worker, id, 'Hello');
    await read(recruiter, id, seq);
    await app.pool.query(
      `insert into presence (account_id, last_seen_at, online_until, process) values ($1, $3, $3, $4), ($2, $3, $3::timestamptz + interval '1 hour', $4)`,
      [recruiter.accountId, worker.accountId, app.clock.now(), crypto.randomUUID()],
    );
    const conversationOf = (person: Person) => person.api.conversations.get({ conversationId: id });
    const at = app.clock.now().toISOString();
    expect(await conversationOf(worker)).toMatchObject({
      theirs: { readSeq: seq },
      lastSeenAt: at,
      online: false,
    });
    expect(await conversationOf(recruiter)).toMatchObject({ online: true, lastSeenAt: at });
    const block = (blocked: boolean) => worker.api.conversations.block({ conversationId: id, blocked });
    expect(await block(true)).toMatchObject({ online: false, lastSeenAt: null });
    expect(await conversationOf(recruiter)).toMatchObject({ online: false, lastSeenAt: null });
    await block(false);
    expect(await conversationOf(recruiter)).toMatchObject({ online: true });
    expect(await findTypingTo(app.db, worker.accountId, id, app.clock.now())).toMatchObject({
      side: 'worker',
    });
    const nothing = { showsTyping: false, showsLastSeen: false, showsRead: false };
    expect(await worker.api.conversations.saveSettings(nothing)).toEqual(nothing);
    expect(await worker.api.conversations.settings()).toEqual(nothing);
    expect(await conversationOf(worker)).toMatchObject({
      theirs: { deliveredSeq: 0, readSeq: null },
      lastSeenAt: null,
      online: false,
    });
    expect(await conversationOf(recruiter)).toMatchObject({
      theirs: { readSeq: null },
      lastSeenAt: null,
      online: false,
    });
    expect(await findTypingTo(app.db, worker.accountId, id, app.clock.now())).toBeNull();
    const recipients = (await findTypingTo(app.db, recruiter.accountId, id, app.clock.now()))?.rooms;
    expect(recipients).not.toContain(`account:${worker.accountId}`);
    expect(await findTypingTo(app.db, stranger.accountId, id, app.clock.now())).toBeNull();
    expect(await failure(worker.api.conversations.saveSettings({} as never))).toMatchObject({ status: 400 });
  });
});

describe('conversations.quickReplies', () => {
  it('returns none at first', async () => {
    expect(await (await app.person()).api.conversations.quickReplies()).toEqual({ items: [] });
    expect(await failure(app.apiAs(null).conversations.quickReplies())).toMatchObject({ status: 401 });
  });
});

describe('conversations.saveQuickReplies', () => {
  it('keeps a list in order, separate from the settings', async () => {
    const person = await app.person();
    const items = ['On my way', 'شكرا 🙏', '{"a", \\b}'];
    expect(await person.api.conversations.saveQuickReplies({ items })).toEqual({ items });
    await person.api.conversations.saveSettings({ showsTyping: false, showsLastSeen: true, showsRead: true });
    expect(await person.api.conversations.quickReplies()).toEqual({ items });
    for (const bad of [['x'.repeat(301)], Array.from({ length: 21 }, () => 'x'), ['']])
      expect(await failure(person.api.conversations.saveQuickReplies({ items: bad }))).toMatchObject({
        status: 400,
      });
  });
});

describe('system lines', () => {
  it("open a conversation on its events, are posted once, and don't count as a message", async () => {
    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const about = { jobId: job.id, workerId: worker.accountId };
    const within = (
      work: (
        tx: Parameters<Parameters<ReturnType<typeof app.db.transaction>['execute']>[0]>[0],
      ) => Promise<void>,
    ) => app.db.transaction().execute(work);
    const count = async () =>
      (await app.pool.query('select last_seq, rev from conversations where job_id = $1', [job.id])).rows[0];
    await within((tx) =>
      postSystemMessage(tx, app.scopeOf(owner), { ...about, line: 'shortlisted', data: {} }),
    );
    expect(await count()).toBeUndefined();
    await within((tx) =>
      postSystemMessage(tx, app.scopeOf(owner), {
        ...about,
        line: 'invited',
        data: { businessName: business.name },
        key: 'one',
      }),
    );
    await Promise.all(
      [1, 2, 3].map(() =>
        within((tx) =>
          postSystemMessage(tx, app.scopeOf(owner), { ...about, line: 'invited', data: {}, key: 'one' }),
        ),
      ),
    );
    expect(await count()).toEqual({ last_seq: 1, rev: 1 });
    await within((tx) =>
      postSystemMessages(tx, app.scopeOf(owner), [
        { ...about, line: 'applied', data: {} },
        { ...about, line: 'offer-sent', data: { amountMinor: 9_600, currency: 'EUR' }, key: 'offer' },
        { jobId: crypto.randomUUID(), workerId: worker.accountId, line: 'shortlisted', data: {} },
      ]),
    );
    const [conversation] = (await worker.api.conversations.list({})).items;
    expect(conversation).toMatchObject({
      lastSeq: 3,
      unread: 0,
      last: { kind: 'system', system: { line: 'offer-sent' } },
    });
    const { items } = await worker.api.conversations.messages({ conversationId: conversation?.id ?? '' });
    expect(items.map(({ system, from, body }) => [system?.line, system?.path, from, body])).toEqual([
      ['invited', `/job-desc/${job.id}`, null, ''],
      ['applied', `/job-desc/${job.id}`, null, ''],
      ['offer-sent', `/job-desc/${job.id}`, null, ''],
    ]);
    expect(items[2]?.system?.data).toEqual({ amountMinor: 9_600, currency: 'EUR' });
  });
});
