import {
  type Certificate,
  type CertificateEvidence,
  type CertificateReview,
  certificates,
} from '@nearhand/contract/people/certificates';
import {
  type CertificateKind,
  certificateExpiryProblem,
  latestExpiry,
} from '@nearhand/contract/people/certificates.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { accountToCheck } from '../accounts/accounts.ts';
import { storedFileOf } from '../files/files.sql.ts';
import { deleteFilesNow, findOwnFile } from '../files/files.ts';
import { isIdentityChecked } from '../identity-checks/identity-checks.ts';
import {
  type CertificateRow,
  decideCertificate,
  deleteCertificate,
  deleteCopyTask,
  expireTask,
  findCertificate,
  findCertificates,
  findCopy,
  insertCertificate,
  isOpenCertificate,
  remindTask,
} from './certificate-decisions.ts';

const certificatesMax = 50;

/** The caller's unreplaced certificates, newest first. Needs no verified email. */
async function myCertificates(db: Db, { actor }: Scope): Promise<Certificate[]> {
  const rows = await findCertificates(db, actor.accountId, certificatesMax);
  const name = (await accountToCheck(db, actor.accountId))?.name ?? '';
  return rows.filter(({ status }) => status !== 'replaced').map((row) => view(row, name));
}

const view = (row: CertificateRow & { decisionId: string | null }, name: string): Certificate => ({
  ...row,
  submittedAt: row.submittedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  isForAnotherName: row.name !== name,
});

/** Sends a certificate to staff, one open per kind; a confirmed one stays until the new one is checked. */
async function addCertificate(
  tx: Tx,
  scope: Scope,
  { kind, expiresOn, fileId }: { kind: CertificateKind; expiresOn: string; fileId: string },
): Promise<Certificate[]> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const problem = certificateExpiryProblem(expiresOn, now);
  if (problem === 'expired') throw new AppError('certificate/expired');
  if (problem === 'too-far') throw new AppError('certificate/too-far', { latest: latestExpiry(now) });
  const name = (await accountToCheck(tx, accountId))?.name.trim() ?? '';
  if (name === '') throw new AppError('certificate/name-missing');
  await findOwnFile(tx, accountId, fileId, 'certificate');
  const row = { id: newId(now), accountId, kind, name, expiresOn, fileId };
  if (!(await insertCertificate(tx, { ...row, status: 'submitted', submittedAt: now }))) {
    if (await isOpenCertificate(tx, accountId, kind))
      throw new AppError('certificate/wrong-state', { status: 'submitted' });
    throw new AppError('file/not-found');
  }
  return myCertificates(tx, scope);
}

/** Deletes the caller's certificate and its copy. */
async function removeCertificate(
  tx: Tx,
  scope: Scope,
  { certificateId }: { certificateId: string },
): Promise<Certificate[]> {
  const row = await deleteCertificate(tx, { id: certificateId, accountId: scope.actor.accountId });
  if (!row) throw new AppError('certificate/not-found');
  if (row.fileId !== null) await deleteFilesNow(tx, [row.fileId]);
  return myCertificates(tx, scope);
}

/**
 * A certificate under review; undefined once decided.
 * @throws operator/own-record
 */
export async function certificateCase(
  db: Db,
  scope: Scope,
  certificateId: string,
): Promise<CertificateReview | undefined> {
  const row = await findCertificate(db, certificateId);
  if (row?.status !== 'submitted' || row.fileId === null) return undefined;
  if (row.accountId === scope.actor.accountId) throw new AppError('operator/own-record');
  const account = await accountToCheck(db, row.accountId);
  const file = await findCopy(db, row.fileId);
  if (!account || !file) return undefined;
  return {
    ...row,
    certificateId,
    file: storedFileOf({ ...file, purpose: 'certificate' }),
    account,
    submittedAt: row.submittedAt.toISOString(),
    identityChecked: await isIdentityChecked(db, row.accountId, row.name),
  };
}

/** A certificate in any state as evidence, or undefined once it is deleted. The caller checks access. */
export async function certificateEvidence(
  db: Db,
  certificateId: string,
): Promise<CertificateEvidence | undefined> {
  const row = await findCertificate(db, certificateId);
  if (!row) return undefined;
  const file = row.fileId === null ? undefined : await findCopy(db, row.fileId);
  return {
    ...row,
    file: file ? storedFileOf({ ...file, purpose: 'certificate' }) : null,
    submittedAt: row.submittedAt.toISOString(),
    identityChecked: await isIdentityChecked(db, row.accountId, row.name),
  };
}

export const certificatesTasks = [deleteCopyTask, expireTask, remindTask];

export const certificatesRoutes = {
  mine: read(certificates.mine, myCertificates),
  add: write(certificates.add, addCertificate),
  remove: write(certificates.remove, removeCertificate),
  decide: write(certificates.decide, decideCertificate),
};
