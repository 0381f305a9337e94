import type { StarCounts } from '@nearhand/contract/people/rating.rules';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import { workerChecks } from '../verification/worker-checks.columns.ts';

/** The columns a save may change. */
export type ProfileColumns = {
  phone?: string | null;
  bio?: string;
  home_label?: string | null;
  home_lat?: number | null;
  home_lng?: number | null;
  languages?: string;
  availability?: string;
  skills?: string;
  photo_file_id?: string | null;
  cv_file_id?: string | null;
};

/** An account's profile; profile columns are null if nothing was saved. */
export async function findProfile(db: Db, accountId: string) {
  return withProfile(db).where('accounts.id', '=', accountId).executeTakeFirst();
}

const withProfile = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .select(['accounts.id', 'name', 'version', 'phone', 'bio', 'home_label', 'home_lat', 'home_lng'])
    .select(['languages', 'availability', 'skills', 'photo_file_id', 'cv_file_id', 'review_stars'])
    .select(workerChecks('accounts.id', 'accounts.name', 'profiles.phone').as('checks'));

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Profiles of several accounts, including accounts without one. */
export async function findProfiles(db: Db, accountIds: readonly string[]): Promise<ProfileRow[]> {
  if (accountIds.length === 0) return [];
  return withProfile(db)
    .where('accounts.id', 'in', [...accountIds])
    .execute();
}

/** Inserts the row if missing and locks it, so that two first saves serialize. */
export async function lockProfile(tx: Tx, accountId: string, now: Date): Promise<{ version: number }> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('profiles')
    .values({ account_id: accountId, updated_at: now })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  return tx
    .selectFrom('profiles')
    .select('version')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateProfile(
  tx: Tx,
  accountId: string,
  change: ProfileColumns,
  version: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ ...change, version, updated_at: now })
    .where('account_id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/** Whether this worker has a live application to a business where the account recruits, and did not delete their account. */
export async function isApplicantOf(db: Db, workerId: string, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('job_members', 'job_members.job_id', 'applications.job_id')
    .select('applications.id')
    .where('worker_id', '=', workerId)
    .where('applications.status', '<>', 'withdrawn')
    .where('job_members.account_id', '=', memberId)
    .where('role', 'in', rolesFor('applicants'))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_deletions')
            .select('id')
            .where('account_id', '=', workerId)
            .where('status', '<>', 'undone'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function emptyProfile(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('profiles')
    .set((eb) => ({
      phone: null,
      bio: '',
      home_label: null,
      home_lat: null,
      home_lng: null,
      languages: '[]',
      availability: '[]',
      skills: '[]',
      photo_file_id: null,
      cv_file_id: null,
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('account_id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/** Adds to the count of one number of stars; the row is locked. The version stays: nobody edits this. */
export async function addReviewStars(tx: Tx, accountId: string, stars: number, by: 1 | -1): Promise<void> {
  await sql`update profiles set review_stars[${stars}::integer] = review_stars[${stars}::integer] + ${by}::integer
    where account_id = ${accountId}`.execute(tx);
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

export async function findReviewStars(db: Db, accountId: string): Promise<StarCounts> {
  const row = await db
    .selectFrom('profiles')
    .select('review_stars')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.review_stars ?? [];
}
