import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { beforeAll, describe, expect, it } from 'vitest';
import { workingHeaders } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication, makeDecision } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { purgeFilesTask } from '../../people/files/files.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { hireFor } from '../../work/engagements/engagements.fixtures.ts';
import { makeConversation } from './messages.fixtures.ts';
import { messagesTasks } from './messages.ts';

const app = useTestApp({ CHAT_BURST: '100000', CHAT_PER_MINUTE: '100000' });
let owner: Person;
let recruiter: Person;
let stranger: Person;
let leila: Person;
let operator: Person;
let business: Business;
async function reported(person: Person, subjectId: string) {
  const { facts } = await person.api.cases.get({ kind: 'chat_report', subjectId });
  if (facts.kind !== 'chat_report') throw new Error('not a report');
  return facts.report;
}
let shifts = 0;
async function talk(worker: Person = leila): Promise<Conversation & { application: string }> {
  shifts += 1;
  const startsAt = addMs(app.clock.now(), shifts * dayMs);
  const endsAt = addMs(startsAt, 8 * hourMs);
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  });
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { ...(await makeConversation(app.db, app.scopeOf(worker), job.id)), application: application.id };
}
const send = (person: Person, conversationId: string, body: string, options: object = {}) =>
  person.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body, ...options });
const content = async (person: Person, path: string) =>
  app.raw({
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${await signAccessToken(app.secret, app.clock, person)}`,
      ...workingHeaders,
    },
  });

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  stranger = await app.person({ name: 'Nosy Neighbour' });
  leila = await app.person({ name: 'Leila Haddad' });
  operator = await app.person({ name: 'Sam Okafor' });
  await makeOperator(app.db, { clock: app.clock }, { email: operator.email });
  operator = app.working(operator);
  business = await makeBusiness(app.db, app.scopeOf(owner));
  recruiter = await app.person({ name: 'Omar Idrissi' });
  await makeMember(app.db, app.clock, business.id, recruiter.accountId);
});

function guards(call: (api: Person['api'], conversationId: string, seq: number) => Promise<unknown>) {
  it('allows only participants, for a message in the conversation', async () => {
    const { id } = await talk();
    const { seq } = await send(leila, id, 'Hello');
    expect(await failure(call(stranger.api, id, seq))).toMatchObject({ status: 404, code: 'chat/not-found' });
    expect(await failure(call(app.apiAs(null), id, seq))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(call(unverified.api, id, seq))).toMatchObject({ status: 403 });
    expect(await failure(call(leila.api, id, seq + 1))).toMatchObject({
      status: 404,
      code: 'chat/no-such-message',
    });
    for (const bad of [0, -1, 1.5])
      expect(await failure(call(leila.api, id, bad))).toMatchObject({ status: 400 });
  });
}

describe('messages.edit', () => {
  guards((api, conversationId, seq) => api.messages.edit({ conversationId, seq, body: 'Other words' }));

  it('edits one’s own text within 5 minutes, in quotes too', async () => {
    const { id } = await talk();
    const first = await send(leila, id, 'At nine');
    const quoted = async () => JSON.stringify((await owner.api.notifications.list({})).items);
    expect(await quoted()).toContain('At nine');
    const answer = await send(owner, id, 'Fine', { replyTo: first.seq });
    app.clock.forward({ minutes: 5 });
    const edited = await leila.api.messages.edit({ conversationId: id, seq: first.seq, body: 'At ten' });
    expect(await quoted()).not.toContain('At nine');
    expect(edited).toMatchObject({
      body: 'At ten',
      rev: answer.rev + 1,
      editedAt: app.clock.now().toISOString(),
    });
    const missed = await owner.api.conversations.messages({ conversationId: id, since: answer.rev });
    expect(missed.items.map(({ seq, rev }) => [seq, rev])).toEqual([
      [first.seq, answer.rev + 1],
      [answer.seq, answer.rev + 2],
    ]);
    expect(missed.items[1]?.replyTo?.excerpt).toBe('At ten');
    expect(await leila.api.messages.edit({ conversationId: id, seq: first.seq, body: 'At ten' })).toEqual(
      edited,
    );
    const theirs = owner.api.messages.edit({ conversationId: id, seq: first.seq, body: 'At noon' });
    expect(await failure(theirs)).toMatchObject({ status: 403, code: 'chat/not-yours' });
    const unseen = leila.api.messages.edit({ conversationId: id, seq: first.seq, body: '\u200b' });
    expect(await failure(unseen)).toMatchObject({ status: 422, code: 'chat/empty' });
    app.clock.forward({ seconds: 1 });
    const late = leila.api.messages.edit({ conversationId: id, seq: first.seq, body: 'At eleven' });
    expect(await failure(late)).toMatchObject({ status: 409, code: 'chat/too-late' });
    const system = leila.api.messages.edit({ conversationId: id, seq: 1, body: 'x' });
    if (first.seq > 1) expect(await failure(system)).toMatchObject({ code: 'chat/not-yours' });
    else await system.catch(() => {});
  });
});

describe('messages.redact', () => {
  guards((api, conversationId, seq) => api.messages.redact({ conversationId, seq }));

  it('removes text, files, reactions and quotes and keeps the place', async () => {
    const { id } = await talk();
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'chat' });
    const first = await send(leila, id, 'My secret 06 1234 5678', { fileIds: [file.id] });
    await owner.api.messages.react({ conversationId: id, seq: first.seq, reaction: 'heart' });
    const answer = await send(owner, id, 'I see', { replyTo: first.seq });
    expect(await failure(owner.api.messages.redact({ conversationId: id, seq: first.seq }))).toMatchObject({
      code: 'chat/not-yours',
    });
    app.clock.forward({ days: 2 });
    const gone = await leila.api.messages.redact({ conversationId: id, seq: first.seq });
    expect(gone).toMatchObject({ seq: first.seq, body: '', files: [], reactions: [], warnings: [] });
    expect(gone.redactedAt).toBe(app.clock.now().toISOString());
    expect(await leila.api.messages.redact({ conversationId: id, seq: first.seq })).toEqual(gone);
    const all = JSON.stringify(await owner.api.conversations.messages({ conversationId: id }));
    expect(all).not.toContain('secret');
    const missed = await owner.api.conversations.messages({ conversationId: id, since: answer.rev });
    expect(missed.items.map(({ seq }) => seq)).toEqual([first.seq, answer.seq]);
    expect(missed.items[1]?.replyTo).toEqual({
      seq: first.seq,
      name: 'Leila Haddad',
      excerpt: '',
      redacted: true,
    });
    for (const person of [leila, owner]) expect((await content(person, file.path)).statusCode).toBe(404);
    expect(JSON.stringify(await owner.api.notifications.list({}))).not.toContain('My secret');
    const { rows } = await app.pool.query(
      "select from idempotency_keys where response::text like '%My secret%'",
    );
    expect(rows).toEqual([]);
    // A resend by a device that missed the response does not create a second message.
    expect(
      await failure(owner.api.messages.react({ conversationId: id, seq: first.seq, reaction: 'check' })),
    ).toMatchObject({
      code: 'chat/no-such-message',
    });
  });

  it('removes its unread mark and its notice', async () => {
    const { id } = await talk();
    const look = async (person: Person) => ({
      unread: (await person.api.conversations.get({ conversationId: id })).unread,
      listed: (await person.api.conversations.list({ unread: 'true' })).items.some((item) => item.id === id),
      notices: (await person.api.notifications.list({})).items.filter(
        ({ path, readAt }) => readAt === null && path.includes(id),
      ).length,
    });
    const nothing = { unread: 0, listed: false, notices: 0 };
    const first = await send(leila, id, 'One');
    await owner.api.conversations.acknowledge({
      items: [{ conversationId: id, deliveredSeq: first.seq, readSeq: first.seq }],
    });
    const second = await send(leila, id, 'Two');
    const third = await send(leila, id, 'Three');
    expect(await look(owner)).toEqual({ unread: 2, listed: true, notices: 1 });
    expect(await look(recruiter)).toEqual({ unread: 3, listed: true, notices: 1 });
    await leila.api.messages.redact({ conversationId: id, seq: third.seq });
    expect(await look(owner)).toEqual({ unread: 1, listed: true, notices: 1 });
    await leila.api.messages.redact({ conversationId: id, seq: second.seq });
    expect(await look(owner)).toEqual(nothing);
    expect(await look(recruiter)).toEqual({ unread: 1, listed: true, notices: 1 });
    await leila.api.messages.redact({ conversationId: id, seq: first.seq });
    expect(await look(recruiter)).toEqual(nothing);
    await send(leila, id, 'Four');
    expect(await look(owner)).toEqual({ unread: 1, listed: true, notices: 1 });
    expect(await look(recruiter)).toEqual({ unread: 1, listed: true, notices: 1 });
  });

  it("is removed from former members' notices too", async () => {
    const { id } = await talk();
    const leaving = await app.person({ name: 'Soon Elsewhere' });
    await makeMember(app.db, app.clock, business.id, leaving.accountId);
    const { seq } = await send(leila, id, 'My secret');
    const quoted = async () => JSON.stringify((await leaving.api.notifications.list({})).items);
    expect(await quoted()).toContain('My secret');
    await app.db.deleteFrom('business_members').where('accountId', '=', leaving.accountId).execute();
    await leila.api.messages.redact({ conversationId: id, seq });
    expect(await quoted()).not.toContain('My secret');
  });

  it('is purged after 30 days unless a report is open, like unsent files', async () => {
    const { id } = await talk();
    const reported = await talk();
    const make = (name: string) => makeFile(app.db, app.scopeOf(leila), { purpose: 'chat', name });
    const unsent = await make('unsent.pdf');
    const file = await make('gone.pdf');
    const keptFile = await make('kept.pdf');
    const standing = await make('standing.pdf');
    await send(leila, id, 'Stays', { fileIds: [standing.id] });
    for (const [conversationId, fileId] of [
      [id, file.id],
      [reported.id, keptFile.id],
    ] as const) {
      const { seq } = await send(leila, conversationId, 'Words', { fileIds: [fileId] });
      if (conversationId === reported.id)
        await owner.api.chatReports.create({ conversationId, seq, reason: 'scam', note: '' });
      await leila.api.messages.redact({ conversationId, seq });
    }
    app.clock.forward({ days: 31 });
    for (const task of [...messagesTasks, purgeFilesTask]) {
      await app.db.transaction().execute((tx) => enqueue(tx, task, {}));
      await app.runDue();
    }
    const { rows } = await app.pool.query(
      'select conversation_id from redacted_words where conversation_id = any($1)',
      [[id, reported.id]],
    );
    expect(rows).toEqual([{ conversation_id: reported.id }]);
    expect(app.fileStore.keys()).toEqual(expect.arrayContaining([keptFile.id, standing.id]));
    for (const gone of [unsent.id, file.id]) expect(app.fileStore.keys()).not.toContain(gone);
  });
});

describe('messages.react', () => {
  guards((api, conversationId, seq) => api.messages.react({ conversationId, seq, reaction: 'heart' }));

  it('counts one per user, and removes it', async () => {
    const { id } = await talk();
    const { seq, rev } = await send(leila, id, 'I got the job');
    const react = (person: Person, reaction: 'heart' | 'hands-clapping' | null) =>
      person.api.messages.react({ conversationId: id, seq, reaction });
    await Promise.all([react(owner, 'heart'), react(recruiter, 'heart'), react(leila, 'heart')]);
    expect((await react(owner, 'hands-clapping')).reactions).toEqual([
      { reaction: 'heart', count: 2, mine: false },
      { reaction: 'hands-clapping', count: 1, mine: true },
    ]);
    const before = await react(owner, 'hands-clapping');
    expect(before.rev).toBe(rev + 4);
    expect((await react(leila, null)).reactions).toEqual([
      { reaction: 'hands-clapping', count: 1, mine: false },
      { reaction: 'heart', count: 1, mine: false },
    ]);
    expect((await react(leila, null)).rev).toBe(rev + 5);
    expect(
      await failure(leila.api.messages.react({ conversationId: id, seq, reaction: 'skull' as never })),
    ).toMatchObject({
      status: 400,
    });
  });
});

describe('conversations.block', () => {
  it('closes all conversations of the two; each side lifts only its own block', async () => {
    const nora = await app.person({ name: 'Nora Lind' });
    const norasTalk = await talk(nora);
    const two = await talk(nora);
    const clientId = crypto.randomUUID();
    const before = { conversationId: two.id, clientId, body: 'Before' };
    const message = await nora.api.messages.send(before);
    const block = (person: Person, blocked: boolean) =>
      person.api.conversations.block({ conversationId: norasTalk.id, blocked });
    expect(await block(nora, true)).toMatchObject({ state: 'blocked', blockedBy: 'you' });
    expect(await block(nora, true)).toMatchObject({ blockedBy: 'you' });
    expect(await owner.api.conversations.get({ conversationId: two.id })).toMatchObject({
      state: 'blocked',
      blockedBy: 'them',
    });
    for (const person of [nora, owner])
      for (const { id } of [norasTalk, two])
        expect(await failure(send(person, id, 'Hello'))).toMatchObject({ status: 409, code: 'chat/blocked' });
    expect(await nora.api.messages.send(before)).toEqual(message);
    const react = owner.api.messages.react({ conversationId: two.id, seq: message.seq, reaction: 'heart' });
    expect(await failure(react)).toMatchObject({ code: 'chat/blocked' });
    const edit = nora.api.messages.edit({ conversationId: two.id, seq: message.seq, body: 'x' });
    expect(await failure(edit)).toMatchObject({ code: 'chat/blocked' });
    expect(await block(recruiter, true)).toMatchObject({ blockedBy: 'both' });
    expect(await block(nora, false)).toMatchObject({ blockedBy: 'them' });
    expect(await block(owner, false)).toMatchObject({ state: 'active', blockedBy: null });
    await send(owner, two.id, 'Hello again');
    const other = await talk();
    expect(other.state).toBe('active');
  });

  it('allows only its two sides', async () => {
    const { id } = await talk();
    const call = (api: Person['api'], conversationId = id) =>
      api.conversations.block({ conversationId, blocked: true });
    expect(await failure(call(stranger.api))).toMatchObject({ status: 404, code: 'chat/not-found' });
    expect(await failure(call(app.apiAs(null)))).toMatchObject({ status: 401 });
    expect(await failure(call(leila.api, 'x'))).toMatchObject({ status: 400 });
  });
});

describe('a conversation over time', () => {
  it('is read-only 30 days after its application ended, and reopens with a new one', async () => {
    const { id, application, job } = await talk();
    const { seq } = await send(leila, id, 'Any news?');
    await makeDecision(app.db, app.scopeOf(owner), application, 'view');
    await leila.api.applications.withdraw({ applicationId: application });
    const ended = await leila.api.conversations.get({ conversationId: id });
    expect(ended.state).toBe('active');
    expect(ended.readOnlyAt).not.toBeNull();
    await send(owner, id, 'What a pity');
    app.clock.set(ended.readOnlyAt as string);
    expect(await owner.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'read_only' });
    expect(await failure(send(owner, id, 'Hello?'))).toMatchObject({ status: 409, code: 'chat/read-only' });
    expect((await leila.api.messages.redact({ conversationId: id, seq })).body).toBe('');
    await app.db.updateTable('jobs').set({ status: 'open' }).where('id', '=', job.id).execute();
  });

  it('stays open during the work, and warns only of payment outside after hiring', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const engagement = await hireFor(
      app.db,
      { worker: app.scopeOf(leila), recruiter: app.scopeOf(owner) },
      job.id,
    );
    const { id } = await makeConversation(app.db, app.scopeOf(leila), job.id);
    expect(await owner.api.conversations.get({ conversationId: id })).toMatchObject({
      hired: true,
      engagementId: engagement.id,
      readOnlyAt: null,
    });
    expect((await send(leila, id, 'Call me: 06 1234 5678')).warnings).toEqual([]);
    expect((await send(leila, id, 'Pay me outside the app')).warnings).toEqual(['payment']);
  });
});

describe('chatReports.create', () => {
  guards((api, conversationId, seq) =>
    api.chatReports.create({ conversationId, seq, reason: 'spam', note: '' }),
  );

  it('creates one report while it is open, even on repeats', async () => {
    const { id } = await talk();
    const { seq } = await send(leila, id, 'Buy my course');
    const report = (note: string) =>
      owner.api.chatReports.create({ conversationId: id, seq, reason: 'spam', note });
    const first = await report('Again and again');
    expect(await report('And again')).toEqual(first);
    expect(
      (await owner.api.chatReports.create({ conversationId: id, reason: 'other', note: '' })).id,
    ).not.toBe(first.id);
  });
});

describe('a reported message', () => {
  it('appears to operators with its context and deleted text, except to participants', async () => {
    const { id } = await talk();
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'chat' });
    for (let n = 1; n <= 15; n += 1) await send(owner, id, `Before ${n}`);
    const { seq } = await send(leila, id, 'Pay me outside', { fileIds: [file.id] });
    await send(owner, id, 'No');
    await leila.api.messages.redact({ conversationId: id, seq });
    const { id: reportId } = await owner.api.chatReports.create({
      conversationId: id,
      seq,
      reason: 'off-platform',
      note: 'See',
    });
    const listed = async (person: Person) =>
      (await person.api.cases.list({ kind: 'chat_report', limit: 100 })).items.some(
        ({ subjectId }) => subjectId === reportId,
      );
    expect(await listed(operator)).toBe(true);
    const report = await reported(operator, reportId);
    expect(report).toMatchObject({
      reason: 'off-platform',
      by: { accountId: owner.accountId, side: 'business' },
      worker: { name: 'Leila Haddad' },
      seq,
    });
    expect(report?.messages).toHaveLength(12);
    expect(report?.messages.find((message) => message.seq === seq)).toMatchObject({
      body: 'Pay me outside',
      files: [file],
    });
    expect((await content(operator, file.path)).statusCode).toBe(200);
    await makeOperator(app.db, { clock: app.clock }, { email: leila.email });
    expect(await listed(leila)).toBe(false);
    expect(await failure(reported(app.working(leila), reportId))).toMatchObject({
      code: 'operator/own-record',
    });
    const own = app
      .working(leila)
      .api.operators.decideReport({ reportId, decision: 'dismiss', reason: 'Mine' });
    expect(await failure(own)).toMatchObject({ status: 403, code: 'operator/own-record' });
  });

  it('appears with ten messages before and after it; a conversation with its newest ones', async () => {
    const { id } = await talk();
    const seqs: number[] = [];
    for (let n = 1; n <= 14; n += 1) seqs.push((await send(leila, id, `No ${n}`)).seq);
    const reportedSeqs = async (seq: number | undefined) => {
      const about = { conversationId: id, seq };
      const report = await owner.api.chatReports.create({ ...about, reason: 'spam', note: '' });
      const { messages } = await reported(operator, report.id);
      return messages.flatMap(({ seq: at, body }) => (body ? [at] : []));
    };
    expect(await reportedSeqs(seqs[0])).toEqual(seqs.slice(0, 11));
    expect(await reportedSeqs(seqs[1])).toEqual(seqs.slice(0, 12));
    expect(await reportedSeqs(seqs[2])).toEqual(seqs.slice(0, 13));
    expect(await reportedSeqs(undefined)).toEqual(seqs);
  });

  it('shows the text from before an edit', async () => {
    const { id } = await talk();
    const { seq } = await send(leila, id, 'An insult');
    await leila.api.messages.edit({ conversationId: id, seq, body: 'Worse' });
    await leila.api.messages.edit({ conversationId: id, seq, body: 'Good morning' });
    const report = { conversationId: id, seq, reason: 'harassment', note: '' } as const;
    const { id: reportId } = await owner.api.chatReports.create(report);
    const conversationLines = async () =>
      (await reported(operator, reportId)).messages.find((message) => message.seq === seq)?.body;
    expect(await conversationLines()).toBe('An insult\n\nWorse\n\nGood morning');
    await leila.api.messages.redact({ conversationId: id, seq });
    expect(await conversationLines()).toBe('An insult\n\nWorse\n\nGood morning');
    for (const person of [leila, owner])
      expect(
        (await person.api.conversations.messages({ conversationId: id })).items.find(
          (item) => item.seq === seq,
        )?.body,
      ).toBe('');
  });
});

describe('operators.decideReport', () => {
  const reported = async () => {
    const { id } = await talk();
    const { seq } = await send(leila, id, 'Something bad');
    const { id: reportId } = await owner.api.chatReports.create({
      conversationId: id,
      seq,
      reason: 'harassment',
      note: '',
    });
    return { id, seq, reportId };
  };
  const decide = (reportId: string, decision: 'dismiss' | 'redact' | 'freeze') =>
    operator.api.operators.decideReport({
      reportId,
      decision,
      reason: 'As the rules say',
      rule: decision === 'dismiss' ? null : 'respect',
    });

  it('removes the message', async () => {
    const { id, seq, reportId } = await reported();
    expect(await decide(reportId, 'redact')).toEqual({ id: reportId, decision: 'redact' });
    expect(
      (await leila.api.conversations.messages({ conversationId: id })).items.find((item) => item.seq === seq),
    ).toMatchObject({
      body: '',
      redactedAt: expect.any(String),
    });
    expect(await decide(reportId, 'redact')).toEqual({ id: reportId, decision: 'redact' });
    expect(await failure(decide(reportId, 'freeze'))).toMatchObject({
      status: 404,
      code: 'chat/report-not-found',
    });
  });

  it('freezes the conversation, which both can still read', async () => {
    const { id, reportId } = await reported();
    await decide(reportId, 'freeze');
    for (const person of [leila, owner]) {
      expect(await person.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'frozen' });
      expect(await failure(send(person, id, 'But'))).toMatchObject({ status: 409, code: 'chat/frozen' });
      expect((await person.api.conversations.messages({ conversationId: id })).items).not.toHaveLength(0);
    }
  });

  it('dismisses, returns 404 for an unknown report, and redacts no whole conversation', async () => {
    const { id, reportId } = await reported();
    await decide(reportId, 'dismiss');
    expect(await leila.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'active' });
    expect(await failure(decide(crypto.randomUUID(), 'dismiss'))).toMatchObject({
      code: 'chat/report-not-found',
    });
    const whole = await owner.api.chatReports.create({ conversationId: id, reason: 'other', note: '' });
    expect(await failure(decide(whole.id, 'redact'))).toMatchObject({ status: 400 });
    // A dismissal needs no rule; any other decision does.
    for (const wrong of [{ decision: 'freeze' }, { decision: 'dismiss', rule: 'respect' }] as const)
      expect(
        await failure(operator.api.operators.decideReport({ reportId: whole.id, reason: 'No', ...wrong })),
      ).toMatchObject({ status: 400, code: 'request/invalid' });
  });
});
