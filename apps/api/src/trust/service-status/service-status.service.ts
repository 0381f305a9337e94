import { minuteMs } from '@nearhand/contract/durations';
import type { ServiceMessage, ServiceState } from '@nearhand/contract/trust/service-status';
import type { ServicePart } from '@nearhand/contract/trust/service-status.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  countProblems,
  endMessage,
  findCurrentMessage,
  findServiceMessages,
  insertServiceMessage,
  type ServiceMessageRow,
} from './service-status.sql.ts';

/** One failing delivery is a recipient's problem; this many at once are ours. */
const failingDeliveries = 5;
const stuckCharges = 3;
const lateTasks = 20;
const chargeMinutes = 15;
const taskMinutes = 10;

/** Whether everything works, and what staff says about it. Public; the same for everyone. */
export async function getServiceState(db: Db, { clock }: Scope<Actor | null>): Promise<ServiceState> {
  const now = clock.now();
  const message = await findCurrentMessage(db, now);
  const problems = await countProblems(db, {
    chargesBefore: new Date(now.getTime() - chargeMinutes * minuteMs),
    tasksBefore: new Date(now.getTime() - taskMinutes * minuteMs),
    most: lateTasks,
  });
  const parts: [ServicePart, boolean][] = [
    ['email', problems.mails >= failingDeliveries],
    ['push', problems.pushes >= failingDeliveries],
    ['payments', problems.charges >= stuckCharges],
    ['tasks', problems.tasks >= lateTasks],
  ];
  return {
    message: message ? viewMessage(message) : null,
    slow: parts.flatMap(([part, isSlow]) => (isSlow ? [part] : [])),
  };
}

/** Past, present and announced messages, last starting first. Operators. @throws request/bad-cursor */
export async function listServiceMessages(
  db: Db,
  _scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: ServiceMessage[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findServiceMessages(db, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.starts_at.toISOString(), row.id]);
  return { items: page.items.map(viewMessage), nextCursor: page.nextCursor };
}

/** Shows a message to everyone, from now or `startsAt`. Operators. @throws request/invalid for one that has already ended */
export async function postMessage(
  tx: Tx,
  scope: Scope,
  input: { text: string; startsAt?: string | undefined; endsAt?: string | undefined },
): Promise<ServiceMessage> {
  const now = scope.clock.now();
  const startsAt = input.startsAt === undefined ? now : new Date(input.startsAt);
  const endsAt = input.endsAt === undefined ? null : new Date(input.endsAt);
  if (endsAt && endsAt <= now)
    throw new AppError('request/invalid', { issues: [{ path: 'endsAt', message: 'in the future' }] });
  const row = { id: newId(now), text: input.text, starts_at: startsAt, ends_at: endsAt };
  await insertServiceMessage(tx, { ...row, posted_by: scope.actor.accountId, created_at: now });
  return viewMessage(row);
}

/** Ends a message now; a repeat is a no-op. Operators. @throws service-message/not-found */
export async function endServiceMessage(
  tx: Tx,
  scope: Scope,
  input: { messageId: string },
): Promise<ServiceMessage> {
  const row = await endMessage(tx, input.messageId, scope.clock.now());
  if (!row) throw new AppError('service-message/not-found');
  return viewMessage(row);
}

const viewMessage = (row: ServiceMessageRow): ServiceMessage => ({
  id: row.id,
  text: row.text,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
});
