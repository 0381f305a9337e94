import { randomInt } from 'node:crypto';
import { addMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { kioskPinDigits, pairingCodeDigits } from '@nearhand/contract/work/attendance.rules';
import {
  type Kiosk,
  type KioskDay,
  type KioskRecord,
  type KioskShift,
  kiosks,
} from '@nearhand/contract/work/kiosks';
import { workLimits } from '@nearhand/contract/work/limits';
import { type Selectable, sql } from 'kysely';
import { lockBranch } from '../../people/branches/branches.ts';
import { branchLimitOf, requireMay } from '../../people/businesses/businesses.ts';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError, CommittedRefusal } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { isAccepted, isSame, type Mac, type Sign, signText } from '../../platform/sign.ts';
import type { Kiosks } from '../../platform/tables.gen.ts';
import {
  recordArrival,
  recordBreak,
  recordLeaving,
  requireCodeOrPin,
  siteCodes,
} from '../attendance/attendance.ts';

type KioskRow = Selectable<Kiosks>;

/** Shifts that start within this are listed, so that a tablet knows them without a network. */
const aheadMs = 12 * hourMs;
const overdueMs = 4 * hourMs;
const seenEveryMs = 10 * minuteMs;

const storedCode = (sign: Sign, code: string): string =>
  sign.lasting('kiosk-code', code).toString('base64url');

/** Derived from the server's secret, so no PIN is stored; each shift has its own. */
const pinOf = (mac: Mac, engagementId: string): string =>
  String(mac('kiosk-pin', engagementId).readUInt32BE(0) % 10 ** kioskPinDigits).padStart(kioskPinDigits, '0');

/** Lists the tablets of a business; a member who is limited to branches sees theirs. For recruiters. */
async function listKiosks(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ kiosks: Kiosk[]; canManage: boolean }> {
  const { accountId } = scope.actor;
  const role = await requireMay(db, businessId, accountId, 'work');
  const limit = await branchLimitOf(db, businessId, accountId);
  const rows = await db
    .selectFrom('kiosks as kiosk')
    .innerJoin('branches as branch', 'branch.id', 'kiosk.branchId')
    .selectAll('kiosk')
    .select('branch.name as branchName')
    .where('kiosk.businessId', '=', businessId)
    .$if(limit !== null, (query) => query.where('kiosk.branchId', 'in', [...(limit ?? [])]))
    .orderBy(sql`lower(branch.name)`)
    .orderBy(sql`lower(kiosk.name)`)
    .orderBy('kiosk.id')
    .execute();
  const now = scope.clock.now();
  return {
    kiosks: rows.filter(({ pairedAt, pairingUntil }) => pairedAt || pairingUntil > now).map(toKiosk),
    canManage: roleMay(role, 'details'),
  };
}

const toKiosk = (row: KioskRow & { branchName: string }): Kiosk => ({
  id: row.id,
  branchId: row.branchId,
  branchName: row.branchName,
  name: row.name,
  pairedAt: row.pairedAt?.toISOString() ?? null,
  seenAt: row.seenAt?.toISOString() ?? null,
});

/**
 * Adds a tablet and returns the code that pairs it, once. Codes that expired make room. For managers.
 * @throws branch/closed, kiosk/too-many (data: limit)
 */
async function createKiosk(
  tx: Tx,
  scope: Scope,
  { branchId, name }: { branchId: string; name: string },
): Promise<{ kiosk: Kiosk; code: string; validUntil: string }> {
  const { row: branch } = await lockBranch(tx, scope, branchId);
  if (branch.closedAt !== null) throw new AppError('branch/closed');
  const now = scope.clock.now();
  await tx
    .deleteFrom('kiosks')
    .where('branchId', '=', branchId)
    .where('pairedAt', 'is', null)
    .where('pairingUntil', '<=', now)
    .execute();
  const rows = await tx.selectFrom('kiosks').select('id').where('branchId', '=', branchId).execute();
  if (rows.length >= workLimits.kiosksPerBranch)
    throw new AppError('kiosk/too-many', { limit: workLimits.kiosksPerBranch });
  const code = String(randomInt(10 ** pairingCodeDigits)).padStart(pairingCodeDigits, '0');
  const pairingUntil = addMs(now, workLimits.pairingMinutes * minuteMs);
  const row = await tx
    .insertInto('kiosks')
    .values({
      id: newId(now),
      businessId: branch.businessId,
      branchId,
      name,
      pairingCode: storedCode(scope.sign, code),
      pairingUntil,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  emitOfBusiness(tx, 'business', row);
  const kiosk = toKiosk({ ...row, branchName: branch.name });
  return { kiosk, code, validUntil: pairingUntil.toISOString() };
}

/** Removes a tablet, which stops working at once. For managers. @throws kiosk/not-found */
async function removeKiosk(tx: Tx, scope: Scope, { kioskId }: { kioskId: string }): Promise<null> {
  const row = await tx.selectFrom('kiosks').selectAll().where('id', '=', kioskId).executeTakeFirst();
  if (!row) throw new AppError('kiosk/not-found');
  const { accountId } = scope.actor;
  const role = await findRole(tx, row.businessId, accountId);
  const limit = await branchLimitOf(tx, row.businessId, accountId);
  if (role === null || (limit !== null && !limit.includes(row.branchId)))
    throw new AppError('kiosk/not-found');
  if (!roleMay(role, 'details')) throw new AppError('business/not-allowed');
  await tx.deleteFrom('kiosks').where('id', '=', kioskId).execute();
  emitOfBusiness(tx, 'business', row);
  return null;
}

/**
 * Pairs the tablet that knows the code, which works until the tablet calls `kiosks.day`: the answer with its token
 * may be lost. Anyone may call it.
 * @throws kiosk/wrong-code
 */
async function pairKiosk(
  tx: Tx,
  scope: Scope<Actor | null>,
  { code }: { code: string },
): Promise<{ token: string }> {
  const now = scope.clock.now();
  const row = await tx
    .updateTable('kiosks')
    .set({ pairedAt: now })
    .where('pairingCode', '=', storedCode(scope.sign, code))
    .where('pairingUntil', '>', now)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  if (!row) throw new AppError('kiosk/wrong-code');
  emitOfBusiness(tx, 'business', row);
  return { token: signText(scope.sign.lasting, 'kiosk', row.id) };
}

/** Finds the paired tablet of a token. @throws kiosk/not-found if a manager removed it */
async function requireKiosk(db: Db, scope: Pick<Scope, 'sign'>, token: string): Promise<KioskRow> {
  const [id = ''] = token.split('.');
  const row = isSame(token, signText(scope.sign.lasting, 'kiosk', id))
    ? await db.selectFrom('kiosks').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row?.pairedAt) throw new AppError('kiosk/not-found');
  return row;
}

/**
 * Returns the shifts and codes of the tablet's branch. A closed branch keeps its tablet until the last booked shift
 * is over; then the tablet is removed. For a paired tablet.
 */
async function kioskDay(tx: Tx, scope: Scope<Actor | null>, { token }: { token: string }): Promise<KioskDay> {
  const row = await requireKiosk(tx, scope, token);
  const now = scope.clock.now();
  if (await isClosedBranch(tx, row, now)) {
    await tx.deleteFrom('kiosks').where('id', '=', row.id).execute();
    emitOfBusiness(tx, 'business', row);
    throw new CommittedRefusal('kiosk/not-found');
  }
  if (row.seenAt === null || subtractMs(now, seenEveryMs) > row.seenAt)
    await tx.updateTable('kiosks').set({ seenAt: now, pairingCode: null }).where('id', '=', row.id).execute();
  const place = await tx
    .selectFrom('branches')
    .innerJoin('businesses', 'businesses.id', 'branches.businessId')
    .select(['branches.name as branchName', 'branches.timeZone', 'branches.contactName'])
    .select('businesses.name as businessName')
    .where('branches.id', '=', row.branchId)
    .executeTakeFirstOrThrow();
  return {
    ...place,
    opensMinutes: scope.config.CHECK_IN_OPENS_MINUTES,
    ...siteCodes(scope, row.branchId),
    shifts: await findShifts(tx, row, now),
  };
}

type ShiftRow = {
  engagementId: string;
  name: string;
  title: string;
  startsAt: Date;
  endsAt: Date;
  hereSince: Date | null;
  onBreakSince: Date | null;
};

/** Booked shifts of a branch that are not over. Someone who didn't check out stays for four hours. */
const liveShifts = ({ businessId, branchId }: KioskRow, now: Date) => sql`
  engagement.business_id = ${businessId} and job.branch_id = ${branchId} and engagement.kind = 'shift'
    and (engagement.status in ('booked', 'confirmed', 'checked_out') and engagement.ends_at > ${now}
      or engagement.status = 'checked_in' and engagement.ends_at > ${subtractMs(now, overdueMs)})`;

async function isClosedBranch(db: Db, kiosk: KioskRow, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select from branches branch where branch.id = ${kiosk.branchId} and closed_at is not null
    and not exists (select from engagements engagement join jobs job on job.id = engagement.job_id
      where ${liveShifts(kiosk, now)})`.execute(db);
  return rows.length > 0;
}

async function findShifts(db: Db, kiosk: KioskRow, now: Date): Promise<KioskShift[]> {
  const { rows } = await sql<ShiftRow>`
    select engagement.id as engagement_id, account.name, engagement.terms ->> 'title' as title, engagement.starts_at,
      engagement.ends_at, engagement.on_break_since,
      case when engagement.status = 'checked_in' then engagement.checked_in_at end as here_since
    from engagements engagement
    join jobs job on job.id = engagement.job_id
    join accounts account on account.id = engagement.worker_id
    where ${liveShifts(kiosk, now)} and engagement.starts_at < ${addMs(now, aheadMs)}
    order by engagement.starts_at, engagement.id limit ${workLimits.kioskShiftsMax}`.execute(db);
  return rows.map(({ startsAt, endsAt, hereSince, onBreakSince, ...row }) => ({
    ...row,
    name: shortName(row.name),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    hereSince: hereSince?.toISOString() ?? null,
    onBreakSince: onBreakSince?.toISOString() ?? null,
  }));
}

/** "Jonas B.": everyone at the door can read the tablet. */
function shortName(name: string): string {
  const [first = '', ...surnames] = name.trim().split(/\s+/);
  const initial = [...(surnames.at(-1) ?? '')][0];
  return initial === undefined ? first : `${first} ${initial}.`;
}

/**
 * Records a time by PIN, also one that the tablet could not send before. The device's time is corrected by the
 * server's clock, as for check-ins by phone, and a repeat changes nothing. For a paired tablet of the branch.
 */
async function recordOnKiosk(
  tx: Tx,
  scope: Scope<Actor | null>,
  { token, kind, pin, engagementId, at, sentAt }: KioskRecord,
): Promise<null> {
  const kiosk = await requireKiosk(tx, scope, token);
  const shift = await tx
    .selectFrom('engagements as engagement')
    .innerJoin('jobs as job', 'job.id', 'engagement.jobId')
    .select('engagement.workerId')
    .where('engagement.id', '=', engagementId)
    .where('job.branchId', '=', kiosk.branchId)
    .executeTakeFirst();
  if (!shift) throw new AppError('engagement/not-found');
  const workerScope: Scope = {
    ...scope,
    actor: { accountId: shift.workerId, sessionId: kiosk.id, emailVerified: true },
  };
  const input = { engagementId, at, sentAt, position: null, code: null };
  const prove = async () => {
    await requireCodeOrPin(tx, scope, {
      engagementId,
      onKiosk: true,
      isRight: async () => isAccepted(scope.sign, pin, (mac) => pinOf(mac, engagementId)),
    });
    return { how: 'kiosk' as const, located: null };
  };
  if (kind === 'check_in') await recordArrival(tx, workerScope, input, prove);
  else if (kind === 'check_out') await recordLeaving(tx, workerScope, input, prove);
  else await recordBreak(tx, workerScope, kind, input, prove);
  return null;
}

/** Returns the caller's PIN for a shift; null if its branch has no tablet. For its worker. */
async function kioskPin(
  db: Db,
  scope: Scope,
  { engagementId }: { engagementId: string },
): Promise<{ pin: string | null }> {
  const { rows } = await sql<{ paired: boolean }>`
    select exists (select from kiosks where branch_id = job.branch_id and paired_at is not null) as paired
    from engagements engagement join jobs job on job.id = engagement.job_id
    where engagement.id = ${engagementId} and engagement.worker_id = ${scope.actor.accountId}`.execute(db);
  const [shift] = rows;
  if (!shift) throw new AppError('engagement/not-found');
  return { pin: shift.paired ? pinOf(scope.sign, engagementId) : null };
}

export const kiosksRoutes = {
  list: read(kiosks.list, listKiosks),
  create: write(kiosks.create, createKiosk, { stored: false }),
  remove: write(kiosks.remove, removeKiosk),
  pair: write(kiosks.pair, pairKiosk, { stored: false }),
  day: write(kiosks.day, kioskDay, { stored: false }),
  record: write(kiosks.record, recordOnKiosk, { stored: false }),
  pin: read(kiosks.pin, kioskPin),
};
