import { dayMs } from '@nearhand/contract/durations';
import pg from 'pg';
import { inject } from 'vitest';
import { makeJob } from '../../src/hiring/jobs/jobs.fixtures.ts';
import { carryOn } from '../../src/money/statements/balance-rollup.ts';
import { makeMember } from '../../src/people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../src/trust/operators/operators.fixtures.ts';
import { makeReport } from '../../src/trust/reports/reports.fixtures.ts';
import { closeTicket } from '../../src/trust/tickets/staff-tickets.ts';
import { makeTicket } from '../../src/trust/tickets/tickets.fixtures.ts';
import { makeWorld } from '../all-records.fixtures.ts';
import type { Person, useTestApp } from '../harness.ts';
import { copyRows, readRows, withoutIndexes } from './multiplied-rows.ts';

type App = ReturnType<typeof useTestApp>;
export type HeavyWorld = Awaited<ReturnType<typeof makeHeavyWorld>>;

const notCopied = [
  'kysely_migration',
  'kysely_migration_lock',
  'migration_checksum',
  'fee_schedules',
  'search_words',
  'sandbox_balances',
  'sandbox_banks',
  'sandbox_cards',
  'sandbox_charges',
  'sandbox_deliveries',
  'sandbox_event_counter',
  'sandbox_events',
  'sandbox_keys',
  'sandbox_tokens',
  'provider_events',
  'idempotency_keys',
  'statement_carried',
  'chat_paces',
  'notification_deliveries',
  'test_facts',
  'test_told',
];
const limited = [
  'accounts',
  'businesses',
  'branches',
  'business_members',
  'business_documents',
  'team_invitations',
  'cards',
  'pools',
  'certificates',
  'saved_searches',
  'saved_search_squares',
  'passkeys',
  'notification_devices',
  'payout_methods',
  'sessions',
  'identity_checks',
  'identity_photos',
  'operators',
  'second_factor_checks',
];
const notOfOthers = [
  'jobs',
  'job_moves',
  'businesses',
  'business_moves',
  'business_documents',
  'team_moves',
  'charges',
  'notifications',
  'sessions',
  'sign_in_log',
  'tickets',
  'ticket_messages',
  'identity_photos',
];

/**
 * Copies the records of `makeWorld` in SQL: first those of the owner and the worker, with another job each time, then
 * the worker as thousands of other applicants for these jobs.
 */
export async function makeHeavyWorld(app: App, copies: number) {
  const world = await makeWorld(app);
  const operator = await app.person({ name: 'Olu Staff' });
  await makeOperator(app.db, app, operator);
  const series = await completeWorld(app, world, operator);
  const branchRecruiter = await app.person({ name: 'Bram Branch' });
  const { businessId, branchId, jobId } = world.ids;
  const branchIds = [String(branchId)];
  await makeMember(app.db, app.clock, String(businessId), branchRecruiter.accountId, 'recruiter', branchIds);
  await app.db.updateTable('jobs').set({ branchId: branchIds[0] }).where('id', '=', String(jobId)).execute();
  // Copies of carried entries count as carried.
  await carryOn(app.db);
  const url = new URL(inject('testServer').superuserUrl);
  url.pathname = new URL(app.directUrl).pathname;
  const superuser = new pg.Client(url.href);
  await superuser.connect();
  const all = await readRows(superuser, notCopied);
  const idsOf = (tables: readonly string[]) =>
    new Set(
      all
        .filter(({ table }) => tables.includes(table.name))
        .flatMap(({ table, rows }) => {
          const at = table.columns.findIndex(({ name }) => name === 'id');
          return rows.map((row) => row[at]);
        }),
    );

  const lasting = idsOf(limited);
  const shared = idsOf(['businesses', 'jobs', 'branches', 'pools', 'accounts', 'cards']);
  shared.delete(world.worker.accountId);
  const without = (tables: readonly string[]) => all.filter(({ table }) => !tables.includes(table.name));
  await withoutIndexes(superuser, async () => {
    await copyRows(superuser, without(limited), { no: 1, copies, keeps: (id) => lasting.has(id) });
    await copyRows(superuser, without(notOfOthers), { no: 2, copies, keeps: (id) => shared.has(id) });
  });
  await superuser.query('vacuum analyze');
  const ids: Record<string, unknown> = {
    ...world.ids,
    seriesId: series.seriesId,
    lat: 52.37,
    lng: 4.9,
    radiusKm: 50,
    currency: 'EUR',
  };
  const copied = without(limited).map(({ table }) => table.name);
  return {
    ...world,
    ids,
    series,
    copied,
    operator,
    branchRecruiter,
    superuser,
    database: url.pathname.slice(1),
  };
}

/**
 * Adds lists that no record of `makeWorld` is in.
 * @returns a job of a series
 */
async function completeWorld(
  app: App,
  { owner, worker, ids }: Awaited<ReturnType<typeof makeWorld>>,
  operator: Person,
) {
  const jobId = String(ids.jobId);
  const businessId = String(ids.businessId);
  const draft = await makeJob(app.db, app.scopeOf(owner), businessId, { status: 'draft' });
  const weekLater = new Date(Date.parse(draft.startsAt ?? '') + 7 * dayMs).toISOString().slice(0, 10);
  const series = await owner.api.jobs.publish({ jobId: draft.id, alsoOn: [weekLater] });
  await worker.api.savedJobs.save({ jobId });
  await worker.api.followedBusinesses.follow({ businessId });
  await makeReport(app.db, app.scopeOf(worker), jobId);
  const ticketId = async () => (await makeTicket(app.db, app.scopeOf(worker))).id;
  const closedId = await ticketId();
  await app.db.transaction().execute((tx) => closeTicket(tx, app.scopeOf(operator), { ticketId: closedId }));
  await worker.api.tickets.solve({ ticketId: await ticketId() });
  await worker.api.chatReports.create({
    conversationId: String(ids.conversationId),
    reason: 'spam',
    note: '',
  });
  return series;
}
