import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from './operators.fixtures.ts';
import { listOperators, removeOperator, setOperatorRoles } from './operators.ts';

const app = useTestApp();
const reason = 'Joins the support team';
let count = 0;
let first: Person;
let second: Person;

/** Two new owners and no others. */
beforeEach(async () => {
  await app.pool.query(
    "update operators set removed_at = now(), removed_by = 'test' where removed_at is null",
  );
  [first, second] = [await newOperator('Jonas Weber'), await newOperator('Mila Horvat')];
});

async function newOperator(name: string, roles: readonly ('owner' | 'support' | 'trust')[] = ['owner']) {
  const person = await app.person({ name, email: `staff${++count}@nearhand.example` });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
}
const rolesNow = async ({ email }: Person) =>
  (await listOperators(app.db)).find((operator) => operator.email === email)?.roles ?? [];
const request = (by: Person, { email }: { email: string }, roles: ('owner' | 'support' | 'trust')[]) =>
  app.working(by).api.operators.requestChange({ email, roles, reason });
const decide = (by: Person, changeId: string, decision: 'approve' | 'refuse' = 'approve', note = '') =>
  by.api.operators.decideChange({ changeId, decision, note });
const mailsTo = ({ email }: Person) =>
  app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

describe('operators.requestChange', () => {
  it("requires another owner's approval for an appointment, and mails that owner", async () => {
    const person = await app.person({ name: 'Sven Berg' });
    const change = await request(first, { email: person.email.toUpperCase() }, ['trust', 'support']);
    expect(change).toMatchObject({
      account: { id: person.accountId, email: person.email },
      previousRoles: [],
      roles: ['support', 'trust'],
      state: 'waiting',
      requestedBy: { name: 'Jonas Weber' },
    });
    expect(await rolesNow(person)).toEqual([]);
    await app.runDue();
    expect(mailsTo(second)).toEqual(['Jonas Weber asks you to approve a change of operators']);
    expect(mailsTo(first)).toEqual([]);
    expect(await failure(request(second, person, ['owner']))).toMatchObject({
      status: 409,
      code: 'approval/waiting',
    });
  });

  it('allows only owners, for verified accounts, with changed roles', async () => {
    const support = await newOperator('Sven Berg', ['support']);
    expect(await failure(request(support, support, ['owner']))).toMatchObject({
      code: 'operator/role-required',
    });
    const unverified = await app.person({ verified: false });
    for (const email of ['nobody@nearhand.example', unverified.email])
      expect(await failure(request(first, { email }, ['support']))).toMatchObject({
        status: 422,
        code: 'operator/no-account',
      });
    expect(await failure(request(first, support, ['support']))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'roles' }] },
    });
    expect(
      await failure(first.api.operators.requestChange({ email: support.email, roles: [], reason: 'x' })),
    ).toMatchObject({ code: 'request/invalid', data: { issues: [{ path: 'reason' }] } });
  });

  it('requires another owner who can approve it', async () => {
    const refused = { status: 409, code: 'operator/second-owner-required' };
    // The change concerns the only other owner.
    expect(await failure(request(first, second, []))).toMatchObject(refused);
    await removeOperator(app.db, app, { email: second.email, by: 'test' });
    const person = await app.person();
    expect(await failure(request(first, person, ['support']))).toMatchObject(refused);
    expect(await failure(request(first, first, []))).toMatchObject({
      status: 409,
      code: 'operator/last-owner',
    });
  });
});

describe('operators.decideChange', () => {
  it('appoints with the requested roles, once, and mails both', async () => {
    const person = await app.person({ name: 'Sven Berg' });
    const { id } = await request(first, person, ['support']);
    expect(await failure(decide(first, id))).toMatchObject({ code: 'operator/own-decision' });
    const approved = await decide(second, id);
    expect(approved).toMatchObject({ state: 'approved', decidedBy: { name: 'Mila Horvat' } });
    expect(await decide(second, id)).toEqual(approved);
    expect(await rolesNow(person)).toEqual(['support']);
    expect(await person.api.operators.session()).toMatchObject({ roles: ['support'] });
    await app.runDue();
    expect(mailsTo(person)).toEqual(['Your roles as an operator of Nearhand changed']);
    expect(mailsTo(first)).toEqual(['Mila Horvat approved your change of operators']);
    expect(await failure(decide(second, id, 'refuse', 'No'))).toMatchObject({ code: 'approval/over' });
    const { items } = await first.api.operatorLog.search({ subjectId: id });
    expect(items).toMatchObject([
      { operator: { name: 'Mila Horvat' }, subjects: [{ kind: 'person', name: 'Sven Berg' }] },
      { operator: { name: 'Mila Horvat' } },
      { operator: { name: 'Mila Horvat' } },
      { operator: { name: 'Jonas Weber' } },
    ]);
    const requestCalls = await first.api.operatorLog.search({ operation: 'POST /operators/team/changes' });
    expect(requestCalls.items[0]?.reason).not.toBeNull();
  });

  it('removes an operator and signs them out everywhere', async () => {
    const support = await newOperator('Sven Berg', ['support']);
    expect((await support.api.operators.serviceMessages({})).items).toEqual([]);
    const { id } = await request(first, support, []);
    await decide(second, id);
    expect(await rolesNow(support)).toEqual([]);
    app.clock.forward({ minutes: 1 });
    expect(await failure(support.api.operators.serviceMessages({}))).toMatchObject({ status: 401 });
    expect(await failure(support.api.accounts.me())).toMatchObject({ status: 401 });
    await app.runDue();
    expect(mailsTo(support)).toEqual(["You're no longer an operator of Nearhand"]);
    expect(app.mails.find(({ to }) => to === support.email)?.text).not.toContain('/operator/team');
  });

  it('rejects with a note and changes nothing', async () => {
    const support = await newOperator('Sven Berg', ['support']);
    const { id } = await request(first, support, ['owner']);
    expect(await failure(decide(second, id, 'refuse'))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'note' }] },
    });
    const refused = await decide(second, id, 'refuse', 'Not yet');
    expect(refused).toMatchObject({ state: 'refused', note: 'Not yet' });
    expect(await rolesNow(support)).toEqual(['support']);
  });

  it('requires a third owner to decide about the second', async () => {
    const third = await newOperator('Ada Lind');
    const { id } = await request(first, second, ['support']);
    expect(await failure(decide(second, id))).toMatchObject({ code: 'operator/own-record' });
    expect(await decide(third, id)).toMatchObject({ state: 'approved' });
    expect(await rolesNow(second)).toEqual(['support']);
  });

  it('expires after three days, when roles changed since, or when the requester is no longer an owner', async () => {
    const third = await newOperator('Ada Lind');
    const support = await newOperator('Sven Berg', ['support']);
    const late = await request(first, support, ['trust']);
    app.clock.forward({ hours: 73 });
    expect(await failure(decide(second, late.id))).toMatchObject({ data: { state: 'expired' } });
    const changed = await request(first, support, ['trust']);
    await setOperatorRoles(app.db, app, { email: support.email, by: 'test', roles: ['finance'] });
    expect(await decide(second, changed.id)).toMatchObject({ state: 'withdrawn', decidedBy: null });
    const orphaned = await request(third, support, ['trust']);
    await setOperatorRoles(app.db, app, { email: third.email, by: 'test', roles: ['support'] });
    expect(await decide(second, orphaned.id)).toMatchObject({ state: 'withdrawn' });
    expect(await failure(decide(second, orphaned.id))).toMatchObject({ code: 'approval/over' });
    expect(await rolesNow(support)).toEqual(['finance']);
  });

  it('withdraws a change whose requesting owner is removed concurrently', async () => {
    const third = await newOperator('Ada Lind');
    const person = await app.person();
    const { id } = await request(first, person, ['owner']);
    // Another transaction holds the owners until the decision waits for them.
    const client = await app.pool.connect();
    await client.query('begin');
    await client.query("update operators set roles = '{support}' where account_id = $1", [first.accountId]);
    const decided = decide(third, id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query('commit');
    client.release();
    expect(await decided).toMatchObject({ state: 'withdrawn' });
    expect(await rolesNow(person)).toEqual([]);
  });

  it('keeps an owner when the last two leave concurrently', async () => {
    const firstRequest = await request(first, first, []);
    const secondRequest = await request(second, second, []);
    const outcomes = await Promise.allSettled([
      decide(second, firstRequest.id),
      decide(first, secondRequest.id),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([...(await rolesNow(first)), ...(await rolesNow(second))]).toEqual(['owner']);
    const remaining = (await rolesNow(first)).length > 0 ? first : second;
    expect(await removeOperator(app.db, app, { email: remaining.email, by: 'test' })).toBe('last-owner');
  });
});

describe('operators.withdrawChange', () => {
  it('allows only the owner who requested it', async () => {
    const person = await app.person();
    const { id: changeId } = await request(first, person, ['support']);
    expect(await failure(second.api.operators.withdrawChange({ changeId }))).toMatchObject({ status: 404 });
    const withdrawn = await first.api.operators.withdrawChange({ changeId });
    expect(withdrawn).toMatchObject({ state: 'withdrawn' });
    expect(await first.api.operators.withdrawChange({ changeId })).toEqual(withdrawn);
    expect(await failure(decide(second, changeId))).toMatchObject({ code: 'approval/over' });
  });
});

describe('operators.list', () => {
  it('lists operators and the latest changes, pending ones first', async () => {
    const person = await app.person({ name: 'Sven Berg' });
    const { id } = await request(first, person, ['support']);
    await decide(second, id, 'refuse', 'Not yet');
    await request(second, person, ['trust']);
    const { operators, changes } = await second.api.operators.list();
    expect(operators).toMatchObject([
      { email: first.email, name: 'Jonas Weber', roles: ['owner'], hasSecondFactor: false },
      { email: second.email },
    ]);
    expect(changes.slice(0, 1)).toMatchObject([{ state: 'waiting', roles: ['trust'] }]);
    const support = await newOperator('Ada Lind', ['support']);
    expect(await failure(support.api.operators.list())).toMatchObject({ code: 'operator/role-required' });
  });
});
