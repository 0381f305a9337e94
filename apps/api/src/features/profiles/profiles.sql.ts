import { recruiterRoles } from '@nearhand/contract/operation';
import type { Db, Tx } from '../../platform/db.ts';
import { tellRecord } from '../../platform/tell-records.ts';

/** What a save may change; every value is ready for its column. */
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

/** An account's profile; the profile's own columns are null where nothing was saved yet. */
export async function findProfile(db: Db, accountId: string) {
  return withProfile(db).where('accounts.id', '=', accountId).executeTakeFirst();
}

const withProfile = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .select(['accounts.id', 'name', 'version', 'phone', 'bio', 'home_label', 'home_lat', 'home_lng'])
    .select(['languages', 'availability', 'skills', 'photo_file_id', 'cv_file_id']);

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Profiles of several accounts, those without one included. */
export async function findProfiles(db: Db, accountIds: readonly string[]): Promise<ProfileRow[]> {
  if (accountIds.length === 0) return [];
  return withProfile(db)
    .where('accounts.id', 'in', [...accountIds])
    .execute();
}

/** Makes sure there is a row and locks it; two first saves at the same moment wait for each other here. */
export async function lockProfile(tx: Tx, accountId: string, now: Date): Promise<{ version: number }> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('profiles')
    .values({ account_id: accountId, updated_at: now })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) tellRecord(tx, 'profile', { id: accountId, workerId: accountId });
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
  tellRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/** Whether this worker applied to a business of which the account is owner, manager or recruiter; a withdrawn application no longer counts. */
export async function isApplicantOf(db: Db, workerId: string, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('business_members', 'business_members.business_id', 'applications.business_id')
    .select('applications.id')
    .where('worker_id', '=', workerId)
    .where('applications.status', '<>', 'withdrawn')
    .where('business_members.account_id', '=', memberId)
    .where('role', 'in', recruiterRoles)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
