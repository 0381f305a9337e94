import { addMs, dayMs } from '@nearhand/contract/durations';
import {
  type IdentityCheckStatus,
  type IdentityCheckView,
  type IdentityDecision,
  type IdentityReview,
  identityChecks,
} from '@nearhand/contract/people/identity-checks';
import {
  type IdentityDocument,
  type IdentitySide,
  identityCheckLimits,
  type identitySides,
} from '@nearhand/contract/people/identity-checks.rules';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';
import type { IdentityChecks } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { accountToCheck } from '../accounts/accounts.ts';
import { storedFileOf } from '../files/files.sql.ts';
import { deleteFilesNow, findOwnFile } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';

const columns = [
  'id',
  'accountId',
  'document',
  'name',
  'status',
  'reason',
  'submittedAt',
  'decidedAt',
] as const;

type CheckRow = {
  id: string;
  accountId: string;
  document: IdentityDocument;
  name: string;
  status: IdentityCheckStatus;
  reason: string | null;
  submittedAt: Date;
  decidedAt: Date | null;
};

/** Serializes an account's checks. Returns the account's name. */
async function lockAccount(tx: Tx, accountId: string): Promise<string> {
  const row = await tx
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name ?? '';
}

/** SQL order: the open check, then the verified one of this name, which later refusals don't end, then the last. */
export const currentFirst = (name: RawBuilder<unknown>) =>
  sql`status = 'submitted' desc, (status = 'verified' and name = ${name}) desc, submitted_at desc, id desc`;

async function findCurrent(db: Db, accountId: string, name: string): Promise<CheckRow | undefined> {
  return db
    .selectFrom('identity_checks')
    .select(columns)
    .where('accountId', '=', accountId)
    .orderBy(currentFirst(sql`${name}`))
    .limit(1)
    .executeTakeFirst();
}

/** The decision that refused a check, and its photos: whether they are stored, and whether an appeal needs them. */
async function findRefusal(db: Db, checkId: string) {
  const { rows } = await sql<{ decisionId: string | null; appealed: boolean; stored: boolean }>`
    select sanction.id as decision_id, appeal.id is not null as appealed,
      exists (select from identity_photos photo where photo.check_id = identity_check.id) as stored
    from identity_checks identity_check
    left join sanctions sanction on sanction.identity_check_id = identity_check.id
    left join appeals appeal on appeal.sanction_id = sanction.id and appeal.outcome is null
    where identity_check.id = ${checkId}`.execute(db);
  return rows[0] ?? { decisionId: null, appealed: false, stored: false };
}

async function findChecks(db: Db, accountId: string, limit: number): Promise<CheckRow[]> {
  return db
    .selectFrom('identity_checks')
    .select(columns)
    .where('accountId', '=', accountId)
    .orderBy('submittedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

async function findCheck(db: Db, checkId: string): Promise<CheckRow | undefined> {
  return db.selectFrom('identity_checks').select(columns).where('id', '=', checkId).executeTakeFirst();
}

/** Returns whether the identity was verified under this name; a changed name needs another check. */
export async function isIdentityChecked(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity_checks')
    .select('id')
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return row !== undefined;
}

async function findNewestVerified(db: Db, accountId: string): Promise<CheckRow | undefined> {
  return db
    .selectFrom('identity_checks')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('status', '=', 'verified')
    .orderBy('submittedAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

async function insertCheck(tx: Tx, row: Insertable<IdentityChecks> & { accountId: string }): Promise<void> {
  await tx.insertInto('identity_checks').values(row).execute();
  emitAccount(tx, row.accountId);
}

async function insertPhotos(
  tx: Tx,
  photos: readonly { fileId: string; checkId: string; side: IdentitySide }[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('identity_photos')
    .values([...photos])
    .onConflict((conflict) => conflict.column('fileId').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === BigInt(photos.length);
}

async function findPhotos(db: Db, checkId: string) {
  return db
    .selectFrom('identity_photos as photo')
    .innerJoin('files', 'files.id', 'photo.fileId')
    .select(['photo.side', 'files.id', 'files.accountId', 'files.purpose', 'files.name'])
    .select(['files.mediaType', 'files.bytes'])
    .where('photo.checkId', '=', checkId)
    .orderBy(sql`array_position('{front,back,selfie}', photo.side)`)
    .execute();
}

async function storeDecision(
  tx: Tx,
  check: { id: string; accountId: string },
  from: IdentityCheckStatus,
  decided: { status: IdentityCheckStatus; reason: string | null; decidedBy?: string; decidedAt?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identity_checks')
    .set(decided)
    .where('id', '=', check.id)
    .where('status', '=', from)
    .executeTakeFirst();
  emitAccount(tx, check.accountId);
  return numUpdatedRows === 1n;
}

async function deletePhotos(tx: Tx, checkId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('identity_photos')
    .where('checkId', '=', checkId)
    .returning('fileId')
    .execute();
  return rows.map(({ fileId }) => fileId);
}

export async function deleteIdentityChecks(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('identity_checks').where('accountId', '=', accountId).execute();
}

const { max, perDays, photosKeptDays } = identityCheckLimits;

/** Photos that an appeal kept past their 30 days (`storedAt`) are deleted within a day of it. */
function photosDeletedAt(decidedAt: Date, storedAt: Date | null): Date {
  const planned = addMs(decidedAt, photosKeptDays * dayMs);
  return storedAt !== null && planned <= storedAt ? addMs(storedAt, dayMs) : planned;
}

/** The caller's check. Needs no verified email. */
async function myCheck(db: Db, { actor, clock }: Scope): Promise<IdentityCheckView> {
  const name = (await accountToCheck(db, actor.accountId))?.name ?? '';
  const row = await findCurrent(db, actor.accountId, name);
  if (!row)
    return {
      status: 'none',
      document: null,
      name: null,
      submittedAt: null,
      decidedAt: null,
      reason: null,
      photosDeletedAt: null,
      decisionId: null,
      maySend: true,
    };
  const { decisionId, appealed, stored } = await findRefusal(db, row.id);
  const isAppealed = row.status === 'refused' && appealed;
  return {
    ...row,
    status: isForAnotherName(row, name) ? 'changed' : row.status,
    submittedAt: row.submittedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    photosDeletedAt:
      row.decidedAt === null || isAppealed
        ? null
        : photosDeletedAt(row.decidedAt, stored ? clock.now() : null).toISOString(),
    decisionId: row.status === 'refused' ? decisionId : null,
    maySend: maySend(row, name),
  };
}

const maySend = (row: CheckRow | undefined, name: string): boolean =>
  !row || row.status === 'needs_info' || row.status === 'refused' || isForAnotherName(row, name);

/** The badge covers only the name on the document. */
const isForAnotherName = (row: CheckRow, name: string): boolean =>
  row.status === 'verified' && row.name !== name;

type Sent = {
  document: IdentityDocument;
  frontFileId: string;
  backFileId: string | null;
  selfieFileId: string;
};

/** Sends the caller's document and selfie to staff. A verified one is repeated only under another name. */
async function submitCheck(tx: Tx, scope: Scope, submission: Sent): Promise<IdentityCheckView> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const name = await lockAccount(tx, accountId);
  if (name.trim() === '') throw new AppError('identity-check/name-missing');
  const current = await findCurrent(tx, accountId, name);
  if (current && !maySend(current, name))
    throw new AppError('identity-check/wrong-state', { status: current.status });
  requireRoom(await findChecks(tx, accountId, max), now);
  const row = { id: newId(now), accountId, document: submission.document, name };
  await insertCheck(tx, { ...row, checker: staffChecker.name, status: 'submitted', submittedAt: now });
  await addPhotos(tx, accountId, row.id, submission);
  await staffChecker.begin(tx, row);
  return myCheck(tx, scope);
}

function requireRoom(checks: readonly CheckRow[], now: Date): void {
  const first = checks.at(max - 1);
  const free = first && first.submittedAt.getTime() + perDays * dayMs;
  if (free && free > now.getTime())
    throw new AppError('identity-check/too-many', {
      retryAfterSeconds: Math.ceil((free - now.getTime()) / 1_000),
    });
}

async function addPhotos(tx: Tx, accountId: string, checkId: string, submission: Sent): Promise<void> {
  const photo = (side: (typeof identitySides)[number], fileId: string) => ({
    fileId,
    checkId,
    side,
  });
  const photos = [
    photo('front', submission.frontFileId),
    ...(submission.backFileId === null ? [] : [photo('back', submission.backFileId)]),
    photo('selfie', submission.selfieFileId),
  ];
  for (const { fileId } of photos) await findOwnFile(tx, accountId, fileId, 'identity');
  if (!(await insertPhotos(tx, photos))) throw new AppError('file/not-found');
}

const earlierShown = 10;

/**
 * A check under review; undefined once decided.
 * @throws operator/own-record
 */
export async function identityCase(
  db: Db,
  scope: Scope,
  checkId: string,
): Promise<IdentityReview | undefined> {
  const row = await findCheck(db, checkId);
  if (row?.status !== 'submitted') return undefined;
  if (row.accountId === scope.actor.accountId) throw new AppError('operator/own-record');
  return identityEvidence(db, checkId);
}

/** A check in any state as evidence, or undefined once it is deleted. The caller checks access. */
export async function identityEvidence(db: Db, checkId: string): Promise<IdentityReview | undefined> {
  const row = await findCheck(db, checkId);
  if (!row) return undefined;
  const account = await accountToCheck(db, row.accountId);
  if (!account) return undefined;
  const photos = await findPhotos(db, checkId);
  const checks = await findChecks(db, row.accountId, earlierShown + 1);
  return {
    ...row,
    checkId,
    account,
    photos: photos.map(({ side, ...file }) => ({
      side,
      file: storedFileOf({ ...file, purpose: 'identity' }),
    })),
    submittedAt: row.submittedAt.toISOString(),
    earlier: checks
      .filter(({ id }) => id !== checkId)
      .map((check) => ({
        document: check.document,
        status: check.status,
        reason: check.reason,
        submittedAt: check.submittedAt.toISOString(),
      })),
  };
}

/** The name on the newest verified document, which payouts require, and since when. */
export async function verifiedNameOf(
  db: Db,
  accountId: string,
): Promise<{ name: string; at: Date } | undefined> {
  const row = await findNewestVerified(db, accountId);
  return row && { name: row.name, at: row.decidedAt ?? row.submittedAt };
}

/** Port for identity checks; Stripe Identity would be another adapter (ADR 183). */
type IdentityChecker = {
  /** Stored with each check; the case queue shows `staff` checks. */
  name: 'staff';
  /** Runs in the storing transaction: a provider enqueues the photos' upload. */
  begin(tx: Tx, check: { id: string }): Promise<void>;
};

/** Staff handles checks through the case queue, so there is nothing to start. */
const staffChecker: IdentityChecker = { name: 'staff', begin: async () => {} };

const deletePhotosTask = defineTask({
  name: 'identity-checks.delete-photos',
  payload: z.object({ checkId: z.uuid() }),
  queue: 'housekeeping',
  run: (scope, { checkId }) => deletePhotosOf(scope, checkId),
});

const statusAfter = { verify: 'verified', 'request-info': 'needs_info', refuse: 'refused' } as const;

/** Decides a check as an operator, and deletes the photos in 30 days. A repeat changes nothing. */
async function decideIdentity(
  tx: Tx,
  scope: Scope,
  { checkId, decision, reason }: { checkId: string; decision: IdentityDecision; reason: string },
): Promise<{ checkId: string; status: IdentityCheckStatus }> {
  const row = await findCheck(tx, checkId);
  if (!row) throw new AppError('identity-check/not-found');
  const by = scope.actor.accountId;
  if (row.accountId === by) throw new AppError('operator/own-record');
  const status = statusAfter[decision];
  const decidedAt = scope.clock.now();
  const decided = { status, reason: reason || null, decidedBy: by, decidedAt };
  if (!(await storeDecision(tx, row, 'submitted', decided))) {
    const current = await findCheck(tx, row.id);
    if (current?.status === status) return { checkId, status };
    throw new AppError('identity-check/wrong-state', { status: current?.status ?? row.status });
  }
  await deletePhotosAt(tx, checkId, photosDeletedAt(decidedAt, null));
  await peopleHooks.on.identityDecided(tx, scope, row, { decision, reason, by });
  return { checkId, status };
}

/**
 * Verifies a document whose refusal was reversed, or asks for new photos with this reason if they are deleted: the time of
 * the refusal stays, because the photos were deleted 30 days after it. The caller checks access and notifies.
 * @returns whether it is verified
 */
export async function reverseIdentity(
  tx: Tx,
  scope: Scope,
  { checkId, reason }: { checkId: string; reason: string | null },
): Promise<boolean> {
  const row = await findCheck(tx, checkId);
  if (row?.status !== 'refused') return false;
  const decidedAt = scope.clock.now();
  const isVerified = (await findPhotos(tx, checkId)).length > 0;
  if (isVerified) {
    const decidedBy = scope.actor.accountId;
    await storeDecision(tx, row, 'refused', { status: 'verified', reason: null, decidedBy, decidedAt });
    await deletePhotosAt(tx, checkId, photosDeletedAt(decidedAt, null));
  } else await storeDecision(tx, row, 'refused', { status: 'needs_info', reason });
  return isVerified;
}

const deletePhotosAt = (tx: Tx, checkId: string, runAt: Date) =>
  enqueue(tx, deletePhotosTask, { checkId }, { runAt, key: `identity-photos/${checkId}` });

/** Deletes the photos, or tries again the next day while an appeal against the refusal is open, which needs them. */
async function deletePhotosOf(
  { db, clock }: Pick<TaskScope, 'db' | 'clock'>,
  checkId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await findRefusal(tx, checkId)).appealed)
      return deletePhotosAt(tx, checkId, addMs(clock.now(), dayMs));
    await deleteFilesNow(tx, await deletePhotos(tx, checkId));
  });
}

export const identityChecksTasks = [deletePhotosTask];

export const identityChecksRoutes = {
  mine: read(identityChecks.mine, myCheck),
  submit: write(identityChecks.submit, submitCheck),
  decide: write(identityChecks.decide, decideIdentity),
};
