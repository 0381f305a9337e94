import {
  type CustomerKind,
  customerKinds,
  type TimelineGroup,
  timelineGroups,
  timelineKinds,
  timelineTable,
} from '@nearhand/contract/trust/staff-search.rules';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReport } from '../reports/reports.fixtures.ts';
import { makeTicket } from '../tickets/tickets.fixtures.ts';
import { timelineStatement } from './timeline.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let owner: Person;
let businessId: string;
let engagementId: string;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leïla Haddad' });
  owner = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, owner);
  owner = app.working(owner);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  ({ id: engagementId } = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the old fence',
    payMinor: 12_000,
  }));
  app.clock.forward({ minutes: 1 });
  const { version } = await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.timesheets.approve({ engagementId, version });
  app.clock.forward({ minutes: 1 });
  await makeTicket(app.db, app.scopeOf(leila), { subject: 'My hours were cut' });
  app.clock.forward({ minutes: 1 });
  await makeReport(app.db, app.scopeOf(leila), businessId, { kind: 'business' });
  app.clock.forward({ minutes: 1 });
  await makeReport(app.db, app.scopeOf(nadia), leila.accountId, {
    kind: 'worker',
    reason: 'harassment',
    note: 'Nadia wrote this.',
  });
  app.clock.forward({ minutes: 1 });
  await owner.api.sanctions.impose({
    measure: 'warning',
    rule: 'respect',
    facts: 'Insulted two people.',
    target: { kind: 'account', id: leila.accountId },
  });
});

const timeline = async (id: string, group?: TimelineGroup, kind: CustomerKind = 'person') =>
  (await owner.api.staffSearch.timeline({ kind, id, limit: 100, group: group || undefined })).items;

describe('staffSearch.timeline', () => {
  it('shows cases, reports, decisions, work, money and the account, newest first', async () => {
    const events = await timeline(leila.accountId);
    expect(events.map(({ at }) => at)).toEqual(
      events
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    const byKind = new Map(events.map((event) => [event.kind, event]));
    expect(byKind.get('ticket')).toMatchObject({ title: 'My hours were cut', status: 'open' });
    expect(byKind.get('report-made')).toMatchObject({ code: 'scam', business: { id: businessId } });
    expect(byKind.get('report-about')).toMatchObject({ code: 'harassment', status: 'open' });
    expect(byKind.get('sanction')).toMatchObject({ code: 'warning', by: 'Jonas Weber', status: 'in-force' });
    expect(byKind.get('work')).toMatchObject({ title: 'Paint the old fence', status: 'completed' });
    expect(byKind.get('payment')).toMatchObject({ code: 'release', title: 'Paint the old fence' });
    expect(byKind.get('payment')?.amountMinor).toBeGreaterThan(0);
    expect(byKind.get('account-created')).toMatchObject({ title: leila.email, status: 'verified' });
  });

  it('shows the decision about a document once, as a check', async () => {
    const closed = {
      kind: 'identity' as const,
      subjectId: crypto.randomUUID(),
      title: 'Identity document',
      accountIds: [leila.accountId],
      openedAt: app.clock.now(),
      decision: 'refused',
      reason: 'It has expired.',
      decidedBy: owner.accountId,
      decidedAt: app.clock.now(),
    };
    await app.db
      .insertInto('closed_cases')
      .values({ id: crypto.randomUUID(), ...closed })
      .execute();
    await app.db
      .insertInto('closed_cases')
      .values({ id: crypto.randomUUID(), ...closed, kind: 'ticket' })
      .execute();
    const decided = (await timeline(leila.accountId)).filter(({ kind }) => kind === 'case-decided');
    expect(decided.map((event) => event.case?.kind)).toEqual(['ticket']);
  });

  it('shows that someone was reported, but not by whom or in which words', async () => {
    const text = JSON.stringify(
      (await timeline(leila.accountId)).filter(({ kind }) => kind === 'report-about'),
    );
    expect(text).not.toMatch(/Nadia|wrote this/);
  });

  it('shows the moves of a person’s businesses and reports about these', async () => {
    await owner.api.sanctions.impose({
      measure: 'warning',
      rule: 'respect',
      facts: 'Late again.',
      target: { kind: 'business', id: businessId },
    });
    const events = await timeline(nadia.accountId);
    for (const kind of ['business-move', 'report-about', 'report-made', 'sanction'] as const)
      expect(
        events.find((event) => event.kind === kind && event.business?.id === businessId)?.kind ?? null,
      ).toBe(kind === 'report-made' ? null : kind);
  });

  it('filters by group and pages without gaps or repeats', async () => {
    const all = await timeline(leila.accountId);
    const groups = await Promise.all(timelineGroups.map((group) => timeline(leila.accountId, group)));
    groups.forEach((events, index) => {
      for (const { kind } of events) expect(timelineTable[kind]).toBe(timelineGroups[index]);
    });
    expect(groups.flat()).toHaveLength(all.length);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof owner.api.staffSearch.timeline>> =
        await owner.api.staffSearch.timeline({
          kind: 'person',
          id: leila.accountId,
          limit: 2,
          cursor: cursor ?? undefined,
        });
      paged.push(...page.items.map(({ kind, id }) => `${kind} ${id}`));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(all.map(({ kind, id }) => `${kind} ${id}`));
  });

  it('is logged with the reason, and rejects a missing reason, oneself and non-operators', async () => {
    await timeline(leila.accountId);
    const { rows } = await app.pool.query('select * from operator_log order by no desc limit 1');
    expect(rows[0]).toMatchObject({
      account_id: owner.accountId,
      operation: 'GET /operators/search/{kind}/{id}/timeline',
      subject_ids: [leila.accountId],
    });
    expect(rows[0].reason).not.toBeNull();
    const input = { kind: 'person' as const, id: leila.accountId };
    expect(await failure(app.apiAs(owner.token).staffSearch.timeline(input))).toMatchObject({
      status: 403,
      code: 'operator/reason-required',
    });
    expect(await failure(leila.api.staffSearch.timeline(input))).toMatchObject({ code: 'operator/required' });
    const own = { status: 403, code: 'operator/own-record' };
    const ownId = owner.accountId;
    expect(await failure(owner.api.staffSearch.timeline({ ...input, id: ownId }))).toMatchObject(own);
    expect(await failure(owner.api.staffSearch.get({ kind: 'person', id: ownId }))).toMatchObject(own);
    expect(await failure(owner.api.staffSearch.timeline({ ...input, id: businessId }))).toMatchObject({
      status: 404,
      code: 'search/not-found',
    });
    expect(await failure(owner.api.staffSearch.timeline({ ...input, cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });

  it('shows what happened around a business, to which its members’ requests belong', async () => {
    await makeTicket(app.db, app.scopeOf(nadia), { subject: 'Our invoice is wrong' });
    const events = await timeline(businessId, undefined, 'business');
    const byKind = new Map(events.map((event) => [event.kind, event]));
    expect(byKind.get('ticket')).toMatchObject({ title: 'Our invoice is wrong', note: 'Nadia Brandt' });
    expect(byKind.get('report-about')).toMatchObject({ code: 'scam' });
    expect(byKind.get('work')).toMatchObject({ title: 'Paint the old fence', note: 'Leïla Haddad' });
    expect(byKind.get('payment')).toMatchObject({ code: 'release', amountMinor: 12_000, currency: 'EUR' });
    expect(byKind.get('business-move')).toMatchObject({ business: { id: businessId } });
    expect(byKind.get('sanction')).toMatchObject({ code: 'warning', by: 'Jonas Weber' });
    expect(JSON.stringify(events)).not.toContain('My hours were cut');
    expect(await timeline(businessId, 'sign-ins', 'business')).toEqual([]);
  });

  it.each(customerKinds)('reads no whole table for a %s', async (customerKind) => {
    const before = ['2026-11-21T09:00:00.000Z', newId(app.clock.now())] as const;
    const id = customerKind === 'person' ? leila.accountId : businessId;
    for (const kind of timelineKinds) {
      const statement = timelineStatement({ kind: customerKind, id }, [kind], { before, limit: 31 });
      const plan = await app.db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan, kind).not.toMatch(/Seq Scan on/);
    }
  });
});

describe('staffSearch.get of a person', () => {
  const person = async (accountId: string) =>
    (await owner.api.staffSearch.get({ kind: 'person', id: accountId })).customer;

  it('shows open cases and checks', async () => {
    const found = await person(leila.accountId);
    expect(found?.open.map(({ kind }) => kind).sort()).toEqual(['report', 'report', 'ticket']);
    expect(found?.checks).toContainEqual({ check: 'email', status: 'verified', at: null });
    expect(found?.person).toMatchObject({ language: null, memberships: [] });
    const { name } = await nadia.api.businesses.get({ businessId });
    const signedInAt = app.clock.now();
    await sql`insert into sign_in_events (id, account_id, kind, device, happened_at)
      values (${newId(signedInAt)}, ${nadia.accountId}, 'signed-in', 'Firefox on Windows', ${signedInAt})`.execute(
      app.db,
    );
    await nadia.api.accountSettings.update({ language: 'nl' });
    expect((await person(nadia.accountId))?.person).toEqual({
      language: 'nl',
      lastSignIn: { at: signedInAt.toISOString(), device: 'Firefox on Windows' },
      memberships: [{ business: { id: businessId, name }, role: 'owner' }],
    });
    expect(found?.checks).toContainEqual({ check: 'identity', status: null, at: null });
    expect((await owner.api.staffSearch.get({ kind: 'business', id: businessId })).customer).toMatchObject({
      open: [{ kind: 'report' }, { kind: 'ticket', title: 'Our invoice is wrong' }],
      running: { bookings: 0 },
      person: null,
      checks: [],
    });
  });

  it('links accounts by bank account, card, device and network, surest first', async () => {
    const [twin, flatmate, neighbour, payer] = await Promise.all(
      ['Jens Twin', 'Ines Flat', 'Nora Next', 'Paul Payer'].map((name) => app.person({ name })),
    );
    const net = (who: Person | undefined, ipAddress: string, userAgent: string) =>
      app.db
        .insertInto('account_networks')
        .values({
          accountId: who?.accountId ?? '',
          ipAddress,
          network: '203.0.113.0/24',
          userAgent,
          lastSeenAt: app.clock.now(),
        })
        .execute();
    await net(leila, '203.0.113.7', 'Phone');
    await net(flatmate, '203.0.113.7', 'Phone');
    await net(neighbour, '203.0.113.9', 'Laptop');
    const bank = (who: Person | undefined, holderName: string) =>
      app.db
        .insertInto('payout_methods')
        .values({
          id: newId(app.clock.now()),
          accountId: who?.accountId ?? '',
          providerRef: `bank ${holderName}`,
          bankName: 'N26',
          last4: '2291',
          holderName,
          fingerprint: 'same account',
          country: 'DE',
          currency: 'EUR',
          instant: false,
          usableFrom: app.clock.now(),
          addedAt: app.clock.now(),
          removedAt: who === twin ? app.clock.now() : null,
        })
        .execute();
    await bank(leila, 'Leïla Haddad');
    await bank(twin, 'Jens Twin');
    await net(twin, '203.0.113.200', 'Tablet');
    const found = await person(leila.accountId);
    expect(found?.links.map(({ name, reasons, colleague }) => ({ name, reasons, colleague }))).toEqual([
      { name: 'Jens Twin', reasons: ['bank', 'network'], colleague: false },
      { name: 'Ines Flat', reasons: ['device'], colleague: false },
      { name: 'Nora Next', reasons: ['network'], colleague: false },
    ]);
    expect(found?.sharedBanks).toEqual([
      {
        bankName: 'N26',
        last4: '2291',
        holders: [
          { accountId: leila.accountId, name: 'Leïla Haddad', holderName: 'Leïla Haddad' },
          { accountId: twin?.accountId, name: 'Jens Twin', holderName: 'Jens Twin' },
        ],
      },
    ]);
    const otherBusiness = await makeBusiness(app.db, app.scopeOf({ accountId: payer?.accountId ?? '' }));
    for (const [of, by] of [
      [businessId, nadia.accountId],
      [otherBusiness.id, payer?.accountId ?? ''],
    ] as const)
      await app.db
        .insertInto('cards')
        .values({
          id: newId(app.clock.now()),
          businessId: of,
          providerRef: `card of ${of}`,
          brand: 'visa',
          last4: '4242',
          fingerprint: 'same card',
          expiresMonth: 1,
          expiresYear: 2030,
          addedBy: by,
          addedAt: app.clock.now(),
        })
        .execute();
    expect((await person(nadia.accountId))?.links).toMatchObject([{ name: 'Paul Payer', reasons: ['card'] }]);
    const { customer } = await owner.api.staffSearch.get({ kind: 'business', id: businessId });
    expect(customer?.links).toMatchObject([{ name: 'Paul Payer', reasons: ['card'], colleague: false }]);
  });
});

describe('the record of a business', () => {
  it('lists a member’s requests behind newer questions about other cases, and questions about open cases', async () => {
    const member = await app.person();
    const { id } = await makeBusiness(app.db, app.scopeOf(member));
    await makeReport(app.db, app.scopeOf(leila), id, { kind: 'business' });
    const titles = async (limit: number) => {
      const page = { before: null, limit };
      const statement = timelineStatement({ kind: 'business', id }, ['ticket'], page);
      return (await statement.execute(app.db)).rows.map(({ title }) => title);
    };
    const ask = async (subject: string, caseSubject: string) => {
      app.clock.forward({ minutes: 1 });
      const { id: ticketId } = await makeTicket(app.db, app.scopeOf(member), { subject });
      const asked = { caseKind: 'report', caseSubject, dueAt: app.clock.now() } as const;
      await app.db.updateTable('tickets').set(asked).where('id', '=', ticketId).execute();
    };
    await makeTicket(app.db, app.scopeOf(member), { subject: 'Our invoice is late' });
    await ask('About another business', newId(app.clock.now()));
    expect(await titles(1)).toEqual(['Our invoice is late']);
    const report = await app.db
      .selectFrom('report_cases')
      .select('id')
      .where('businessId', '=', id)
      .executeTakeFirstOrThrow();
    await ask('About this business', report.id);
    expect(await titles(9)).toEqual(['About this business', 'Our invoice is late']);
  });

  it('counts the filled jobs of a business while someone is booked or at work on them', async () => {
    const { id } = await makeBusiness(app.db, app.scopeOf(nadia));
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const work = await makeEngagement(app.db, sides, id);
    await app.db.updateTable('jobs').set({ status: 'filled' }).where('businessId', '=', id).execute();
    const running = async () => (await owner.api.staffSearch.get({ kind: 'business', id })).customer?.running;
    expect(await running()).toEqual({ openJobs: 1, bookings: 1 });
    await app.db.updateTable('engagements').set({ status: 'given_away' }).where('id', '=', work.id).execute();
    expect(await running()).toEqual({ openJobs: 0, bookings: 0 });
  });
});
