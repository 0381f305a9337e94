import { browserLabel } from '@nearhand/contract/browser-label';
import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { SessionView, SignInEvent, SignInEventKind } from '@nearhand/contract/people/sessions';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { peopleOutcomes } from '../outcomes.ts';
import {
  countFailure,
  deleteEventsOf,
  deleteSessions,
  findEarlierSignIn,
  findEvents,
  findOpenSession,
  findSessionAgent,
  findSessions,
  insertEvent,
  insertLogged,
  markSessionUsed,
} from './sessions.sql.ts';
import { sendNewDevice } from './sessions.tasks.ts';

/** The caller's signed-in devices, last used first; at most `limits.sessionsShown`. */
export async function listSessions(db: Db, { actor, clock }: Scope): Promise<SessionView[]> {
  const rows = await findSessions(db, actor.accountId, clock.now());
  return rows.map((row) => ({
    id: row.id,
    device: browserLabel(row.user_agent ?? ''),
    current: row.id === actor.sessionId,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.updated_at.toISOString(),
  }));
}

/** Signs out one of the caller's devices; every device that skipped the second step is asked for it again. @throws session/not-found also for someone else's */
export async function endSession(
  tx: Tx,
  { actor }: Scope,
  { sessionId }: { sessionId: string },
): Promise<{ ended: number }> {
  const ended = await deleteSessions(tx, actor.accountId, { only: sessionId });
  if (ended === 0) throw new AppError('session/not-found');
  await peopleOutcomes.on.devicesSignedOut(tx, actor.accountId);
  return { ended };
}

/** Signs out all the caller's devices but this one; every device that skipped the second step is asked for it again. */
export async function endOtherSessions(tx: Tx, { actor }: Scope): Promise<{ ended: number }> {
  return { ended: await endSessionsBut(tx, actor.accountId, actor.sessionId) };
}

/** Signs a person out everywhere, for an operator whose reason is logged: 0 where nobody is signed in. */
export async function endSessionsOf(
  tx: Tx,
  _scope: Scope,
  { accountId }: { accountId: string },
): Promise<{ ended: number }> {
  return { ended: await endAllSessions(tx, accountId) };
}

/** Ends every session of an account but one, and what opens without one. @returns how many */
export async function endSessionsBut(tx: Tx, accountId: string, sessionId: string): Promise<number> {
  const ended = await deleteSessions(tx, accountId, { except: sessionId });
  await peopleOutcomes.on.sessionsEnded(tx, accountId);
  await peopleOutcomes.on.devicesSignedOut(tx, accountId);
  return ended;
}

/** What happened to the caller's sign-in within `limits.signInHistoryDays`, newest first. @throws request/bad-cursor */
export async function signInHistory(
  db: Db,
  { actor, clock }: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: SignInEvent[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const since = new Date(clock.now().getTime() - limits.signInHistoryDays * dayMs);
  const rows = await findEvents(db, actor.accountId, since, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.happened_at.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      kind: row.kind as SignInEventKind,
      device: row.device,
      newDevice: row.new_device,
      tries: row.tries,
      happenedAt: row.happened_at.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Ends every session of an account, and what opens without one. @returns how many */
export async function endAllSessions(tx: Tx, accountId: string): Promise<number> {
  const ended = await deleteSessions(tx, accountId);
  await peopleOutcomes.on.sessionsEnded(tx, accountId);
  await peopleOutcomes.on.devicesSignedOut(tx, accountId);
  return ended;
}

/** Whether a session goes on, for links that end with it. */
export const isSessionOpen = async (
  db: Db,
  { clock }: Pick<Scope, 'clock'>,
  sessionId: string,
): Promise<boolean> => (await findOpenSession(db, sessionId, clock.now())) !== undefined;

/** Ends one session of an account, for sign-in. */
export async function endSessionOf(tx: Tx, accountId: string, sessionId: string): Promise<void> {
  await deleteSessions(tx, accountId, { only: sessionId });
}

/** A session was renewed: it is in use. */
export const noteSessionUse = (db: Db, { clock }: Pick<Scope, 'clock'>, sessionId: string): Promise<void> =>
  markSessionUsed(db, sessionId, clock.now());

/** Adds to an account's sign-in history, and mails its owner about a new device. `userAgent` is kept as browser and system only. */
export async function recordSignIn(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  event: { accountId: string; kind: SignInEventKind; userAgent: string },
): Promise<void> {
  const now = clock.now();
  const { accountId, kind } = event;
  const device = browserLabel(event.userAgent);
  if (kind === 'failed' && (await countFailure(tx, { accountId, device, now }))) return;
  const earlier = kind === 'signed-in' ? await findEarlierSignIn(tx, accountId, device) : null;
  const newDevice = earlier !== null && Number(earlier.count) > 0 && !earlier.sameDevice;
  const id = newId(now);
  await insertEvent(tx, { id, accountId, kind, device, newDevice, now });
  if (!newDevice) return;
  const key = `new-device-${id}`;
  await enqueue(tx, sendNewDevice, { accountId, device, at: now.toISOString(), key }, { key });
}

/** Strangers used up an account's password tries; for the log only, since its owner gets a mail. */
export const logLockout = (db: Db, accountId: string): Promise<void> =>
  insertLogged(db, accountId, 'locked-out');

/** The same for something that a signed-in caller did. */
export async function recordOwnChange(tx: Tx, scope: Scope, kind: SignInEventKind): Promise<void> {
  const userAgent = (await findSessionAgent(tx, scope.actor.sessionId)) ?? '';
  await recordSignIn(tx, scope, { accountId: scope.actor.accountId, kind, userAgent });
}

/** For an account that is removed: its sessions and their history (ADR 160). */
export async function forgetSessions(tx: Tx, accountId: string): Promise<void> {
  await endAllSessions(tx, accountId);
  await deleteEventsOf(tx, accountId);
}
