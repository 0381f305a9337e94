import type { BusinessDocumentKind } from '@nearhand/contract/people/business-verification.rules';
import type { BusinessStatus } from '@nearhand/contract/people/businesses';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import type { BusinessDocuments, BusinessDomains } from '../../platform/tables.gen.ts';

/** A business as far as its verification goes. */
export async function findProofOf(db: Db, businessId: string) {
  const row = await db
    .selectFrom('businesses')
    .select(['id', 'version', 'status', 'name', 'legal_name', 'registration_number', 'submitted_at'])
    .select(['country_code', 'address', 'area', 'website', 'email', 'phone', 'created_at'])
    .select(
      sql<number>`(select count(*) from jobs where business_id = businesses.id and status = 'open')`.as(
        'open_jobs',
      ),
    )
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row && { ...row, status: row.status as BusinessStatus };
}

/** Legal names of the verified businesses that an account owns. */
export async function findOwnedNames(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('business_members as member')
    .innerJoin('businesses as business', 'business.id', 'member.business_id')
    .select('business.legal_name')
    .where('member.account_id', '=', accountId)
    .where('member.role', '=', 'owner')
    .where('business.status', '=', 'verified')
    .orderBy('business.id')
    .execute();
  return rows.map((row) => row.legal_name).filter((name) => name !== '');
}

export async function findDocuments(db: Db, businessId: string) {
  const rows = await db
    .selectFrom('business_documents as document')
    .innerJoin('files', 'files.id', 'document.file_id')
    .select(['document.id', 'document.kind', 'document.added_at', 'document.file_id'])
    .select(['files.account_id', 'files.purpose', 'files.name', 'files.media_type', 'files.bytes'])
    .where('document.business_id', '=', businessId)
    .orderBy('document.id')
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as BusinessDocumentKind }));
}

export async function insertDocument(
  tx: Tx,
  row: Insertable<BusinessDocuments> & { business_id: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('business_documents')
    .values(row)
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .executeTakeFirst();
  emitOfBusiness(tx, 'business', row);
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteDocument(
  tx: Tx,
  document: { business_id: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('business_documents')
    .where('id', '=', document.id)
    .where('business_id', '=', document.business_id)
    .executeTakeFirst();
  emitOfBusiness(tx, 'business', document);
  return numDeletedRows === 1n;
}

export async function findDomain(db: Db, businessId: string) {
  return db
    .selectFrom('business_domains')
    .selectAll()
    .where('business_id', '=', businessId)
    .executeTakeFirst();
}
export type DomainRow = NonNullable<Awaited<ReturnType<typeof findDomain>>>;

/** Stores the domain of a business. The same domain again changes nothing. */
export async function putDomain(
  tx: Tx,
  row: Insertable<BusinessDomains> & { business_id: string; domain: string; token: string },
): Promise<void> {
  await tx
    .insertInto('business_domains')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('business_id')
        .doUpdateSet({
          domain: row.domain,
          token: row.token,
          created_at: row.created_at,
          checked_at: null,
          method: null,
          tried_at: null,
          problem: null,
        })
        .where('business_domains.domain', '<>', row.domain),
    )
    .execute();
  emitOfBusiness(tx, 'business', row);
}

/** Notes that a domain is checked now; undefined if there is none, or it was checked after `before`. */
export async function claimTry(
  db: Db,
  businessId: string,
  times: { now: Date; before: Date },
): Promise<DomainRow | undefined> {
  return db
    .updateTable('business_domains')
    .set({ tried_at: times.now })
    .where('business_id', '=', businessId)
    .where((eb) => eb.or([eb('tried_at', 'is', null), eb('tried_at', '<=', times.before)]))
    .returningAll()
    .executeTakeFirst();
}

/** Stores the result of a check, unless the domain was replaced in the meantime. */
export async function storeResult(
  tx: Tx,
  domain: Pick<DomainRow, 'business_id' | 'token'>,
  result: { checked_at: Date | null; method: string | null; problem: string | null },
): Promise<void> {
  await tx
    .updateTable('business_domains')
    .set(result)
    .where('business_id', '=', domain.business_id)
    .where('token', '=', domain.token)
    .execute();
  emitOfBusiness(tx, 'business', domain);
}

/** The moves of a business, oldest first. */
export async function findMoves(db: Db, businessId: string) {
  const rows = await db
    .selectFrom('business_moves')
    .select(['action', 'from_status', 'to_status', 'reason', 'at'])
    .where('business_id', '=', businessId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, to_status: row.to_status as BusinessStatus }));
}

/** The last decision of staff about a business. */
export async function findLastDecision(db: Db, businessId: string) {
  return db
    .selectFrom('business_moves')
    .select(['to_status', 'reason', 'at'])
    .where('business_id', '=', businessId)
    .where('action', 'in', ['verify', 'request-info', 'reject'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findOwners(db: Db, businessId: string) {
  return db
    .selectFrom('business_members as member')
    .innerJoin('accounts', 'accounts.id', 'member.account_id')
    .leftJoin('profiles', 'profiles.account_id', 'member.account_id')
    .leftJoin('phone_checks as checked', (join) =>
      join
        .onRef('checked.account_id', '=', 'member.account_id')
        .onRef('checked.phone', '=', 'profiles.phone'),
    )
    .select(['member.account_id', 'accounts.name', 'accounts.email', 'checked.checked_at'])
    .where('member.business_id', '=', businessId)
    .where('member.role', '=', 'owner')
    .orderBy('member.created_at')
    .execute();
}
