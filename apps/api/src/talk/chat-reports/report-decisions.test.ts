import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeConversation } from '../messages/messages.fixtures.ts';

const app = useTestApp();
let owner: Person;
let recruiter: Person;
let finance: Person;
let leila: Person;
let operator: Person;
let business: Business;

const join = (person: Person, role: 'recruiter' | 'finance') =>
  makeMember(app.db, app.clock, business.id, person.accountId, role);

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  leila = await app.person({ name: 'Leila Haddad' });
  operator = await app.person({ name: 'Sam Okafor' });
  recruiter = await app.person({ name: 'Omar Idrissi' });
  finance = await app.person({ name: 'Petra Lang' });
  await makeOperator(app.db, { clock: app.clock }, { email: operator.email });
  operator = app.working(operator);
  business = await makeBusiness(app.db, app.scopeOf(owner));
  await join(recruiter, 'recruiter');
  await join(finance, 'finance');
});

async function talk(): Promise<string> {
  const job = await makeJob(app.db, app.scopeOf(owner), business.id);
  await makeApplication(app.db, app.scopeOf(leila), job.id);
  return (await makeConversation(app.db, app.scopeOf(leila), job.id)).id;
}
const send = (person: Person, conversationId: string, body: string) =>
  person.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body });
const reason = 'Words of this kind have no place here';
const decide = (reportId: string, decision: 'dismiss' | 'redact' | 'freeze') =>
  operator.api.operators.decideReport({
    reportId,
    decision,
    reason,
    rule: decision === 'dismiss' ? null : 'respect',
  });
const decided = async (person: Person, conversationId: string) =>
  (await person.api.sanctions.mine({ limit: 100 })).items.filter(
    ({ target }) => target.id === conversationId,
  );
const noticesAbout = async (person: Person, conversationId: string) =>
  (await person.api.notifications.list({ limit: 100 })).items
    .filter(({ topic, path }) => topic === 'report-decided' && path === `/chat?c=${conversationId}`)
    .map(({ data }) => data);

describe('a decision about a report', () => {
  it('notifies only the reporter and the author, with its reason', async () => {
    const id = await talk();
    const { seq } = await send(leila, id, 'Something bad');
    const { id: reportId } = await recruiter.api.chatReports.create({
      conversationId: id,
      seq,
      reason: 'harassment',
      note: 'She said it twice',
    });
    await decide(reportId, 'redact');
    await decide(reportId, 'redact');
    expect(await noticesAbout(recruiter, id)).toEqual([
      expect.objectContaining({ mode: 'reporter', variant: 'redact', reason, side: 'business' }),
    ]);
    const hers = await decided(leila, id);
    expect(hers).toMatchObject([
      { measure: 'redacted', facts: reason, rule: 'respect', source: 'report', target: { kind: 'message' } },
    ]);
    expect(await noticesAbout(leila, id)).toEqual([]);
    expect(JSON.stringify(hers)).not.toMatch(/Omar|harassment|twice|Something bad|seq/);
    expect(JSON.stringify(hers)).not.toContain(recruiter.accountId);
    for (const person of [owner, finance]) {
      expect(await noticesAbout(person, id)).toEqual([]);
      expect(await decided(person, id)).toEqual([]);
    }
    const mails = await app.db
      .selectFrom('notification_deliveries')
      .innerJoin('notifications', 'notifications.id', 'notification_deliveries.notificationId')
      .where('notifications.topic', '=', 'report-decided')
      .where('notifications.path', '=', `/chat?c=${id}`)
      .where('channel', '=', 'email')
      .select('state')
      .execute();
    expect(mails.map(({ state }) => state)).toEqual(['queued']);
  });

  it('notifies every writer on the other side when the conversation is frozen', async () => {
    const id = await talk();
    const { seq } = await send(owner, id, 'Something bad');
    const report = { conversationId: id, seq, reason: 'scam' as const, note: '' };
    await decide((await leila.api.chatReports.create(report)).id, 'freeze');
    expect(await noticesAbout(leila, id)).toEqual([
      expect.objectContaining({ mode: 'reporter', variant: 'freeze' }),
    ]);
    for (const person of [owner, recruiter])
      expect(await decided(person, id)).toMatchObject([
        { measure: 'frozen', facts: reason, business: { id: business.id }, target: { kind: 'conversation' } },
      ]);
    expect(await decided(finance, id)).toEqual([]);
  });
});

describe('a frozen conversation', () => {
  async function stopped() {
    const id = await talk();
    const { seq } = await send(leila, id, 'Something bad');
    for (const person of [owner, recruiter]) {
      const report = { conversationId: id, seq, reason: 'scam' as const, note: '' };
      await decide((await person.api.chatReports.create(report)).id, 'freeze');
    }
    return id;
  }
  const frozen = async (person: Person, id: string) =>
    (await person.api.cases.list({ kind: 'frozen_chat', limit: 100 })).items.filter(
      ({ subjectId }) => subjectId === id,
    );
  const conversationOf = (person: Person, id: string) =>
    person.api.cases.get({ kind: 'frozen_chat', subjectId: id }).then(({ facts }) => facts);

  it('opens one case, and is unfrozen with a reason', async () => {
    const id = await stopped();
    expect(await frozen(operator, id)).toHaveLength(1);
    expect(await conversationOf(operator, id)).toMatchObject({
      kind: 'frozen_chat',
      frozen: {
        conversationId: id,
        reason,
        worker: { id: leila.accountId, name: 'Leila Haddad' },
        seq: expect.any(Number),
        messages: expect.arrayContaining([expect.objectContaining({ body: 'Something bad' })]),
        reports: [
          { reason: 'scam', by: { side: 'business' } },
          { reason: 'scam', by: { side: 'business' } },
        ],
      },
    });
    const request = { conversationId: id, reason: 'A misunderstanding' };
    expect(await failure(operator.api.operators.unfreeze(request))).toMatchObject({
      status: 403,
      code: 'operator/own-decision',
    });
    expect(await leila.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'frozen' });
    const second = await app.person({ name: 'Sol Second' });
    await makeOperator(app.db, { clock: app.clock }, { email: second.email });
    const lift = () => app.working(second).api.operators.unfreeze(request);
    expect(await lift()).toEqual({ conversationId: id });
    expect(await lift()).toEqual({ conversationId: id });
    expect(await frozen(operator, id)).toEqual([]);
    const closed = await app.db
      .selectFrom('closed_cases')
      .select('accountIds')
      .where('subjectId', '=', id)
      .where('kind', '=', 'frozen_chat')
      .executeTakeFirst();
    expect(closed?.accountIds).toEqual([owner.accountId, leila.accountId, recruiter.accountId]);
    for (const person of [leila, owner]) {
      expect(await person.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'active' });
      await send(person, id, 'Hello again');
    }
    for (const person of [leila, owner, recruiter])
      expect((await noticesAbout(person, id)).filter(({ variant }) => variant === 'unfreeze')).toEqual([
        expect.objectContaining({ reason: 'A misunderstanding' }),
      ]);
    expect(await noticesAbout(finance, id)).toEqual([]);
  });

  describe('operators.unfreeze', () => {
    it('allows only operators outside it', async () => {
      const id = await stopped();
      const call = (person: Person) => person.api.operators.unfreeze({ conversationId: id, reason: 'Mine' });
      expect(await failure(call(leila))).toMatchObject({ status: 403 });
      expect(await failure(conversationOf(leila, id))).toMatchObject({ status: 403 });
      const both = await app.person({ name: 'Bea Both' });
      await join(both, 'recruiter');
      await makeOperator(app.db, { clock: app.clock }, { email: both.email });
      expect(await failure(call(app.working(both)))).toMatchObject({
        status: 403,
        code: 'operator/own-record',
      });
      expect(await frozen(both, id)).toEqual([]);
      expect(await failure(conversationOf(app.working(both), id))).toMatchObject({
        code: 'operator/own-record',
      });
      const unknown = operator.api.operators.unfreeze({ conversationId: crypto.randomUUID(), reason: 'x' });
      expect(await failure(unknown)).toMatchObject({ status: 404, code: 'chat/not-found' });
      expect(
        await failure(operator.api.operators.unfreeze({ conversationId: id, reason: '' })),
      ).toMatchObject({
        status: 400,
      });
    });
  });
});
