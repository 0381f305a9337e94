import { engagementStatuses, liveEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Side } from '@nearhand/contract/sides';
import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import { releasesOf } from '../../money/holds/releases.service.ts';
import { requireRecruiter } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { disputeOf } from './dispute-view.service.ts';
import {
  amountOf,
  cancellation,
  contestBy,
  engagementActionsFor,
  lateMinutes,
  mayContestRecords,
  nextOf,
} from './engagement-actions.rules.ts';
import { attendanceOf, claimsOf, deliveriesOf } from './engagement-record.service.ts';
import {
  countWorkAt,
  type EngagementCardRow,
  type EngagementGroup,
  type EngagementViewRow,
  findEngagementView,
  findWorkAt,
  findWorkOf,
  type ListedGroup,
} from './engagement-views.sql.ts';
import { actingSide, isLiveWork, lookingSide, maySeePhone, relationTo } from './engagements.policy.ts';

type ViewScope = Pick<Scope, 'clock' | 'config'>;
type PageInput = { cursor?: string; limit: number };

const statusesOf = {
  live: liveEngagementStatuses,
  ended: engagementStatuses.filter((status) => !isLiveWork(status)),
};

/** One engagement, for its worker, the members of its business, and operators. @throws engagement/not-found */
export const getEngagement = (db: Db, scope: Scope, input: { engagementId: string }): Promise<Engagement> =>
  viewEngagement(db, scope, input.engagementId);

/**
 * One engagement as the caller may see it; the result of every operation on it. Shows the exact place, since every viewer was hired or hires.
 * @throws engagement/not-found unless the caller is its worker, a member of its business or an operator
 */
export async function viewEngagement(db: Db, scope: Scope, engagementId: string): Promise<Engagement> {
  const row = await findEngagementView(db, engagementId, scope.actor.accountId);
  const relation = relationTo(row, scope.actor);
  const side = lookingSide(relation);
  if (!row || side === null) throw new AppError('engagement/not-found');
  const acting = actingSide(relation);
  const card = cardOf(scope, row, side, acting);
  const cancelled = row.status === 'cancelled_by_worker' || row.status === 'cancelled_by_merchant';
  return {
    ...card,
    contact: acting && contactOf(row, acting, scope.clock.now()),
    photoIds: row.photo_ids,
    attendance: await attendanceOf(db, engagementId, acting === 'worker' && mayContestRecords(row.status)),
    claims: await claimsOf(db, engagementId),
    deliveries: await deliveriesOf(db, engagementId),
    dispute: await disputeOf(db, engagementId, acting),
    releases: await releasesOf(db, engagementId),
    cancelling:
      acting && card.actions.includes('cancel')
        ? cancellation(row, row.terms, acting, scope.clock.now(), scope.config)
        : null,
    cancelled: cancelled
      ? {
          late: row.cancelled_late ?? false,
          compensationMinor: row.compensation_minor ?? 0,
          reason: row.cancel_reason ?? '',
        }
      : null,
    noShow: row.no_show_at && {
      reportedAt: row.no_show_at.toISOString(),
      contestBy: contestBy(row.no_show_at, scope.config).toISOString(),
      contest: row.contest,
    },
    steps: row.steps,
  };
}

/** The caller's own work: live soonest first, or ended latest first. @throws request/bad-cursor */
export async function myEngagements(
  db: Db,
  scope: Scope,
  input: PageInput & { group: 'live' | 'ended' },
): Promise<{ items: EngagementCard[]; nextCursor: string | null }> {
  const rows = await findWorkOf(
    db,
    scope.actor.accountId,
    statusesOf[input.group],
    pageInputOf(input, input.group === 'ended'),
  );
  return pageOf(scope, rows, 'worker', input.limit);
}

/**
 * Work at a business for its recruiters, of one group or all, with counts. Each engagement is in one group: `due` is upcoming, `late` passed its start
 * without a check-in, `here` is in progress or has hours pending, `to_approve` awaits the business, `unsettled` is unresolved. Pending work is oldest
 * first; ended work and the full list are latest first.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
export async function engagementsOfBusiness(
  db: Db,
  scope: Scope,
  input: PageInput & { businessId: string; jobId?: string; group?: ListedGroup },
): Promise<{
  items: EngagementCard[];
  nextCursor: string | null;
  counts: Record<EngagementGroup, number>;
}> {
  const limit = await requireRecruiter(db, scope.actor, input.businessId);
  const now = scope.clock.now();
  const of = { businessId: input.businessId, jobId: input.jobId ?? null, limit };
  const group = input.group ?? null;
  const rows = await findWorkAt(db, of, group, now, pageInputOf(input, group === null || group === 'ended'));
  return { ...pageOf(scope, rows, 'business', input.limit), counts: await countWorkAt(db, of, now) };
}

const pageInputOf = ({ cursor, limit }: PageInput, latestFirst: boolean) => ({
  after: decodeCursor(cursor, newestCursor),
  limit: limit + 1,
  latestFirst,
});

function pageOf(scope: ViewScope, rows: readonly EngagementCardRow[], side: Side, limit: number) {
  const page = cutPage(rows, limit, (row) => [row.sort_at.toISOString(), row.id]);
  return { items: page.items.map((row) => cardOf(scope, row, side, side)), nextCursor: page.nextCursor };
}

function cardOf(scope: ViewScope, row: EngagementCardRow, side: Side, acting: Side | null): EngagementCard {
  const now = scope.clock.now();
  return {
    id: row.id,
    version: row.version,
    side,
    status: row.status,
    jobId: row.job_id,
    applicationId: row.application_id,
    business: {
      id: row.business_id,
      name: row.business_name,
      verified: row.business_verified,
      logoPath: row.business_logo_id && fileContentPath(row.business_logo_id),
    },
    worker: {
      id: row.worker_id,
      name: row.worker_name,
      photoPath: row.worker_photo_id && fileContentPath(row.worker_photo_id),
    },
    terms: row.terms,
    funding: row.funding,
    checkedInAt: row.checked_in_at?.toISOString() ?? null,
    checkedOutAt: row.checked_out_at?.toISOString() ?? null,
    onBreak: row.on_break_since !== null,
    lateMinutes: lateMinutes(row.starts_at, row.checked_in_at),
    runningLate: row.late_at && {
      minutes: row.late_minutes,
      note: row.late_note,
      at: row.late_at.toISOString(),
    },
    next: nextOf(row, now, scope.config),
    amountMinor: amountOf(row),
    actions: engagementActionsFor(row, acting, now, scope.config),
  };
}

function contactOf(row: EngagementViewRow, side: Side, now: Date): Engagement['contact'] {
  if (!maySeePhone(row, now)) return null;
  return side === 'business'
    ? { name: row.worker_name, phone: row.worker_phone, notes: null }
    : { name: row.ask_for ?? row.business_name, phone: row.business_phone, notes: row.notes };
}
