import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import type { Branches } from '../../platform/tables.gen.ts';

export type BranchRow = Selectable<Branches>;

/** A branch with its open jobs, and whether a job, a member or an invitation ever named it. */
export type CountedBranch = BranchRow & { open_jobs: number; used: boolean };

const counted = (db: Db) =>
  db
    .selectFrom('branches as branch')
    .selectAll('branch')
    .select([
      sql<number>`(select count(*) from jobs where branch_id = branch.id and status = 'open')`.as(
        'open_jobs',
      ),
      sql<boolean>`exists (select from jobs where branch_id = branch.id)
        or exists (select from business_members where business_id = branch.business_id and branch.id = any(branch_ids))
        or exists (select from team_invitations where business_id = branch.business_id and branch.id = any(branch_ids))`.as(
        'used',
      ),
    ]);

/** The branches of a business, open ones first, by name. */
export const findBranches = (db: Db, businessId: string): Promise<CountedBranch[]> =>
  counted(db)
    .where('branch.business_id', '=', businessId)
    .orderBy(sql`branch.closed_at is not null`)
    .orderBy(sql`lower(branch.name)`)
    .orderBy('branch.id')
    .execute();

export const findBranch = (db: Db, branchId: string): Promise<CountedBranch | undefined> =>
  counted(db).where('branch.id', '=', branchId).executeTakeFirst();

/** The names of a business's branches by id. */
export async function findBranchNames(db: Db, businessId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('branches')
    .select(['id', 'name'])
    .where('business_id', '=', businessId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** One branch, which until the transaction ends is neither closed nor deleted. */
export const holdBranch = (tx: Tx, branchId: string): Promise<BranchRow | undefined> =>
  tx.selectFrom('branches').selectAll().where('id', '=', branchId).forShare().executeTakeFirst();

/** Whether another open branch of the business has this name, in any case. */
export async function isNameTaken(
  db: Db,
  businessId: string,
  name: string,
  except: string | null,
): Promise<boolean> {
  const row = await db
    .selectFrom('branches')
    .select('id')
    .where('business_id', '=', businessId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('closed_at', 'is', null)
    .where((eb) => (except === null ? eb.lit(true) : eb('id', '<>', except)))
    .executeTakeFirst();
  return row !== undefined;
}

export async function countBranches(db: Db, businessId: string): Promise<number> {
  const { count } = await db
    .selectFrom('branches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertBranch(tx: Tx, row: Insertable<Branches>): Promise<void> {
  await tx.insertInto('branches').values(row).execute();
  emitOfBusiness(tx, 'business', row);
}

/** Updates a branch that the caller holds by the lock of its business. */
export async function updateBranchRow(
  tx: Tx,
  branch: { id: string; business_id: string; version: number },
  changes: Updateable<Branches>,
): Promise<void> {
  await tx
    .updateTable('branches')
    .set({ ...changes, version: branch.version + 1 })
    .where('id', '=', branch.id)
    .execute();
  emitOfBusiness(tx, 'business', branch);
}

/** For a removed account: branches of its businesses name it no more as someone to ask for. */
export async function forgetContacts(tx: Tx, { accountId, words }: FormerMember): Promise<void> {
  const named = [...words];
  const rows = await tx
    .updateTable('branches')
    .set((eb) => ({
      contact_name: withoutWords('contact_name', { words }),
      contact_phone: eb
        .case()
        .when(eb('contact_phone', '=', eb.fn.any(eb.val(named))))
        .then(null)
        .else(eb.ref('contact_phone'))
        .end(),
      opening_notes: withoutWords('opening_notes', { words }),
    }))
    .where(
      sql<boolean>`business_id in (select business_id from business_members where account_id = ${accountId}
        union select business_id from team_moves where account_id = ${accountId})`,
    )
    .where(
      sql<boolean>`(contact_phone = any(${named}) or contact_name || ' ' || opening_notes <> without_words(contact_name || ' ' || opening_notes, ${named}))`,
    )
    .returning('business_id')
    .execute();
  for (const row of rows) emitOfBusiness(tx, 'business', row);
}

export async function deleteBranchRow(tx: Tx, branch: { id: string; business_id: string }): Promise<void> {
  await tx.deleteFrom('branches').where('id', '=', branch.id).execute();
  emitOfBusiness(tx, 'business', branch);
}
