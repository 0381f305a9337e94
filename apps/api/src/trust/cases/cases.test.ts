import { caseKinds } from '@nearhand/contract/case-kinds';
import { minuteMs } from '@nearhand/contract/durations';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { appoint, makeOperator } from '../operators/operators.fixtures.ts';
import { removeOperator } from '../operators/operators.ts';
import { makeTicket } from '../tickets/tickets.fixtures.ts';
import { caseSources } from './case-sources.ts';
import { closedStatement } from './closed-cases.ts';
import { matchesText } from './typed-words.sql.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let operator: Person;
let second: Person;
let support: Person;
let businessId: string;
let missed: { kind: 'no_show'; subjectId: string };
let disputed: { kind: 'dispute'; subjectId: string };
let ticket: { kind: 'ticket'; subjectId: string };

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  operator = await app.person({ name: 'Jonas Weber' });
  second = await app.person({ name: 'Mila Horvat' });
  support = await app.person({ name: 'Sven Berg' });
  await makeOperator(app.db, app, operator);
  await makeOperator(app.db, app, second, ['trust']);
  await makeOperator(app.db, app, support, ['support']);
  [operator, second, support] = [app.working(operator), app.working(second), app.working(support)];
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
  const task = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the fence',
    payMinor: 12_000,
  });
  app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
  const reported = await nadia.api.engagements.reportNoShow({ engagementId: shift.id, version: 1 });
  const note = 'I was at the back door.';
  await leila.api.engagements.contest({ engagementId: shift.id, version: reported.version, note });
  missed = { kind: 'no_show', subjectId: shift.id };
  await leila.api.timesheets.deliver({ engagementId: task.id, version: 1, note: 'Done.' });
  const filed = await nadia.api.disputes.file({
    engagementId: task.id,
    version: 2,
    reason: 'Half is unpainted.',
    amountMinor: 4_000,
  });
  disputed = { kind: 'dispute', subjectId: filed.dispute?.id ?? '' };
  app.clock.forward({ days: 5 });
  await app.runDue();
  ticket = { kind: 'ticket', subjectId: (await makeTicket(app.db, app.scopeOf(leila))).id };
});

const keyOf = ({ kind, subjectId }: { kind: string; subjectId: string }) => `${kind} ${subjectId}`;
const keys = (items: readonly { kind: string; subjectId: string }[]) => items.map(keyOf);

describe('the sources of the queue', () => {
  it('match the kinds of the contract', () => {
    expect(caseSources.map(({ kind }) => kind).sort()).toEqual([...caseKinds].sort());
  });

  it('stay cheap with 5,000 open requests', async () => {
    const fill = app.pool.query(
      `insert into tickets (id, account_id, name, category, subject, page, refs, status, open_since, created_at, updated_at)
       select gen_random_uuid(), $1, 'Leila', 'other', 'Filler ' || n, '', '[]', 'open', $2::timestamptz + n * interval '1 s', $2, $2
       from generate_series(1, 5000) n`,
      [leila.accountId, app.clock.now()],
    );
    await fill;
    await app.pool.query('analyze tickets');
    const from = performance.now();
    const first = await support.api.cases.list({ limit: 100 });
    const next = await support.api.cases.list({ limit: 100, cursor: first.nextCursor ?? '' });
    expect(next.items).toHaveLength(100);
    expect(new Set([...keys(first.items), ...keys(next.items)]).size).toBe(200);
    expect(performance.now() - from).toBeLessThan(2_000);
    await app.pool.query(`delete from tickets where subject like 'Filler %'`);
  });
});

describe('cases.list', () => {
  it('lists open cases, most urgent first, then by deadline, without names', async () => {
    const { items, nextCursor } = await operator.api.cases.list({});
    expect(nextCursor).toBeNull();
    expect(keys(items)).toEqual([missed, disputed, ticket].map(keyOf));
    expect(items[0]).toMatchObject({
      title: 'Wash up',
      priority: 'high',
      business: { id: businessId },
      claimedBy: null,
      notes: 0,
    });
    expect(items[1]).toMatchObject({
      title: 'Paint the fence',
      tag: 'filed',
      openedAt: app.clock.now().toISOString(),
    });
    for (const { openedAt, deadline } of items)
      expect(Date.parse(deadline)).toBeGreaterThan(Date.parse(openedAt));
    expect(JSON.stringify(items)).not.toMatch(/Leila|Nadia|Haddad|Brandt/);
  });

  it('returns pages and filters', async () => {
    const first = await operator.api.cases.list({ limit: 1 });
    expect(keys(first.items)).toEqual([keyOf(missed)]);
    const rest = await operator.api.cases.list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect(keys(rest.items)).toEqual([disputed, ticket].map(keyOf));
    expect(keys((await operator.api.cases.list({ kind: 'ticket' })).items)).toEqual([keyOf(ticket)]);
    expect(keys((await operator.api.cases.list({ overdue: 'true' })).items)).toEqual([keyOf(missed)]);
    expect((await operator.api.cases.list({ mine: 'true' })).items).toEqual([]);
    for (const cursor of ['x', '', 'WyIyMDI2Il0', 'WzEuNSwiMjAyNi0xMS0yMVQwOTowMDowMFoiLCJ4Il0'])
      expect(await failure(operator.api.cases.list({ cursor }))).toMatchObject({
        status: 400,
        code: 'request/bad-cursor',
      });
    for (const limit of [0, 101, 1.5])
      expect(await failure(operator.api.cases.list({ limit }))).toMatchObject({ status: 400 });
  });

  it('finds cases by number, id, title and business', async () => {
    const search = async (text: string, { api } = operator) => keys((await api.cases.list({ text })).items);
    const { name } = await nadia.api.businesses.get({ businessId });
    const number = caseNumber(ticket);
    for (const text of [number, number.toLowerCase(), `No. ${number}`, `#${number}`, ticket.subjectId])
      expect(await search(text), text).toEqual([keyOf(ticket)]);
    expect(await search('paint THE')).toEqual([keyOf(disputed)]);
    for (const text of [name.slice(0, 6), businessId])
      expect(await search(text)).toEqual([missed, disputed].map(keyOf));
    expect(await search(leila.accountId)).toEqual([missed, disputed, ticket].map(keyOf));
    expect(await search(number, second)).toEqual([]);
    for (const text of ['%', '000000', 'a_b']) expect(await search(text)).toEqual([]);
    expect(await failure(operator.api.cases.list({ text: 'x'.repeat(201) }))).toMatchObject({ status: 400 });
  });

  it('finds cases by their people and businesses, in any order, with typing errors, and by their address', async () => {
    const search = async (text: string) => keys((await operator.api.cases.list({ text })).items);
    for (const text of [
      'Leila',
      leila.email,
      `https://nearhand.example/operator/cases/ticket/${ticket.subjectId}`,
    ])
      expect(await search(text), text).toContain(keyOf(ticket));
    for (const text of ['fence paint', 'paint teh fence', 'Piant', nadia.email])
      expect(await search(text), text).toContain(keyOf(disputed));
    expect(await search('Xq Zzyzx')).toEqual([]);
    const isSimilar = async (text: string) => (await operator.api.cases.list({ text })).similar;
    expect([await isSimilar('Piant'), await isSimilar('paint fence')]).toEqual([true, undefined]);
  });

  it('finds cases by indexes of people, businesses, requests and closed titles', async () => {
    for (const text of ['yusuf demir', 'leila@example.org', 'A1B2C3', '06 4412 9073', leila.accountId])
      for (const isSimilar of [false, true])
        await app.db.transaction().execute(async (tx) => {
          await sql`set local enable_seqscan = off`.execute(tx);
          const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from closed_cases closed
            where ${matchesText('closed', text, isSimilar)}`.execute(tx);
          const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
          expect(plan, text).not.toMatch(/Seq Scan on/);
        });
  });

  it('allows only operators, for the kinds of their roles, and omits their own', async () => {
    expect(await failure(app.apiAs(null).cases.list({}))).toMatchObject({ status: 401 });
    for (const person of [leila, nadia])
      expect(await failure(person.api.cases.list({}))).toMatchObject({
        status: 403,
        code: 'operator/required',
      });
    expect(keys((await support.api.cases.list({})).items)).toEqual([keyOf(ticket)]);
    expect(keys((await second.api.cases.list({})).items)).toEqual([missed, disputed].map(keyOf));
    const member = await app.person();
    await makeMember(app.db, app.clock, businessId, member.accountId, 'finance');
    await makeOperator(app.db, app, member);
    expect(keys((await member.api.cases.list({})).items)).toEqual([keyOf(ticket)]);
    expect(await failure(member.api.cases.claim(missed))).toMatchObject({ code: 'operator/own-record' });
  });
});

describe('cases.counts', () => {
  it("counts the kinds of the caller's roles", async () => {
    const counts = await second.api.cases.counts();
    expect(counts.find(({ kind }) => kind === 'no_show')).toMatchObject({
      open: 1,
      unclaimed: 1,
      overdue: 1,
      mine: 0,
    });
    expect(counts.find(({ kind }) => kind === 'chat_report')).toMatchObject({ open: 0, oldestAt: null });
    expect(counts.some(({ kind }) => kind === 'ticket')).toBe(false);
  });
});

describe('cases.colleagues', () => {
  it('lists operators with their roles', async () => {
    expect(await support.api.cases.colleagues()).toContainEqual({
      id: second.accountId,
      name: 'Mila Horvat',
      roles: ['trust'],
      hasSecondFactor: false,
    });
  });
});

describe('cases.get', () => {
  it('returns the facts of a dispute and of a no-show, and what each amount would do', async () => {
    const { facts } = await operator.api.cases.get(disputed);
    if (facts.kind !== 'dispute') throw new Error(facts.kind);
    expect(facts).toMatchObject({
      engagementStatus: 'disputed',
      jobKind: 'task',
      reason: 'Half is unpainted.',
      startsAt: null,
      proposal: null,

      workerAmountMinor: 12_000,
      businessAmountMinor: 4_000,
      minMinor: 0,
      maxMinor: 12_000,
      currency: 'EUR',
      worker: { id: leila.accountId, name: 'Leila Haddad' },
    });
    expect(facts.heldMinor).toBeGreaterThan(12_000);
    expect(facts.steps.map(({ action }) => action)).toEqual(['book', 'deliver', 'file', 'escalate']);
    expect(facts.steps.find(({ action }) => action === 'file')).toMatchObject({
      amountMinor: 4_000,
      by: 'business',
    });
    expect(facts.deliveries).toMatchObject([{ note: 'Done.' }]);
    expect(facts.effects).toMatchObject([
      { amountMinor: 0, workerGetsMinor: 0, backMinor: facts.heldMinor },
      { amountMinor: 4_000, workerGetsMinor: 4_000, feeMinor: 400, backMinor: facts.heldMinor - 4_400 },
      { amountMinor: 12_000, workerGetsMinor: 12_000, feeMinor: 1_200, backMinor: 0, missingMinor: 0 },
    ]);
    const { facts: absence } = await operator.api.cases.get(missed);
    expect(absence).toMatchObject({
      kind: 'no_show',
      engagementId: missed.subjectId,
      engagementStatus: 'contested',
      stopAt: null,

      reason: 'I was at the back door.',
      plannedMinor: 13_125,
      minMinor: 1,
      maxMinor: 13_125,
      funding: 'funded',
    });
  });

  it('requires the role and an open case, and rejects participants', async () => {
    expect(await failure(support.api.cases.get(missed))).toMatchObject({
      status: 404,
      code: 'case/not-found',
    });
    const subjectId = crypto.randomUUID();
    for (const kind of caseKinds)
      expect(await failure(operator.api.cases.get({ kind, subjectId }))).toMatchObject({
        code: 'case/not-found',
      });
    await makeOperator(app.db, app, leila);
    const { api } = app.working(leila);
    // Started one after the other, because an unawaited rejection fails the run.
    const calls = [() => api.cases.get(disputed), () => api.cases.note({ ...disputed, body: 'Mine' })];
    for (const call of calls)
      expect(await failure(call())).toMatchObject({ status: 403, code: 'operator/own-record' });
    const own = (await api.cases.counts()).find(({ kind }) => kind === 'no_show');
    expect(own).toMatchObject({ open: 0, forOthers: 0 });
    await app.db.deleteFrom('operators').where('accountId', '=', leila.accountId).execute();
  });
});

describe('cases.preview', () => {
  it('returns what a total would do, within the bounds', async () => {
    const preview = (amountMinor: number) => operator.api.cases.preview({ ...disputed, amountMinor });
    expect(await preview(8_250)).toMatchObject({ workerGetsMinor: 8_250, feeMinor: 825, currency: 'EUR' });
    expect(await failure(preview(12_001))).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
      data: { minMinor: 0, maxMinor: 12_000 },
    });
    const absent = await operator.api.cases.preview({ ...missed, amountMinor: 0 });
    expect(absent).toMatchObject({ workerGetsMinor: 0, feeMinor: 0 });
    expect(absent.backMinor).toBeGreaterThan(13_125);
    expect(await failure(operator.api.cases.preview({ ...missed, amountMinor: 13_126 }))).toMatchObject({
      code: 'dispute/amount-impossible',
    });
    expect(await failure(preview(-1))).toMatchObject({ status: 400 });
  });
});

describe('cases.viewers', () => {
  it('names the others who look at a case, until they leave it', async () => {
    const viewers = async (who: Person, caseRef: typeof disputed | typeof missed = disputed) =>
      (await who.api.cases.viewers(caseRef)).map(({ name }) => name);
    expect(await viewers(operator)).toEqual([]);
    expect(await viewers(second)).toEqual(['Jonas Weber']);
    expect(await viewers(operator)).toEqual(['Mila Horvat']);
    expect(await viewers(second, missed)).toEqual([]);
    expect(await viewers(operator)).toEqual([]);
    await viewers(second);
    app.clock.forward({ minutes: 1 });
    expect(await viewers(operator)).toEqual([]);
    expect(await failure(support.api.cases.viewers(disputed))).toMatchObject({ code: 'case/not-found' });
  });
});

describe('cases.claim', () => {
  it('goes to one of many concurrent callers, and again to the same one', async () => {
    const tries = await Promise.allSettled(
      [operator, second, operator, second].map(({ api }) => api.cases.claim(disputed)),
    );
    const won = tries.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.claimedBy?.id] : [],
    );
    expect(won.length).toBe(2);
    expect(new Set(won).size).toBe(1);
    const loser = won[0] === operator.accountId ? second : operator;
    const winner = loser === operator ? second : operator;
    expect(await failure(loser.api.cases.claim(disputed))).toMatchObject({
      status: 409,
      code: 'case/claimed',
      data: { by: winner === operator ? 'Jonas Weber' : 'Mila Horvat' },
    });
    const mine = await winner.api.cases.list({ mine: 'true' });
    expect(mine.items).toMatchObject([{ ...disputed, claimedAt: app.clock.now().toISOString() }]);
    expect(keys((await loser.api.cases.list({ unclaimed: 'true' })).items)).not.toContain(keyOf(disputed));
    await winner.api.cases.release(disputed);
  });

  it('ends with the operator’s appointment', async () => {
    const third = await app.person({ name: 'Tom Reiter' });
    await makeOperator(app.db, app, third, ['trust']);
    await third.api.cases.claim(missed);
    await removeOperator(app.db, app, { email: third.email, by: 'test' });
    expect((await second.api.cases.list({ kind: 'no_show' })).items).toMatchObject([{ claimedBy: null }]);
    expect(await second.api.cases.claim(missed)).toMatchObject({ claimedBy: { id: second.accountId } });
    await second.api.cases.release(missed);
  });
});

describe('cases.release', () => {
  it('allows only the operator who has it, or an owner', async () => {
    await second.api.cases.claim(missed);
    const trust = await app.person();
    await makeOperator(app.db, app, trust, ['trust']);
    expect(await failure(trust.api.cases.release(missed))).toMatchObject({
      status: 403,
      code: 'case/claim-required',
    });
    expect(await operator.api.cases.release(missed)).toMatchObject({ claimedBy: null, claimedAt: null });
    expect(await trust.api.cases.release(missed)).toMatchObject({ claimedBy: null });
  });
});

describe('cases.handOver', () => {
  it("passes the claim with a note to someone with the role who isn't involved", async () => {
    await second.api.cases.claim(missed);
    const to = { ...missed, toAccountId: operator.accountId, note: 'You know this place.' };
    for (const toAccountId of [support.accountId, leila.accountId, crypto.randomUUID()])
      expect(await failure(second.api.cases.handOver({ ...to, toAccountId }))).toMatchObject({
        status: 422,
        code: 'case/no-such-operator',
      });
    expect(await failure(second.api.cases.handOver({ ...to, note: ' ' }))).toMatchObject({ status: 400 });
    expect(await second.api.cases.handOver(to)).toMatchObject({ claimedBy: { id: operator.accountId } });
    expect(await failure(second.api.cases.handOver(to))).toMatchObject({ code: 'case/claim-required' });
    const { entries } = await operator.api.cases.get(missed);
    expect(entries[0]).toMatchObject({
      what: 'hand-over',
      body: 'You know this place.',
      by: { id: second.accountId },
      to: { id: operator.accountId, name: 'Jonas Weber' },
    });
    await operator.api.cases.release(missed);
  });
});

describe('cases.note', () => {
  it('is visible to other operators, newest first', async () => {
    expect(await second.api.cases.note({ ...disputed, body: 'Asked for photos.' })).toMatchObject({
      what: 'note',
    });
    app.clock.forward({ minutes: 1 });
    await operator.api.cases.note({ ...disputed, body: 'Photos arrived.' });
    const { entries, item } = await operator.api.cases.get(disputed);
    expect(entries.filter(({ what }) => what === 'note').map(({ body }) => body)).toEqual([
      'Photos arrived.',
      'Asked for photos.',
    ]);
    expect(item.notes).toBe(2);
    for (const body of ['', 'x'.repeat(2_001)])
      expect(await failure(second.api.cases.note({ ...disputed, body }))).toMatchObject({ status: 400 });
  });
});

describe('cases.setPriority', () => {
  it('moves a case in the queue', async () => {
    expect(await operator.api.cases.setPriority({ ...ticket, priority: 'urgent' })).toMatchObject({
      priority: 'urgent',
    });
    expect(keys((await operator.api.cases.list({})).items)[0]).toBe(keyOf(ticket));
    await operator.api.cases.setPriority({ ...ticket, priority: 'normal' });
    expect(keys((await operator.api.cases.list({})).items).at(-1)).toBe(keyOf(ticket));
  });
});

describe('the lists of the desk', () => {
  it('shows open and waiting cases together, by operator and by language', async () => {
    await leila.api.accountSettings.update({ language: 'nl' });
    const all = await operator.api.cases.list({ all: 'true', kind: 'ticket' });
    expect(all.items.find(({ subjectId }) => subjectId === ticket.subjectId)?.language).toBe('nl');
    const dutch = await operator.api.cases.list({ language: 'nl', limit: 100 });
    expect(keys(dutch.items)).toContain(keyOf(ticket));
    const french = await operator.api.cases.list({ language: 'fr', limit: 100 });
    expect(french.items).toEqual([]);
    const { id: subjectId } = await makeTicket(app.db, app.scopeOf(leila));
    await support.api.cases.claim({ kind: 'ticket', subjectId });
    const theirs = await operator.api.cases.list({ claimedBy: support.accountId, limit: 100 });
    expect(keys(theirs.items)).toContain(`ticket ${subjectId}`);
    expect(theirs.items.every(({ claimedBy }) => claimedBy?.id === support.accountId)).toBe(true);
    await support.api.operators.answerTicket({ ticketId: subjectId, body: 'It arrives today.' });
    const decided = { decidedBy: support.accountId, waiting: 'true' } as const;
    expect(keys((await operator.api.cases.closed(decided)).items)).toContain(`ticket ${subjectId}`);
    expect((await operator.api.cases.closed({ decidedBy: second.accountId })).items).toEqual([]);
  });

  it('read the closed cases of an operator by their index, not those of everyone', async () => {
    const filter = { text: null, isSimilar: false, decidedBy: operator.accountId, waiting: false };
    const reader = { accountId: operator.accountId, kinds: caseKinds };
    const statement = closedStatement(reader, filter, { after: null, limit: 21 });
    const plan = await app.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/closed_cases_decider/);
    expect(plan).not.toMatch(/closed_cases_newest/);
  });
});

describe('cases.figures', () => {
  it('counts overdue, due today, and decided too late this week', async () => {
    const timeZone = 'Europe/Amsterdam';
    const before = await support.api.cases.figures({ timeZone });
    const subjects = await Promise.all([1, 2].map(() => makeTicket(app.db, app.scopeOf(leila))));
    app.clock.forward({ hours: 25 });
    const late = await support.api.cases.figures({ timeZone });
    expect(late.overdue).toBe(before.open + 2);
    const [first, other] = subjects.map(({ id }) => ({ kind: 'ticket' as const, subjectId: id }));
    for (const subject of [first, other])
      await support.api.cases.claim(subject ?? { kind: 'ticket', subjectId: '' });
    await support.api.operators.solveTicket({ ticketId: first?.subjectId ?? '' });
    const after = await support.api.cases.figures({ timeZone });
    expect(after.overdue).toBe(late.overdue - 1);
    // A late decision is a breach, just like a missing one.
    expect(after.breachedThisWeek).toBe(late.breachedThisWeek);
    expect(after.decidedThisWeek - after.inTimeThisWeek).toBeGreaterThanOrEqual(1);
    expect(await failure(support.api.cases.figures({ timeZone: 'Mars/Base' }))).toMatchObject({
      status: 400,
    });
  });
});

describe('cases.saveAssignment', () => {
  it("puts unclaimed cases into their operator's list, by the most specific rule", async () => {
    const { id: subjectId } = await makeTicket(app.db, app.scopeOf(leila));
    const assignee = async () => {
      const { items } = await operator.api.cases.list({ kind: 'ticket', limit: 100 });
      return items.find((item) => item.subjectId === subjectId)?.assignedTo?.id ?? null;
    };
    const mine = async ({ api }: Person) =>
      (await api.cases.list({ mine: 'true', limit: 100 })).items.some((item) => item.subjectId === subjectId);
    expect(await assignee()).toBeNull();
    const dutch = { language: 'nl', accountId: support.accountId } as const;
    const byLanguage = await operator.api.cases.saveAssignment(dutch);
    expect(byLanguage).toMatchObject({ kind: null, language: 'nl', operator: { name: 'Sven Berg' } });
    expect([await assignee(), await mine(support)]).toEqual([support.accountId, true]);
    const before = (await support.api.cases.counts()).find(({ kind }) => kind === 'ticket')?.mine ?? 0;
    const byKind = await operator.api.cases.saveAssignment({ kind: 'ticket', accountId: operator.accountId });
    expect([await assignee(), await mine(support)]).toEqual([operator.accountId, false]);
    const after = (await support.api.cases.counts()).find(({ kind }) => kind === 'ticket')?.mine ?? 0;
    expect(after).toBeLessThan(before);
    const replaced = await operator.api.cases.saveAssignment({
      kind: 'ticket',
      accountId: support.accountId,
    });
    expect(await operator.api.cases.assignments()).toEqual([replaced, byLanguage]);
    expect(replaced.id).toBe(byKind.id);
    await operator.api.cases.claim({ kind: 'ticket', subjectId });
    expect([await assignee(), await mine(support), await mine(operator)]).toEqual([null, false, true]);
    for (const { id: assignmentId } of [byLanguage, replaced])
      expect(await operator.api.cases.removeAssignment({ assignmentId })).toEqual({ removed: 1 });
  });

  it("assigns no case that the operator can't decide or is involved in", async () => {
    const assignee = async (subject: { kind: 'ticket' | 'no_show'; subjectId: string }) => {
      const { items } = await operator.api.cases.list({ kind: subject.kind, limit: 100 });
      return items.find(({ subjectId }) => subjectId === subject.subjectId)?.assignedTo?.id ?? null;
    };
    const language = { language: 'nl', accountId: support.accountId } as const;
    const { id: assignmentId } = await operator.api.cases.saveAssignment(language);
    expect([await assignee(ticket), await assignee(missed)]).toEqual([support.accountId, null]);
    const ownTicket = await makeTicket(app.db, app.scopeOf(support));
    expect(await assignee({ kind: 'ticket', subjectId: ownTicket.id })).toBeNull();
    await operator.api.cases.removeAssignment({ assignmentId });
  });

  it('ends with the appointment of its operator', async () => {
    const person = await app.person();
    await appoint(app.db, app, person, ['support']);
    await operator.api.cases.saveAssignment({ language: 'ar', accountId: person.accountId });
    await removeOperator(app.db, app, { email: person.email, by: 'test' });
    app.clock.forward({ minutes: 1 });
    await appoint(app.db, app, person, ['support']);
    expect(await operator.api.cases.assignments()).toEqual([]);
    const renewed = await operator.api.cases.saveAssignment({ language: 'ar', accountId: person.accountId });
    expect(await operator.api.cases.assignments()).toEqual([renewed]);
    await operator.api.cases.removeAssignment({ assignmentId: renewed.id });
  });

  it('requires an owner, and an operator with the role, a kind or a language', async () => {
    const save = (by: Person, input: { kind?: 'ticket' | 'appeal'; accountId: string }) =>
      failure(by.api.cases.saveAssignment(input));
    expect(await save(operator, { kind: 'appeal', accountId: support.accountId })).toMatchObject({
      code: 'case/no-such-operator',
    });
    expect(await save(operator, { kind: 'ticket', accountId: leila.accountId })).toMatchObject({
      code: 'case/no-such-operator',
    });
    expect(await save(operator, { accountId: support.accountId })).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'kind' }] },
    });
    expect(await save(second, { kind: 'ticket', accountId: support.accountId })).toMatchObject({
      code: 'operator/role-required',
    });
  });
});

describe('cases.assignments', () => {
  it('returns them to every operator', async () => {
    expect(await second.api.cases.assignments()).toEqual([]);
  });
});

describe('cases.removeAssignment', () => {
  it('removes nothing the second time', async () => {
    const { id: assignmentId } = await operator.api.cases.saveAssignment({
      language: 'ar',
      accountId: second.accountId,
    });
    expect(await operator.api.cases.removeAssignment({ assignmentId })).toEqual({ removed: 1 });
    expect(await operator.api.cases.removeAssignment({ assignmentId })).toEqual({ removed: 0 });
  });
});

describe('cases.saveView', () => {
  it('saves filters under a name, per operator, up to a limit', async () => {
    const filters = { show: 'team', kind: 'no_show', language: 'nl', claimedBy: 'nobody' } as const;
    const saved = await operator.api.cases.saveView({ name: 'No-shows in Dutch', filters });
    const again = await operator.api.cases.saveView({ name: 'no-shows in dutch', filters: { show: 'all' } });
    expect(await operator.api.cases.views()).toEqual([again]);
    expect(again).toEqual({ id: saved.id, name: 'no-shows in dutch', filters: { show: 'all' } });
    for (let n = 1; n < 20; n += 1)
      await operator.api.cases.saveView({ name: `View ${n}`, filters: { show: 'mine' } });
    expect(
      await failure(operator.api.cases.saveView({ name: 'One more', filters: { show: 'mine' } })),
    ).toMatchObject({
      status: 409,
      code: 'case/too-many-views',
    });
    expect(await failure(operator.api.cases.saveView({ name: '', filters }))).toMatchObject({ status: 400 });
  });
});

describe('cases.views', () => {
  it("returns the caller's only", async () => {
    expect(await operator.api.cases.views()).toHaveLength(20);
    expect(await second.api.cases.views()).toEqual([]);
  });
});

describe('cases.removeView', () => {
  it('removes only the caller’s own', async () => {
    const views = await operator.api.cases.views();
    expect(await second.api.cases.removeView({ viewId: views[0]?.id ?? '' })).toEqual({ removed: 0 });
    for (const { id } of views)
      expect(await operator.api.cases.removeView({ viewId: id })).toEqual({ removed: 1 });
    expect(await operator.api.cases.views()).toEqual([]);
  });
});

describe('handing a case over', () => {
  it('mails the new operator without details, and shows who handed it over', async () => {
    const { id: subjectId } = await makeTicket(app.db, app.scopeOf(leila), {
      subject: 'Secret pay',
    });
    await operator.api.cases.claim({ kind: 'ticket', subjectId });
    await operator.api.cases.handOver({
      kind: 'ticket',
      subjectId,
      toAccountId: support.accountId,
      note: 'Leila waits since Monday.',
    });
    await app.runDue();
    const mail = app.mails.find(({ to }) => to === support.email);
    expect(mail?.subject).toBe('Jonas Weber handed you a case');
    expect(mail?.text).toContain(`/operator/cases/ticket/${subjectId}`);
    expect(mail?.text).not.toMatch(/Leila|Monday|Secret/);
    const { items } = await support.api.cases.list({ mine: 'true', limit: 100 });
    expect(items.find((item) => item.subjectId === subjectId)?.handedBy).toBe('Jonas Weber');
    await support.api.cases.release({ kind: 'ticket', subjectId });
    app.clock.forward({ minutes: 1 });
    await support.api.cases.claim({ kind: 'ticket', subjectId });
    const own = await support.api.cases.list({ mine: 'true', limit: 100 });
    expect(own.items.find((item) => item.subjectId === subjectId)?.handedBy).toBeNull();
  });
});

describe('the record of a decided dispute', () => {
  it('has the pay that was set, and who got what', async () => {
    const { facts } = await operator.api.cases.get(disputed);
    if (facts.kind !== 'dispute') throw new Error(facts.kind);
    await app.working(operator).api.disputes.decide({
      disputeId: disputed.subjectId,
      version: facts.version,
      amountMinor: 8_000,
      note: 'Two thirds are painted.',
    });
    expect((await operator.api.cases.decided(disputed)).item).toMatchObject({
      decision: 'decide',
      terms: {
        pay: {
          amountMinor: 8_000,
          workerGetsMinor: 8_000,
          feeMinor: 800,
          backMinor: facts.heldMinor - 8_800,
        },
        rule: null,
      },
    });
  });
});

describe('a case that ended without an operator', () => {
  it('has a page with what ended it, for those with the role who are not involved', async () => {
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const task = await makeEngagement(app.db, sides, businessId, { kind: 'task', title: 'Mow the lawn' });
    await leila.api.timesheets.deliver({ engagementId: task.id, version: 1, note: 'Done.' });
    const filed = await nadia.api.disputes.file({
      engagementId: task.id,
      version: 2,
      reason: 'One side is long.',
      amountMinor: 4_000,
    });
    const caseRef = { kind: 'dispute', subjectId: filed.dispute?.id ?? '' } as const;
    const notFound = { status: 404, code: 'case/not-found' };
    for (const days of [5, 30]) {
      expect(await failure(operator.api.cases.decided(caseRef))).toMatchObject(notFound);
      app.clock.forward({ days });
      await app.runDue();
    }
    expect(await operator.api.cases.decided(caseRef)).toMatchObject({
      item: { title: 'Mow the lawn', decision: 'stop', by: null, business: { id: businessId } },
      ended: { amount: { currency: 'EUR' }, record: { kind: 'engagement', id: task.id } },
      facts: null,
    });
    const listed = async ({ api }: Person, text?: string) =>
      (await api.cases.closed({ kind: 'dispute', text })).items.filter(
        ({ subjectId }) => subjectId === caseRef.subjectId,
      );
    const ending = { title: 'Mow the lawn', decision: 'stop', by: null };
    for (const text of [undefined, 'mow']) expect(await listed(operator, text)).toMatchObject([ending]);
    expect(await listed(operator, 'paint')).toEqual([]);
    const ownDecisions = { kind: 'dispute', decidedBy: operator.accountId } as const;
    expect((await operator.api.cases.closed(ownDecisions)).items).not.toContainEqual(
      expect.objectContaining(ending),
    );
    expect(await failure(support.api.cases.decided(caseRef))).toMatchObject(notFound);
    await makeMember(app.db, app.clock, businessId, second.accountId);
    expect(await failure(second.api.cases.decided(caseRef))).toMatchObject(notFound);
    expect(await listed(second)).toEqual([]);
    for (const kind of caseKinds)
      expect(
        await failure(operator.api.cases.decided({ kind, subjectId: crypto.randomUUID() })),
        kind,
      ).toMatchObject(notFound);
  });

  it('can be a request that its author closed before an answer, not one that was answered', async () => {
    const { id: unanswered } = await makeTicket(app.db, app.scopeOf(leila));
    const { id: answered } = await makeTicket(app.db, app.scopeOf(leila));
    await support.api.operators.answerTicket({ ticketId: answered, body: 'It clears on Friday.' });
    for (const ticketId of [unanswered, answered]) await leila.api.tickets.solve({ ticketId });
    const { items } = await support.api.cases.closed({ kind: 'ticket', limit: 100 });
    const endingOf = (subjectId: string) =>
      items.filter((item) => item.subjectId === subjectId).map(({ decision }) => decision);
    expect([endingOf(unanswered), endingOf(answered)]).toEqual([['author'], ['answer']]);
    const { item } = await support.api.cases.decided({ kind: 'ticket', subjectId: unanswered });
    expect(item).toMatchObject({ decision: 'author', by: null });
  });

  it('of a second operator and of corrections are each for their own role', async () => {
    const approval = async (kind: 'correction' | 'no_show') => {
      const at = app.clock.now();
      const id = crypto.randomUUID();
      await app.db
        .insertInto('second_approvals')
        .values({
          id,
          kind,
          subjectId: crypto.randomUUID(),
          decision: {},
          reason: 'Twice paid.',
          accountIds: [],
          requestedBy: operator.accountId,
          state: 'expired',
          decidedAt: at,
          amountMinor: 90_000,
          currency: 'EUR',
          requestedAt: at,
          expiresAt: at,
        })
        .execute();
      return id;
    };
    const [correction, noShow] = [await approval('correction'), await approval('no_show')];
    const titleOf = async (kind: 'correction' | 'second_approval', subjectId: string) =>
      (await operator.api.cases.decided({ kind, subjectId })).item.title;
    expect(await titleOf('correction', correction)).toBe('Reverse a payment');
    expect(await titleOf('second_approval', noShow)).toBe('Contested no-show');
    const { items } = await operator.api.cases.closed({ limit: 100 });
    for (const [kind, subjectId] of [
      ['correction', correction],
      ['second_approval', noShow],
    ])
      expect(items).toContainEqual(
        expect.objectContaining({ kind, subjectId, decision: 'expired', by: null }),
      );
    const notFound = { status: 404, code: 'case/not-found' };
    expect(
      await failure(second.api.cases.decided({ kind: 'second_approval', subjectId: correction })),
    ).toMatchObject(notFound);
    expect(
      await failure(operator.api.cases.decided({ kind: 'correction', subjectId: noShow })),
    ).toMatchObject(notFound);
  });
});
