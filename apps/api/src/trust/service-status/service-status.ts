import { minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { Page, PageInput } from '@nearhand/contract/operation';
import {
  type ServiceMessage,
  type ServiceState,
  serviceStatus,
} from '@nearhand/contract/trust/service-status';
import type { ServicePart } from '@nearhand/contract/trust/service-status.rules';
import { type Insertable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { ServiceMessages } from '../../platform/tables.gen.ts';

/** One failing delivery is a recipient's problem; this many at once are ours. */
const failingDeliveries = 5;
const stuckCharges = 3;
const lateTasks = 20;
const chargeMinutes = 15;
const taskMinutes = 10;

async function getServiceState(db: Db, { clock }: Scope<Actor | null>): Promise<ServiceState> {
  const now = clock.now();
  const message = await findCurrentMessage(db, now);
  const problems = await countProblems(db, {
    chargesBefore: subtractMs(now, chargeMinutes * minuteMs),
    tasksBefore: subtractMs(now, taskMinutes * minuteMs),
    max: lateTasks,
  });
  const parts: [ServicePart, boolean][] = [
    ['email', problems.mails >= failingDeliveries],
    ['push', problems.pushes >= failingDeliveries],
    ['payments', problems.charges >= stuckCharges],
    ['tasks', problems.tasks >= lateTasks],
  ];
  return {
    message: message ? toServiceMessage(message) : null,
    slow: parts.flatMap(([part, isSlow]) => (isSlow ? [part] : [])),
  };
}

/** Lists service messages, the latest start first. For operators with the role. */
export async function listServiceMessages(
  db: Db,
  _scope: Scope,
  input: PageInput,
): Promise<Page<ServiceMessage>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findServiceMessages(db, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.startsAt.toISOString(), row.id]);
  return { items: page.items.map(toServiceMessage), nextCursor: page.nextCursor };
}

/** Shows a service message from now or `startsAt`. */
export async function postMessage(
  tx: Tx,
  scope: Scope,
  input: { text: string; startsAt?: string; endsAt?: string },
): Promise<ServiceMessage> {
  const now = scope.clock.now();
  const startsAt = input.startsAt === undefined ? now : new Date(input.startsAt);
  const endsAt = input.endsAt === undefined ? null : new Date(input.endsAt);
  if (endsAt && endsAt <= now)
    throw new AppError('request/invalid', { issues: [{ path: 'endsAt', message: 'in the future' }] });
  const row = { id: newId(now), text: input.text, startsAt, endsAt };
  await insertServiceMessage(tx, { ...row, postedBy: scope.actor.accountId, createdAt: now });
  return toServiceMessage(row);
}

/** Ends a service message now. For operators with the role. */
export async function endServiceMessage(
  tx: Tx,
  scope: Scope,
  input: { messageId: string },
): Promise<ServiceMessage> {
  const row = await endMessage(tx, input.messageId, scope.clock.now());
  if (!row) throw new AppError('service-message/not-found');
  return toServiceMessage(row);
}

const toServiceMessage = (row: ServiceMessageRow): ServiceMessage => ({
  id: row.id,
  text: row.text,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt?.toISOString() ?? null,
});

const columns = ['id', 'text', 'startsAt', 'endsAt'] as const;
type ServiceMessageRow = Awaited<ReturnType<typeof findServiceMessages>>[number];

async function insertServiceMessage(tx: Tx, row: Insertable<ServiceMessages>): Promise<void> {
  await tx.insertInto('service_messages').values(row).execute();
}

async function findServiceMessages(
  db: Db,
  { after, limit }: { after: readonly [string, string] | null; limit: number },
) {
  let query = db.selectFrom('service_messages').select(columns);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('startsAt', 'id'), '<', tuple(new Date(after[0]), after[1])),
    );
  return query.orderBy('startsAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

async function findCurrentMessage(db: Db, now: Date): Promise<ServiceMessageRow | undefined> {
  return db
    .selectFrom('service_messages')
    .select(columns)
    .where('startsAt', '<=', now)
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', now)]))
    .orderBy('startsAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Ends a message; one that has not started never will. */
async function endMessage(tx: Tx, messageId: string, now: Date): Promise<ServiceMessageRow | undefined> {
  await tx
    .updateTable('service_messages')
    .set((eb) => ({ endsAt: eb.fn('greatest', ['startsAt', eb.val(now)]) }))
    .where('id', '=', messageId)
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', now)]))
    .where('startsAt', '<=', now)
    .execute();
  await tx
    .updateTable('service_messages')
    .set((eb) => ({ endsAt: eb.ref('startsAt') }))
    .where('id', '=', messageId)
    .where('startsAt', '>', now)
    .execute();
  return tx.selectFrom('service_messages').select(columns).where('id', '=', messageId).executeTakeFirst();
}

type Problems = { mails: number; pushes: number; charges: number; tasks: number };

/** Counts late deliveries, charges and tasks up to `max`, so that a large backlog is as cheap as a small one. */
async function countProblems(
  db: Db,
  since: { chargesBefore: Date; tasksBefore: Date; max: number },
): Promise<Problems> {
  const { chargesBefore, tasksBefore, max } = since;
  const failing = (channel: string) => sql`(select count(*) from (select from notification_deliveries
    where channel = ${channel} and state = 'queued' and attempts > 1 limit ${max}) one)`;
  const { rows } = await sql<Problems>`select ${failing('email')} as mails, ${failing('push')} as pushes,
    (select count(*) from (select from charges where status in ('created', 'processing') and updated_at < ${chargesBefore}
      and asked_at is not null limit ${max}) one) as charges,
    (select count(*) from (select from graphile_worker.jobs where greatest(run_at, created_at) < ${tasksBefore}
      and locked_at is null and attempts = 0 limit ${max}) one) as tasks`.execute(db);
  return rows[0] ?? { mails: 0, pushes: 0, charges: 0, tasks: 0 };
}

export const serviceStatusRoutes = {
  get: read(serviceStatus.get, getServiceState),
};
