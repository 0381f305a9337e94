import { randomBytes } from 'node:crypto';
import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { sha256 } from '../../platform/sign.ts';
import {
  deleteCalendarFeed,
  findFeed,
  findFeedOwner,
  findInterviewTimes,
  findWork,
  interviewEvent,
  replaceFeed,
  workEvent,
} from './calendar.ts';
import { icsText } from './ics.rules.ts';

const daysBack = 31;
const daysAhead = 366;
const refreshMinutes = 60;

/** Returns the creation time of the caller's subscription address, which is shown only once. */
export async function calendarFeed(db: Db, { actor }: Scope): Promise<{ since: string | null }> {
  return { since: (await findFeed(db, actor.accountId))?.toISOString() ?? null };
}

/** Creates the caller's subscription address and ends an older one. Only this response contains it. */
export async function newCalendarFeed(
  tx: Tx,
  { actor, clock, config }: Scope,
): Promise<{ url: string; since: string }> {
  // The secret is random, so a fast hash without salt is safe (ADR 37).
  const secret = randomBytes(32).toString('base64url');
  const since = clock.now();
  await replaceFeed(tx, { accountId: actor.accountId, secretHash: sha256(secret), since });
  return { url: `${config.PUBLIC_URL}/api/calendar/${secret}.ics`, since: since.toISOString() };
}

/** Deletes the caller's subscription address. */
export async function stopCalendarFeed(tx: Tx, { actor }: Scope): Promise<{ since: null }> {
  await deleteCalendarFeed(tx, actor.accountId);
  return { since: null };
}

/**
 * The person's work and interviews, for anyone with the address.
 * @throws calendar/feed-not-found
 */
export async function readCalendarFeed(
  db: Db,
  { clock, config }: Scope<Actor | null>,
  secret: string,
): Promise<string> {
  const accountId = await findFeedOwner(db, sha256(secret));
  if (accountId === null) throw new AppError('calendar/feed-not-found');
  const language = await languageOfAccount(db, accountId);
  const now = clock.now();
  const range = {
    from: subtractMs(now, daysBack * dayMs),
    to: addMs(now, daysAhead * dayMs),
  };
  const work = await findWork(db, accountId, range);
  const interviews = await findInterviewTimes(db, accountId, range, { now, hiring: true });
  const events = [
    ...work.map((row) => workEvent({ ...row, side: 'worker', stamp: row.updatedAt }, config.PUBLIC_URL)),
    ...interviews.map((row) =>
      interviewEvent({ ...row, where: row.whereText, stamp: row.updatedAt }, config.PUBLIC_URL, language),
    ),
  ].filter((event) => event !== null);
  return icsText(events, refreshMinutes, language);
}
