import type { Business } from '@nearhand/contract/people/businesses';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, roundTripsOf, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeInvitation } from '../../hiring/pipeline/pipeline.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeConversation } from './messages.fixtures.ts';
import { postSystemMessage } from './system-messages.ts';

const app = useTestApp({ CHAT_BURST: '100000', CHAT_PER_MINUTE: '100000' });
let owner: Person;
let recruiter: Person;
let finance: Person;
let stranger: Person;
let leila: Person;
let business: Business;
const newJob = (title?: string) => makeJob(app.db, app.scopeOf(owner), business.id, title ? { title } : {});

async function talk(worker: Person = leila, title?: string): Promise<Conversation> {
  const job = await newJob(title);
  await makeApplication(app.db, app.scopeOf(worker), job.id);
  return makeConversation(app.db, app.scopeOf(worker), job.id);
}
const send = (person: Person, conversationId: string, body: string, options: object = {}) =>
  person.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body, ...options });
const textsOf = async (person: Person, conversationId: string) =>
  (await person.api.conversations.messages({ conversationId })).items
    .filter(({ kind }) => kind === 'text')
    .map(({ body }) => body);

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  stranger = await app.person({ name: 'Nosy Neighbour' });
  leila = await app.person({ name: 'Leila Haddad' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  const member = async (role: 'recruiter' | 'finance', name: string) => {
    const person = await app.person({ name });
    await makeMember(app.db, app.clock, business.id, person.accountId, role);
    return person;
  };
  recruiter = await member('recruiter', 'Omar Idrissi');
  finance = await member('finance', 'Mei Tanaka');
});

/** Checks that a stranger doesn't learn that a conversation exists. */
function guards(call: (api: Person['api'], conversationId: string) => Promise<unknown>) {
  it('allows only its two sides', async () => {
    const { id } = await talk();
    for (const person of [stranger, finance])
      expect(await failure(call(person.api, id))).toMatchObject({ status: 404, code: 'chat/not-found' });
    expect(await failure(call(leila.api, crypto.randomUUID()))).toMatchObject({
      status: 404,
      code: 'chat/not-found',
    });
    expect(await failure(call(leila.api, 'x\u0000'))).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await failure(call(app.apiAs(null), id))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(call(unverified.api, id))).toMatchObject({ status: 403 });
  });
}

describe('conversations.open', () => {
  guards(async (api, id) => {
    const { rows } = await app.pool.query('select job_id, worker_id from conversations where id = $1', [
      /^[0-9a-f-]{36}$/.test(id) ? id : crypto.randomUUID(),
    ]);
    const [row] = rows;
    return api.conversations.open({
      jobId: row?.job_id ?? (id.includes('\u0000') ? id : crypto.randomUUID()),
      workerId: row?.worker_id,
    });
  });

  it('opens one for both sides, even on repeats', async () => {
    const job = await newJob();
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    const [mine, theirs, again] = await Promise.all([
      leila.api.conversations.open({ jobId: job.id }),
      recruiter.api.conversations.open({ jobId: job.id, workerId: leila.accountId }),
      owner.api.conversations.open({ jobId: job.id, workerId: leila.accountId }),
    ]);
    expect(theirs.id).toBe(mine.id);
    expect(again.id).toBe(mine.id);
    expect(mine).toMatchObject({
      side: 'worker',
      state: 'active',
      unread: 0,
      hired: false,
      readOnlyAt: null,
    });
    expect(theirs).toMatchObject({ side: 'business', worker: { name: 'Leila Haddad' }, job: { id: job.id } });
  });

  it('requires an application or an invitation', async () => {
    const job = await newJob();
    expect(await failure(leila.api.conversations.open({ jobId: job.id }))).toMatchObject({
      code: 'chat/not-connected',
    });
    const opening = recruiter.api.conversations.open({ jobId: job.id, workerId: leila.accountId });
    expect(await failure(opening)).toMatchObject({ status: 409, code: 'chat/not-connected' });
    await makeInvitation(app.db, app.scopeOf(owner), { jobId: job.id, workerId: leila.accountId });
    expect(await leila.api.conversations.open({ jobId: job.id })).toMatchObject({
      applicationId: null,
      state: 'active',
    });
  });
});

describe('messages.send', () => {
  it('takes three round trips to the database and a commit, with its notice', async () => {
    const { id } = await talk();
    await send(leila, id, 'Good morning');
    // The session; the deciding facts and the recipients; the message with its notices.
    expect(await roundTripsOf(() => send(leila, id, 'Is there parking?'))).toBe(3);
  });

  guards((api, conversationId) =>
    api.messages.send({ conversationId, clientId: crypto.randomUUID(), body: 'hello' }),
  );

  it('stores messages in one order and shows it to both sides', async () => {
    const { id } = await talk();
    const { lastSeq } = await leila.api.conversations.get({ conversationId: id });
    const sent = await send(leila, id, '  Hello, is there parking? سلام 👋🏽\nLeila ');
    expect(sent).toMatchObject({
      seq: lastSeq + 1,
      kind: 'text',
      body: 'Hello, is there parking? سلام 👋🏽\nLeila',
      from: { accountId: leila.accountId, side: 'worker', name: 'Leila Haddad', photoPath: null },
      warnings: [],
    });
    const page = await recruiter.api.conversations.messages({ conversationId: id });
    expect(page.items.at(-1)).toEqual({ ...sent, clientId: null });
    expect((await leila.api.conversations.messages({ conversationId: id })).items.at(-1)).toEqual(sent);
    expect(page).toMatchObject({ more: false, lastSeq: sent.seq, rev: sent.rev });
  });

  it('stores HTML and script as plain text, and accepts exactly 5,000 characters', async () => {
    const { id } = await talk();
    const script = '<script>alert(1)</script><img src=x onerror="alert(2)">&amp;';
    expect((await send(leila, id, script)).body).toBe(script);
    expect((await send(leila, id, 'x'.repeat(5_000))).body).toHaveLength(5_000);
    for (const body of ['👍🏽', '?', '\u202eشكرا']) expect((await send(leila, id, body)).body).toBe(body);
    for (const body of ['x'.repeat(5_001), 'x'.repeat(6_000), 'a\u0000b', '\ud800'])
      expect(await failure(send(leila, id, body))).toMatchObject({ status: 400, code: 'request/invalid' });
    for (const body of ['', '   \n ', '\u200b\u2060', '\u202e\ufe0f'])
      expect(await failure(send(leila, id, body))).toMatchObject({ status: 422, code: 'chat/empty' });
  });

  it('is stored once per clientId, and rejects another text under it', async () => {
    const { id } = await talk();
    const clientId = crypto.randomUUID();
    const said = { conversationId: id, clientId, body: 'Once only' };
    const all = await Promise.all(Array.from({ length: 8 }, () => leila.api.messages.send(said)));
    for (const message of all) expect(message).toEqual(all[0]);
    expect(await textsOf(recruiter, id)).toEqual(['Once only']);
    const other = leila.api.messages.send({ ...said, body: 'Something else' });
    expect(await failure(other)).toMatchObject({ status: 422, code: 'idempotency/key-reused' });
    await recruiter.api.messages.send({ ...said, body: 'By chance the same id' });
    expect(await textsOf(leila, id)).toEqual(['Once only', 'By chance the same id']);
  });

  it('numbers many concurrent ones without gaps, by message and by revision', async () => {
    const { id, lastSeq, rev } = await talk();
    const people = [leila, recruiter, owner];
    // After a 503, an app resends the message with the same `clientId`.
    const sendUntilStored = async (person: Person, body: string) => {
      const clientId = crypto.randomUUID();
      for (let attempt = 1; ; attempt += 1)
        try {
          return await send(person, id, body, { clientId });
        } catch (error) {
          if ((error as { status?: number }).status !== 503 || attempt === 10) throw error;
        }
    };
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, n) => sendUntilStored(people[n % 3] as Person, `No ${n}`)),
    );
    const expected = Array.from({ length: 60 }, (_, n) => lastSeq + n + 1);
    expect(sent.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(expected);
    expect(sent.map((message) => message.rev).sort((a, b) => a - b)).toEqual(
      expected.map((_, n) => rev + n + 1),
    );
    const gap = await leila.api.conversations.messages({ conversationId: id, since: rev, limit: 200 });
    expect(gap.items.map(({ seq }) => seq)).toEqual(expected);
  });

  it('warns about contact details before hiring, and blocks nothing', async () => {
    const { id } = await talk();
    const sent = await send(leila, id, 'Call me: 06 1234 5678 or leila@example.org');
    expect(sent.warnings).toEqual(['phone', 'email']);
    expect((await recruiter.api.conversations.messages({ conversationId: id })).items.at(-1)).toMatchObject({
      body: 'Call me: 06 1234 5678 or leila@example.org',
      warnings: ['phone', 'email'],
    });
  });

  it('quotes the message it replies to', async () => {
    const { id } = await talk();
    const first = await send(leila, id, '🎓'.repeat(200));
    const answer = await send(recruiter, id, 'Congratulations', { replyTo: first.seq });
    expect(answer.replyTo).toEqual({
      seq: first.seq,
      name: 'Leila Haddad',
      excerpt: '🎓'.repeat(140),
      redacted: false,
    });
    expect((await leila.api.conversations.messages({ conversationId: id })).items.at(-1)?.replyTo).toEqual(
      answer.replyTo,
    );
    for (const replyTo of [answer.seq + 1, 9_007_199_254_740_991])
      expect(await failure(send(leila, id, 'To nothing', { replyTo }))).toMatchObject({
        code: 'chat/no-such-message',
      });
  });

  it('accepts the sender’s own chat files, sent once', async () => {
    const { id } = await talk();
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'chat', name: '../<b>Menu</b>.pdf' });
    expect(file.name).toBe('b_.pdf');
    const content = (person: Person | null) =>
      app.raw({
        url: `/api${file.path}`,
        headers: person ? { authorization: `Bearer ${person.token}` } : {},
      });
    expect((await content(leila)).statusCode).toBe(200);
    expect((await content(recruiter)).statusCode).toBe(404);
    const theft = await failure(send(recruiter, id, 'Mine now', { fileIds: [file.id] }));
    expect(theft).toMatchObject({ status: 404, code: 'file/not-found' });
    const sent = await send(leila, id, '', { fileIds: [file.id] });
    expect(sent.files).toEqual([file]);
    expect((await recruiter.api.conversations.messages({ conversationId: id })).items.at(-1)?.files).toEqual([
      file,
    ]);
    for (const person of [recruiter, owner, leila]) expect((await content(person)).statusCode).toBe(200);
    for (const person of [stranger, finance, null]) expect((await content(person)).statusCode).toBe(404);
    expect((await content(recruiter)).headers).toMatchObject({ 'cache-control': 'private, no-store' });
    const again = await failure(send(leila, id, 'Twice', { fileIds: [file.id] }));
    expect(again).toMatchObject({ code: 'file/not-found' });
    const cv = await makeFile(app.db, app.scopeOf(leila));
    expect(await failure(send(leila, id, 'CV', { fileIds: [cv.id] }))).toMatchObject({
      code: 'file/wrong-type',
    });
    const six = Array.from({ length: 6 }, () => crypto.randomUUID());
    expect(await failure(send(leila, id, 'Six', { fileIds: six }))).toMatchObject({ status: 400 });
  });

  it('attaches a file to one of two concurrent messages', async () => {
    const firstTalk = await talk();
    const secondTalk = await talk();
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'chat', bytes: pdfBytes('Rota') });
    const answers = await Promise.allSettled(
      [firstTalk, secondTalk].map(({ id }) => send(leila, id, 'Rota', { fileIds: [file.id] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(await failure(Promise.reject(answer.reason))).toMatchObject({
          status: 404,
          code: 'file/not-found',
        });
  });

  it('notifies the other side once, but not someone who muted it', async () => {
    const { id } = await talk();
    await recruiter.api.conversations.mute({ conversationId: id, muted: true });
    await send(leila, id, 'Anybody there?');
    const topicsOf = async (person: Person) =>
      (await person.api.notifications.list({})).items
        .filter(({ path }) => path.includes(id))
        .map(({ topic }) => topic);
    expect(await topicsOf(owner)).toEqual(['message-received']);
    expect(await topicsOf(recruiter)).toEqual([]);
    expect(await topicsOf(finance)).toEqual([]);
    expect(await topicsOf(leila)).toEqual([]);
  });
});

describe('conversations.get', () => {
  guards((api, conversationId) => api.conversations.get({ conversationId }));

  it("counts the other side's unread messages", async () => {
    const { id, lastSeq, job } = await talk();
    await send(leila, id, 'One');
    const two = await send(leila, id, 'Two');
    await app.db.transaction().execute((tx) =>
      postSystemMessage(tx, app.scopeOf(leila), {
        jobId: job.id,
        workerId: leila.accountId,
        line: 'shortlisted',
        data: {},
      }),
    );
    await send(owner, id, 'An answer');
    const conversation = await recruiter.api.conversations.get({ conversationId: id });
    expect(conversation).toMatchObject({ unread: 2, readSeq: 0, last: { body: 'An answer' } });
    expect(await leila.api.conversations.get({ conversationId: id })).toMatchObject({
      unread: 1,
      readSeq: two.seq,
    });
    await recruiter.api.conversations.acknowledge({
      items: [{ conversationId: id, deliveredSeq: two.seq, readSeq: lastSeq + 1 }],
    });
    expect(await recruiter.api.conversations.get({ conversationId: id })).toMatchObject({ unread: 1 });
  });

  it("shows the other side's response time, from three answers on", async () => {
    const elsewhere = await makeBusiness(app.db, app.scopeOf(stranger));
    const job = await makeJob(app.db, app.scopeOf(stranger), elsewhere.id);
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    const { id } = await makeConversation(app.db, app.scopeOf(leila), job.id);
    for (const minutes of [10, 20, 600]) {
      await send(leila, id, 'Question');
      app.clock.forward({ minutes: minutes / 2 });
      await send(leila, id, 'Hello?');
      app.clock.forward({ minutes: minutes / 2 });
      await send(stranger, id, 'Answer');
    }
    expect(await leila.api.conversations.get({ conversationId: id })).toMatchObject({ repliesInMinutes: 20 });
  });

  it('works after an account is disabled', async () => {
    const gone = await app.person({ name: 'Gone Soon' });
    const { id } = await talk(gone);
    await send(gone, id, 'Bye');
    await app.db
      .updateTable('accounts')
      .set({
        name: 'Closed account',
        email: `${gone.accountId}@closed.invalid`,
        emailVerified: false,
        disabledAt: app.clock.now(),
      })
      .where('id', '=', gone.accountId)
      .execute();
    expect(await recruiter.api.conversations.get({ conversationId: id })).toMatchObject({
      worker: { name: 'Closed account' },
      last: { body: 'Bye', from: { name: 'Closed account' } },
    });
  });
});
