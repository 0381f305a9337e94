import type { Db } from '../../platform/db.ts';

/** A session that still counts: not over, its account not disabled. */
export async function findSession(db: Db, sessionId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id as accountId', 'accounts.email_verified as emailVerified'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}
