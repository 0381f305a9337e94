import { browserLabel, labelParts } from '@nearhand/contract/browser-label';
import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { peopleLimits } from '@nearhand/contract/people/limits';
import {
  type SessionView,
  type SignInEvent,
  type SignInEventKind,
  sessions,
} from '@nearhand/contract/people/sessions';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { formatsOf } from '../../platform/i18n.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, type Phrase, phrase } from '../../platform/mail/mail-layout.ts';
import { emit } from '../../platform/realtime/publish.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { peopleHooks } from '../hooks.ts';

/** The caller's devices, last used first, at most `peopleLimits.sessionsShown`. */
async function listSessions(db: Db, { actor, clock }: Scope): Promise<SessionView[]> {
  const rows = await findSessions(db, actor.accountId, clock.now());
  return rows.map((row) => ({
    id: row.id,
    device: browserLabel(row.userAgent ?? ''),
    current: row.id === actor.sessionId,
    signedInAt: row.createdAt.toISOString(),
    lastUsedAt: row.updatedAt.toISOString(),
  }));
}

/** Signs out one of the caller's devices and forgets trusted ones. */
async function endSession(
  tx: Tx,
  { actor }: Scope,
  { sessionId }: { sessionId: string },
): Promise<{ ended: number }> {
  const ended = await deleteSessions(tx, actor.accountId, { only: sessionId });
  if (ended === 0) throw new AppError('session/not-found');
  await peopleHooks.on.devicesSignedOut(tx, actor.accountId);
  return { ended };
}

/** Signs out the caller's other devices and forgets trusted ones. */
async function endOtherSessions(tx: Tx, { actor }: Scope): Promise<{ ended: number }> {
  return { ended: await endSessions(tx, actor.accountId, { except: actor.sessionId }) };
}

/**
 * Signs a person out everywhere, as an operator whose reason is logged.
 * @returns the number of sessions
 */
async function endSessionsOf(
  tx: Tx,
  _scope: Scope,
  { accountId }: { accountId: string },
): Promise<{ ended: number }> {
  return { ended: await endSessions(tx, accountId) };
}

/**
 * Signs out everywhere, or everywhere `except` for one session, also push and trusted devices.
 * @returns the number of ended sessions
 */
export async function endSessions(
  tx: Tx,
  accountId: string,
  options: { except?: string } = {},
): Promise<number> {
  const ended = await deleteSessions(tx, accountId, options);
  await peopleHooks.on.sessionsEnded(tx, accountId);
  await peopleHooks.on.devicesSignedOut(tx, accountId);
  return ended;
}

/** The caller's sign-in events of `peopleLimits.signInHistoryDays`, newest first. */
async function signInHistory(db: Db, { actor, clock }: Scope, input: PageInput): Promise<Page<SignInEvent>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const since = subtractMs(clock.now(), peopleLimits.signInHistoryDays * dayMs);
  const rows = await findEvents(db, actor.accountId, since, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.happenedAt.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      ...row,
      kind: row.kind as SignInEventKind,
      happenedAt: row.happenedAt.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

export const isSessionOpen = async (db: Db, { clock }: ClockScope, sessionId: string): Promise<boolean> =>
  (await findOpenSession(db, sessionId, clock.now())) !== undefined;

/** Ends a session that was opened a moment ago and must not be; trusted devices stay. */
export async function revokeSession(tx: Tx, accountId: string, sessionId: string): Promise<void> {
  await deleteSessions(tx, accountId, { only: sessionId });
}

export const recordSessionUse = (db: Db, { clock }: ClockScope, sessionId: string): Promise<void> =>
  markSessionUsed(db, sessionId, clock.now());

/**
 * Records a sign-in and mails the owner about a new device or a changed second step. Keeps only browser and
 * system.
 */
export async function recordSignIn(
  tx: Tx,
  { clock }: ClockScope,
  event: { accountId: string; kind: SignInEventKind; userAgent: string },
): Promise<void> {
  const now = clock.now();
  const { accountId, kind } = event;
  const device = browserLabel(event.userAgent);
  if (kind === 'failed' && (await recordSignInFailure(tx, { accountId, device, now }))) return;
  const earlier = kind === 'signed-in' ? await lockAndCountSignIns(tx, accountId, device) : null;
  const isNewDevice = earlier !== null && Number(earlier.count) > 0 && !earlier.sameDevice;
  const id = newId(now);
  await insertEvent(tx, { id, accountId, kind, device, newDevice: isNewDevice, now });
  if (kind === 'second-step-on' || kind === 'second-step-off') {
    const key = `${kind}-${id}`;
    await enqueue(tx, sendSecondStepTask, { accountId, device, at: now.toISOString(), key, kind }, { key });
  }
  if (!isNewDevice) return;
  const key = `new-device-${id}`;
  await enqueue(tx, sendNewDeviceTask, { accountId, device, at: now.toISOString(), key }, { key });
}

/** Logs a lockout, which no other row records. Triggers log the rest (ADR 12). */
export const logLockout = (db: Db, accountId: string): Promise<void> =>
  insertLogged(db, accountId, 'locked-out');

/** Adds a security event of the caller's own session to the sign-in history. */
export async function recordOwnChange(tx: Tx, scope: Scope, kind: SignInEventKind): Promise<void> {
  const userAgent = (await findSessionAgent(tx, scope.actor.sessionId)) ?? '';
  await recordSignIn(tx, scope, { accountId: scope.actor.accountId, kind, userAgent });
}

export async function eraseSessions(tx: Tx, accountId: string): Promise<void> {
  await endSessions(tx, accountId);
  await deleteEventsOf(tx, accountId);
}

const changeOnDevice = z.object({
  accountId: z.uuid(),
  device: z.string(),
  at: z.iso.datetime(),
  key: z.string(),
});

/** Mails the owner of an account. A rejected address ends the task, since retrying is pointless. */
async function mailOwner(
  { db, config, mailer, log }: TaskScope,
  { accountId, device, at, key }: z.infer<typeof changeOnDevice>,
  mailOf: (publicUrl: string, change: ChangeOnDevice) => Mail,
): Promise<void> {
  const to = await findMailAddress(db, accountId);
  if (to === undefined) return;
  await sendUnlessRefused({ mailer, log }, mailOf(config.PUBLIC_URL, { to, device, at: new Date(at), key }));
}

const sendNewDeviceTask = defineTask({
  name: 'sessions.send-new-device',
  queue: 'messages',
  payload: changeOnDevice,
  run: (scope, change) => mailOwner(scope, change, newDeviceMail),
});

const sendSecondStepTask = defineTask({
  name: 'sessions.send-second-step',
  queue: 'messages',
  payload: changeOnDevice.extend({ kind: z.enum(['second-step-on', 'second-step-off']) }),
  run: (scope, { kind, ...change }) =>
    mailOwner(scope, change, kind === 'second-step-on' ? secondStepOnMail : secondStepOffMail),
});

/** Deletes sign-in history after `peopleLimits.signInHistoryDays`, and the log after a year. */
export const purgeHistoryTask = defineTask({
  name: 'sessions.purge-history',
  payload: z.object({}),
  daily: true,
  async run({ db, clock }) {
    await deleteOldEvents(db, clock.now());
    await deleteOldLog(db);
  },
});

type ChangeOnDevice = { to: string; device: string; at: Date; key: string };

const timeIn = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(formatsOf(language), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);

const deviceText = (label: string): Phrase => {
  const parts = labelParts(label);
  return parts ? phrase('{browser} on {system}', parts) : label;
};

const newDeviceMail = (publicUrl: string, { to, device, at, key }: ChangeOnDevice): Mail =>
  composeMail(to, key, {
    subject: phrase('New sign-in to your account'),
    heading: phrase('New sign-in to your account'),
    paragraphs: [
      phrase(
        'Someone signed in to your account with a device that you have not used before. If that was you, no action is needed.',
      ),
      phrase(
        "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device. Then remove passkeys that aren't yours in your account settings, and turn on the second step.",
      ),
    ],
    facts: deviceFacts(device, at),
    action: { label: phrase('Check your devices'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because your account was used on a new device."),
  });

const deviceFacts = (device: string, at: Date) => [
  { label: phrase('Device'), value: deviceText(device) },
  { label: phrase('Time'), value: (language: Language) => `${timeIn(language, at)} UTC` },
];

const secondStepOnMail = (publicUrl: string, { to, device, at, key }: ChangeOnDevice): Mail =>
  composeMail(to, key, {
    subject: phrase('The second step was turned on'),
    heading: phrase('The second step was turned on'),
    paragraphs: [
      phrase(
        'From now on, logging in takes a code from your authenticator app. Keep your recovery codes safe.',
      ),
      phrase(
        "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device, and contact us.",
      ),
    ],
    facts: deviceFacts(device, at),
    action: { label: phrase('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because your account's second step changed."),
  });

const secondStepOffMail = (publicUrl: string, { to, device, at, key }: ChangeOnDevice): Mail =>
  composeMail(to, key, {
    subject: phrase('The second step was turned off'),
    heading: phrase('The second step was turned off'),
    paragraphs: [
      phrase('From now on, your password alone is enough to log in.'),
      phrase(
        "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device, and contact us.",
      ),
    ],
    facts: deviceFacts(device, at),
    action: { label: phrase('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because your account's second step changed."),
  });

async function findSessions(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'createdAt', 'updatedAt'])
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(peopleLimits.sessionsShown)
    .execute();
}

async function findOpenSession(db: Db, sessionId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select('sessions.id')
    .where('sessions.id', '=', sessionId)
    .where('expiresAt', '>', now)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
}

/**
 * Ends all sessions, only one, or all but one, and notifies open devices.
 * @returns how many
 */
async function deleteSessions(
  tx: Tx,
  accountId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  const { only, except } = which;
  let query = tx.deleteFrom('sessions').where('accountId', '=', accountId);
  if (only !== undefined) query = query.where('id', '=', only);
  if (except !== undefined) query = query.where('id', '<>', except);
  const ended = await query.returning('id').execute();
  for (const { id } of ended) emit(tx, [`account:${accountId}`], { kind: 'session-ended', sessionId: id });
  if (ended.length > 0) emitAccount(tx, accountId);
  return ended.length;
}

/** Records the last use, at most once an hour. */
async function markSessionUsed(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ updatedAt: now })
    .where('id', '=', sessionId)
    .where('updatedAt', '<', subtractMs(now, hourMs))
    .execute();
}

async function findSessionAgent(db: Db, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('userAgent')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.userAgent ?? null;
}

type Happened = { id: string; accountId: string; kind: SignInEventKind; device: string; now: Date };

/** Counts earlier sign-ins. Locks the account, so that the second of two concurrent first sign-ins sees the first. */
async function lockAndCountSignIns(tx: Tx, accountId: string, device: string) {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
  return tx
    .selectFrom('sign_in_events')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<boolean>`coalesce(bool_or(device = ${device}), false)`.as('sameDevice'),
    ])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'signed-in')
    .executeTakeFirstOrThrow();
}

async function findMailAddress(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  return row?.email;
}

async function insertEvent(tx: Tx, event: Happened & { newDevice: boolean }): Promise<void> {
  const { id, accountId, kind, device, newDevice, now } = event;
  await tx
    .insertInto('sign_in_events')
    .values({ id, accountId, kind, device, newDevice, happenedAt: now })
    .execute();
  await sql`delete from sign_in_events where id in (select id from sign_in_events
    where account_id = ${accountId} order by happened_at desc, id desc offset ${peopleLimits.signInEventsMax})`.execute(
    tx,
  );
  emitAccount(tx, accountId);
}

/**
 * Counts a failed attempt in the last hour's event.
 * @returns false if there is none
 */
async function recordSignInFailure(tx: Tx, event: Omit<Happened, 'id' | 'kind'>): Promise<boolean> {
  const { rows } =
    await sql`update sign_in_events set tries = tries + 1, happened_at = ${event.now} where id = (
      select id from sign_in_events where account_id = ${event.accountId} and kind = 'failed' and device = ${event.device}
        and happened_at > ${subtractMs(event.now, hourMs)} order by happened_at desc limit 1)
    returning id`.execute(tx);
  if (rows.length === 0) return false;
  emitAccount(tx, event.accountId);
  return true;
}

async function findEvents(
  db: Db,
  accountId: string,
  since: Date,
  after: readonly [string, string] | null,
  limit: number,
) {
  let query = db
    .selectFrom('sign_in_events')
    .select(['id', 'kind', 'device', 'newDevice', 'tries', 'happenedAt'])
    .where('accountId', '=', accountId)
    .where('happenedAt', '>', since);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('happenedAt', 'id'), '<', tuple(new Date(after[0]), after[1])),
    );
  return query.orderBy('happenedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes old events, and networks not seen for half a year. */
async function deleteOldEvents(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_events')
    .where('happenedAt', '<', subtractMs(now, peopleLimits.signInHistoryDays * dayMs))
    .execute();
  await db
    .deleteFrom('account_networks')
    .where('lastSeenAt', '<', subtractMs(now, peopleLimits.accountNetworkDays * dayMs))
    .execute();
}

/** Inserts a log entry for an event that no other row shows; triggers log the rest (ADR 12). */
async function insertLogged(db: Db, accountId: string, kind: 'locked-out'): Promise<void> {
  await sql`insert into sign_in_log (subject, kind, device) values (sign_in_subject(${accountId}), ${kind}, '')`.execute(
    db,
  );
}

/** Deletes old log entries. The database refuses to delete newer ones. */
async function deleteOldLog(db: Db): Promise<void> {
  await sql`delete from sign_in_log where at < now() - interval '1 year'`.execute(db);
}

async function deleteEventsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('sign_in_events').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('account_networks').where('accountId', '=', accountId).execute();
}

export const sessionsRoutes = {
  list: read(sessions.list, listSessions),
  end: write(sessions.end, endSession),
  endOthers: write(sessions.endOthers, endOtherSessions),
  endOf: write(sessions.endOf, endSessionsOf),
  history: read(sessions.history, signInHistory),
};

export const sessionsTasks = [sendNewDeviceTask, sendSecondStepTask, purgeHistoryTask];
