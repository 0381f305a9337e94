import { randomBytes } from 'node:crypto';
import { subtractMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { BusinessDomain, BusinessVerification } from '@nearhand/contract/people/business-verification';
import {
  type BusinessDocumentKind,
  businessProofLimits,
  domainProofName,
  domainRecord,
  domainRecordName,
} from '@nearhand/contract/people/business-verification.rules';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { type Insertable, type Selectable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { findDomainProof, type ProofResult } from '../../platform/domain-verification/domain-proof.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import type { BusinessDocuments, BusinessDomains } from '../../platform/tables.gen.ts';
import { isPending } from '../businesses/businesses.rules.ts';
import { lockTeam, requireMay } from '../businesses/businesses.ts';
import { storedFileOf } from '../files/files.sql.ts';
import { findOwnFile } from '../files/files.ts';

export async function findProofOf(db: Db, businessId: string) {
  const row = await db
    .selectFrom('businesses')
    .select(['id', 'version', 'status', 'name', 'legalName', 'registrationNumber', 'vatId', 'submittedAt'])
    .select(['registeredStreet', 'registeredPostcode', 'registeredTown'])
    .select(['countryCode', 'address', 'area', 'website', 'email', 'phone', 'createdAt'])
    .select(
      sql<number>`(select count(*) from jobs where business_id = businesses.id and status = 'open')`.as(
        'openJobs',
      ),
    )
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row && { ...row, status: row.status };
}

/** Legal names of verified businesses that the account owns. */
export async function verifiedBusinessNames(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('business_members as member')
    .innerJoin('businesses as business', 'business.id', 'member.businessId')
    .select('business.legalName')
    .where('member.accountId', '=', accountId)
    .where('member.role', '=', 'owner')
    .where('business.status', '=', 'verified')
    .orderBy('business.id')
    .execute();
  return rows.map((row) => row.legalName).filter((name) => name !== '');
}

async function findDocuments(db: Db, businessId: string) {
  const rows = await db
    .selectFrom('business_documents as document')
    .innerJoin('files', 'files.id', 'document.fileId')
    .select(['document.id', 'document.kind', 'document.addedAt', 'document.fileId'])
    .select(['files.accountId', 'files.purpose', 'files.name', 'files.mediaType', 'files.bytes'])
    .where('document.businessId', '=', businessId)
    .orderBy('document.id')
    .execute();
  return rows;
}

async function insertDocument(
  tx: Tx,
  row: Insertable<BusinessDocuments> & { businessId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('business_documents')
    .values(row)
    .onConflict((conflict) => conflict.column('fileId').doNothing())
    .executeTakeFirst();
  emitOfBusiness(tx, 'business', row);
  return numInsertedOrUpdatedRows === 1n;
}

async function deleteDocument(tx: Tx, document: { businessId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('business_documents')
    .where('id', '=', document.id)
    .where('businessId', '=', document.businessId)
    .executeTakeFirst();
  emitOfBusiness(tx, 'business', document);
  return numDeletedRows === 1n;
}

async function findDomain(db: Db, businessId: string) {
  return db
    .selectFrom('business_domains')
    .selectAll()
    .where('businessId', '=', businessId)
    .executeTakeFirst();
}
type DomainRow = NonNullable<Awaited<ReturnType<typeof findDomain>>>;

async function upsertDomain(
  tx: Tx,
  row: Insertable<BusinessDomains> & { businessId: string; domain: string; token: string },
): Promise<void> {
  await tx
    .insertInto('business_domains')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('businessId')
        .doUpdateSet({
          domain: row.domain,
          token: row.token,
          createdAt: row.createdAt,
          checkedAt: null,
          method: null,
          triedAt: null,
          problem: null,
        })
        .where('business_domains.domain', '<>', row.domain),
    )
    .execute();
  emitOfBusiness(tx, 'business', row);
}

async function claimTry(
  db: Db,
  businessId: string,
  times: { now: Date; before: Date },
): Promise<DomainRow | undefined> {
  return db
    .updateTable('business_domains')
    .set({ triedAt: times.now })
    .where('businessId', '=', businessId)
    .where((eb) => eb.or([eb('triedAt', 'is', null), eb('triedAt', '<=', times.before)]))
    .returningAll()
    .executeTakeFirst();
}

/** Stores a check's result, unless the domain was replaced in the meantime. */
async function storeResult(
  tx: Tx,
  domain: Pick<DomainRow, 'businessId' | 'token'>,
  result: Pick<Selectable<BusinessDomains>, 'checkedAt' | 'method' | 'problem'>,
): Promise<void> {
  await tx
    .updateTable('business_domains')
    .set(result)
    .where('businessId', '=', domain.businessId)
    .where('token', '=', domain.token)
    .execute();
  emitOfBusiness(tx, 'business', domain);
}

export function findVerificationMoves(db: Db, businessId: string) {
  return db
    .selectFrom('business_moves')
    .select(['action', 'fromStatus', 'toStatus', 'reason', 'at'])
    .$narrowType<{ toStatus: BusinessStatus }>()
    .where('businessId', '=', businessId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

async function findLastDecision(db: Db, businessId: string) {
  return db
    .selectFrom('business_moves')
    .select(['toStatus', 'reason', 'at'])
    .where('businessId', '=', businessId)
    .where('action', 'in', ['verify', 'request-info', 'reject'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findOwners(db: Db, businessId: string) {
  return db
    .selectFrom('business_members as member')
    .innerJoin('accounts', 'accounts.id', 'member.accountId')
    .leftJoin('profiles', 'profiles.accountId', 'member.accountId')
    .leftJoin('phone_checks as checked', (join) =>
      join.onRef('checked.accountId', '=', 'member.accountId').onRef('checked.phone', '=', 'profiles.phone'),
    )
    .select(['member.accountId', 'accounts.name', 'accounts.email', 'checked.checkedAt'])
    .where('member.businessId', '=', businessId)
    .where('member.role', '=', 'owner')
    .orderBy('member.createdAt')
    .execute();
}

type BusinessRef = { businessId: string };

/** The verification of a business. Owners and managers only. */
export async function getVerification(
  db: Db,
  scope: Scope,
  { businessId }: BusinessRef,
): Promise<BusinessVerification> {
  return view(db, businessId, await requireMay(db, businessId, scope.actor.accountId, 'details'));
}

/** Adds an uploaded document, which the business then owns. Owners and managers only. */
export async function addDocument(
  tx: Tx,
  scope: Scope,
  { businessId, fileId, kind }: BusinessRef & { fileId: string; kind: BusinessDocumentKind },
): Promise<BusinessVerification> {
  const { accountId } = scope.actor;
  const role = await requireMay(tx, businessId, accountId, 'details');
  await requireOpen(tx, businessId);
  await findOwnFile(tx, accountId, fileId, 'business');
  const limit = businessProofLimits.documents;
  if ((await findDocuments(tx, businessId)).length >= limit)
    throw new AppError('business-proof/too-many', { limit });
  const now = scope.clock.now();
  const row = { id: newId(now), businessId, fileId, kind };
  if (!(await insertDocument(tx, { ...row, addedBy: accountId, addedAt: now })))
    throw new AppError('file/not-found');
  return view(tx, businessId, role);
}

/** Removes a document, unless staff is reviewing the business. Owners and managers only. */
export async function removeDocument(
  tx: Tx,
  scope: Scope,
  { businessId, documentId }: BusinessRef & { documentId: string },
): Promise<BusinessVerification> {
  const role = await requireMay(tx, businessId, scope.actor.accountId, 'details');
  const status = await requireOpen(tx, businessId);
  if (isPending(status)) throw new AppError('business/wrong-state', { status });
  if (!(await deleteDocument(tx, { businessId, id: documentId })))
    throw new AppError('business-proof/not-found');
  return view(tx, businessId, role);
}

const tokenBytes = 18;

/** Sets the website's domain with a new token to publish there. Owners and managers only. */
export async function startDomain(
  tx: Tx,
  scope: Scope,
  { businessId, domain }: BusinessRef & { domain: string },
): Promise<BusinessVerification> {
  const role = await requireMay(tx, businessId, scope.actor.accountId, 'details');
  await requireOpen(tx, businessId);
  const token = randomBytes(tokenBytes).toString('base64url');
  await upsertDomain(tx, { businessId, domain, token, createdAt: scope.clock.now() });
  return view(tx, businessId, role);
}

type Looked = { domain: DomainRow; result: ProofResult };

/**
 * Checks the domain before the transaction, since it may take seconds.
 * @throws business-proof/too-soon
 */
export async function lookAtDomain(scope: Scope, { businessId }: BusinessRef, db: Db): Promise<Looked> {
  await requireMay(db, businessId, scope.actor.accountId, 'details');
  const now = scope.clock.now();
  const { recheckSeconds } = businessProofLimits;
  const before = subtractMs(now, recheckSeconds * 1_000);
  const domain = await claimTry(db, businessId, { now, before });
  if (!domain && (await findDomain(db, businessId)))
    throw new AppError('business-proof/too-soon', { retryAfterSeconds: recheckSeconds });
  if (!domain) throw new AppError('business-proof/not-found');
  const servers = scope.config.DOMAIN_DNS_SERVERS;
  const result = await findDomainProof(
    {
      domain: domain.domain,
      names: [domainRecordName(domain.domain), domain.domain],
      record: domainRecord(domain.token),
      tagName: domainProofName,
      token: domain.token,
    },
    servers ? { servers } : {},
  );
  return { domain, result };
}

/** Stores the check's result. A domain loses its verification once the proof is removed. */
export async function checkDomain(
  tx: Tx,
  scope: Scope,
  { businessId }: BusinessRef,
  { domain, result }: Looked,
): Promise<BusinessVerification> {
  const role = await requireMay(tx, businessId, scope.actor.accountId, 'details');
  await storeResult(
    tx,
    domain,
    'method' in result
      ? { checkedAt: scope.clock.now(), method: result.method, problem: null }
      : { checkedAt: null, method: null, problem: result.problem },
  );
  return view(tx, businessId, role);
}

/**
 * Locks the business.
 * @throws business/wrong-state if its proof may no longer change
 */
async function requireOpen(tx: Tx, businessId: string) {
  const { status } = await lockTeam(tx, businessId);
  if (!mayChangeProof(status)) throw new AppError('business/wrong-state', { status });
  return status;
}

async function view(db: Db, businessId: string, role: MemberRole): Promise<BusinessVerification> {
  const row = await findProofOf(db, businessId);
  if (!row) throw new AppError('business/not-found');
  const decision = await findLastDecision(db, businessId);
  // The reason is shown until the business is submitted again.
  const current = decision?.toStatus === row.status ? decision : undefined;
  return {
    ...(await proofView(db, row)),
    name: row.name,
    reason: current?.reason ?? null,
    decidedAt: current?.at.toISOString() ?? null,
    maySubmit: maySubmitProof(role, row.status),
    mayChange: mayChangeProof(row.status),
  };
}

/** A business's evidence for operators: documents, domain, registers. */
export async function proofView(db: Db, row: NonNullable<Awaited<ReturnType<typeof findProofOf>>>) {
  const documents = await findDocuments(db, row.id);
  const domain = await findDomain(db, row.id);
  return {
    ...row,
    businessId: row.id,
    submittedAt: row.submittedAt?.toISOString() ?? null,
    documents: documents.map(({ id, kind, addedAt, fileId, ...file }) => ({
      id,
      kind,
      addedAt: addedAt.toISOString(),
      file: storedFileOf({ ...file, id: fileId, purpose: 'business' }),
    })),
    domain: domain ? domainView(domain) : null,
  };
}

const domainView = (row: DomainRow): BusinessDomain => ({
  domain: row.domain,
  token: row.token,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  method: row.method,
  triedAt: row.triedAt?.toISOString() ?? null,
  problem: row.problem,
});

const mayChangeProof = (status: BusinessStatus): boolean => !['suspended', 'closed'].includes(status);

const maySubmitProof = (role: MemberRole, status: BusinessStatus): boolean =>
  roleMay(role, 'ownership') && ['draft', 'needs_info', 'rejected'].includes(status);
