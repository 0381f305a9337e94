import { hourMs, minuteMs } from '@nearhand/contract/durations';
import {
  type BusinessWorkGroup,
  businessWorkGroups,
  cancelledEngagementStatuses,
  type EngagementStatus,
  engagementStatuses,
  isLiveWork,
  isUpcoming,
  liveEngagementStatuses,
  statusesOfGroup,
} from '@nearhand/contract/engagement-statuses';
import { limits } from '@nearhand/contract/limits';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import type { Side, Step } from '@nearhand/contract/sides';
import {
  type DayOff,
  type DayOffAnswer,
  type Engagement,
  type EngagementAction,
  type EngagementCard,
  type ShiftChange,
  shiftChangeAnswers,
  type WorkingPerson,
} from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import { mayClaimHours } from '@nearhand/contract/work/timesheets.rules';
import { type RawBuilder, sql } from 'kysely';
import { listReleases } from '../../money/holds/releases.ts';
import { requirePermission } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Db, isoText } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { disputeOf } from './dispute-view.ts';
import {
  actingSide,
  contactOf,
  type EngagementRelation,
  engagementSide,
  relationToWork,
} from './engagement-access.ts';
import {
  amountOf,
  type Cancellation,
  cancellationTerms,
  contestBy,
  dayOffAnswerBy,
  dayOffDeadline,
  engagementActionsFor,
  lateMinutes,
  mayContestRecords,
  nextOf,
} from './engagement-actions.rules.ts';
import { attendanceOf, claimsOf, listDeliveries } from './engagement-record.ts';
import { type EngagementRow, hasOtherDays, isSetAsideAgain, isTakenOver } from './engagements.sql.ts';

const statusesOf = {
  live: liveEngagementStatuses,
  ended: engagementStatuses.filter((status) => !isLiveWork(status)),
};

/** Returns an engagement to its worker, members of its business and operators. */
export const getEngagement = (db: Db, scope: Scope, input: { engagementId: string }): Promise<Engagement> =>
  viewEngagement(db, scope, input.engagementId);

/**
 * Shows the exact place, since every viewer was hired or hires.
 * @throws engagement/not-found for anyone else
 */
export async function viewEngagement(db: Db, scope: Scope, engagementId: string): Promise<Engagement> {
  const row = await findEngagementView(db, engagementId, scope.actor.accountId);
  const relation = relationToWork(row, scope.actor);
  const side = engagementSide(relation);
  if (!row || side === null) throw new AppError('engagement/not-found');
  const acting = actingSide(relation);
  const card = workCard(scope, row, side, relation);
  const claims = await claimsOf(db, engagementId);
  const isCancelled = row.status === 'cancelled_by_worker' || row.status === 'cancelled_by_merchant';
  return {
    ...card,
    actions: card.actions.filter((action) => action !== 'submit-hours' || mayClaimHours(claims)),
    contact: acting && contactOf(row, acting, scope.clock.now()),
    photoIds: row.photoIds,
    plannedHoldId: acting === 'business' ? row.plannedHoldId : null,
    change: changeView(row, acting, scope.clock.now()),
    dayOff: dayOffView(row, acting, scope.clock.now()),
    dayOffAsk: acting === 'worker' ? dayOffAsk(scope, row) : null,
    attendance: await attendanceOf(db, engagementId, acting === 'worker' && mayContestRecords(row.status)),
    claims,
    deliveries: await listDeliveries(db, engagementId),
    dispute: await disputeOf(db, engagementId, actingSide(relation, 'settle')),
    releases: await listReleases(db, engagementId),
    cancelling:
      acting && card.actions.includes('cancel')
        ? cancellingView({
            ...(await cancellationNow(db, scope, row, acting)),
            setAsideAgain: acting === 'business' && (await isSetAsideAgain(db, row.jobId, scope.clock.now())),
          })
        : null,
    cancelled: isCancelled
      ? {
          late: row.cancelledLate ?? false,
          compensationMinor: row.compensationMinor ?? 0,
          reason: row.cancelReason ?? '',
        }
      : null,
    noShow: row.noShowAt && {
      reportedAt: row.noShowAt.toISOString(),
      contestBy: contestBy(row.noShowAt, scope.config).toISOString(),
      contest: row.contest,
    },
    steps: row.steps,
  };
}

/** The cost of cancelling now. A taken-over shift can't be undone, or two people could drop it. */
export async function cancellationNow(
  db: Db,
  scope: ClockConfigScope,
  row: EngagementRow,
  side: Side,
): Promise<Cancellation> {
  const ending = cancellationTerms(row, row.terms, side, scope.clock.now(), scope.config);
  return ending.freeUntil && (await isTakenOver(db, row)) ? { ...ending, freeUntil: null } : ending;
}

const cancellingView = ({
  freeUntil,
  ...cost
}: Cancellation & { setAsideAgain: boolean }): Engagement['cancelling'] => ({
  ...cost,
  freeUntil: freeUntil?.toISOString() ?? null,
});

/** Lists the caller's work: live soonest first, or ended latest first. */
export async function myEngagements(
  db: Db,
  scope: Scope,
  input: PageInput & { group: 'live' | 'ended' },
): Promise<Page<EngagementCard>> {
  const rows = await findWorkOf(
    db,
    scope.actor.accountId,
    statusesOf[input.group],
    pageInputOf(input, input.group === 'ended'),
  );
  return engagementPage(scope, rows, 'worker', 'worker', input.limit);
}

/**
 * Lists a business's work by group, with counts. `due` is upcoming, `late` started without a check-in, `here`
 * in progress or with hours pending, `to_approve` awaits the business, `unsettled` is unresolved, `no_show` is reported
 * and not contested. For all members.
 */
export async function engagementsOfBusiness(
  db: Db,
  scope: Scope,
  input: PageInput & { businessId: string; jobId?: string; group?: ListedGroup },
): Promise<{
  items: EngagementCard[];
  nextCursor: string | null;
  counts: Record<BusinessWorkGroup, number> | null;
}> {
  const { role, branchIds: limit } = await requirePermission(db, scope.actor, input.businessId, 'view');
  const now = scope.clock.now();
  const selection = { businessId: input.businessId, jobId: input.jobId ?? null, limit };
  const group = input.group ?? null;
  const rows = await findWorkAt(
    db,
    selection,
    group,
    now,
    pageInputOf(input, group === null || endedGroups.includes(group)),
  );
  return {
    ...engagementPage(scope, rows, 'business', role, input.limit),
    counts: input.cursor === undefined ? await countWorkAt(db, selection, now) : null,
  };
}

type WorkingRow = Pick<WorkingPerson, 'engagementId' | 'status' | 'name' | 'title' | 'timeZone'> & {
  startsAt: Date;
  endsAt: Date;
  checkedInAt: Date | null;
  business: WorkingPerson['business'];
  branch: WorkingPerson['branch'];
};

const notWorking: readonly EngagementStatus[] = [
  ...cancelledEngagementStatuses,
  'no_show_reported',
  'contested',
];
const workingStatuses = engagementStatuses.filter((status) => !notWorking.includes(status));

/**
 * Lists who is due, late, here or done in every business whose work the caller sees, soonest start first: shifts that
 * run, start within `workingNowHours` or ended as recently. For all members but finance; recruiters who are limited
 * to branches see only these. Each business is read by `engagements_groups`, which holds few shifts of such a day.
 */
export async function workingNow(
  db: Db,
  { actor, clock }: Scope,
): Promise<{ people: WorkingPerson[]; more: boolean }> {
  const now = clock.now().getTime();
  const spanMs = workLimits.workingNowHours * hourMs;
  const { rows } = await sql<WorkingRow>`
    select engagement.id as engagement_id, engagement.status, worker.name, job.title, engagement.starts_at,
      engagement.ends_at, job.time_zone, engagement.checked_in_at,
      jsonb_build_object('id', business.id, 'name', business.name) as business,
      case when branch.id is not null then jsonb_build_object('id', branch.id, 'name', branch.name) end as branch
    from business_members member
    join businesses business on business.id = member.business_id
    join engagements engagement on engagement.business_id = member.business_id
    join jobs job on job.id = engagement.job_id
    left join branches branch on branch.id = job.branch_id
    join accounts worker on worker.id = engagement.worker_id
    where member.account_id = ${actor.accountId} and member.role in (${literals(rolesFor('work'))})
      and engagement.status in (${literals(workingStatuses)})
      and engagement.starts_at between ${new Date(now - spanMs - limits.shiftMinutesMax * minuteMs)} and ${new Date(now + spanMs)}
      and engagement.ends_at > ${new Date(now - spanMs)}
      and (member.branch_ids is null or job.branch_id = any (member.branch_ids))
    order by engagement.starts_at, engagement.id limit ${workLimits.workingNowMax + 1}`.execute(db);
  return {
    people: rows.slice(0, workLimits.workingNowMax).map(({ startsAt, endsAt, checkedInAt, ...row }) => ({
      ...row,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      checkedInAt: checkedInAt?.toISOString() ?? null,
    })),
    more: rows.length > workLimits.workingNowMax,
  };
}

const pageInputOf = ({ cursor, limit }: PageInput, latestFirst: boolean) => ({
  after: decodeCursor(cursor, newestCursor),
  limit: limit + 1,
  latestFirst,
});

function engagementPage(
  scope: ClockConfigScope,
  rows: readonly EngagementCardRow[],
  side: Side,
  relation: EngagementRelation,
  limit: number,
) {
  const page = cutPage(rows, limit, (row) => [row.sortAt.toISOString(), row.id]);
  return {
    items: page.items.map((row) => workCard(scope, row, side, relation)),
    nextCursor: page.nextCursor,
  };
}

function workCard(
  scope: ClockConfigScope,
  row: EngagementCardRow,
  side: Side,
  relation: EngagementRelation,
): EngagementCard {
  const now = scope.clock.now();
  const acting = actingSide(relation) ?? actingSide(relation, 'pay');
  return {
    ...row,
    side,
    business: {
      id: row.businessId,
      name: row.businessName,
      verified: row.businessVerified,
      logoPath: row.businessLogoId && fileContentPath(row.businessLogoId),
    },
    worker: {
      id: row.workerId,
      name: row.workerName,
      photoPath: row.workerPhotoId && fileContentPath(row.workerPhotoId),
    },
    branch: side === 'business' ? row.branch : null,
    checkedInAt: row.checkedInAt?.toISOString() ?? null,
    checkedOutAt: row.checkedOutAt?.toISOString() ?? null,
    onBreak: row.onBreakSince !== null,
    lateMinutes: lateMinutes(row.startsAt, row.checkedInAt),
    runningLate: row.lateAt && {
      minutes: row.lateMinutes,
      note: row.lateNote,
      at: row.lateAt.toISOString(),
    },
    next: nextOf(row, now, scope.config),
    amountMinor: amountOf(row),
    asPlanned: row.asPlanned ?? false,
    claimFlags: row.claimFlags ?? [],
    actions: engagementActionsFor(row, acting, now, scope.config).filter(
      (action) => actingSide(relation, neededFor(action)) !== null,
    ),
  };
}

/** The capability that an action of a business requires. */
function neededFor(action: EngagementAction): 'work' | 'settle' | 'pay' {
  if (action === 'approve') return 'pay';
  return action === 'counter' || action === 'dispute' ? 'settle' : 'work';
}

const changeView = (row: EngagementViewRow, acting: Side | null, now: Date): Engagement['change'] =>
  row.change && {
    ...row.change,
    answers:
      acting === 'worker' && row.change.status === 'open' && now < new Date(row.change.answerBy)
        ? [...shiftChangeAnswers]
        : [],
  };

const answersOf = { worker: ['withdraw'], business: ['grant', 'refuse'] } as const;

function dayOffView({ dayOff }: EngagementViewRow, acting: Side | null, now: Date): Engagement['dayOff'] {
  if (dayOff === null) return null;
  const answers: readonly DayOffAnswer[] =
    acting !== null && dayOff.status === 'open' ? answersOf[acting] : [];
  const isRefusable = now < new Date(dayOff.answerBy);
  return { ...dayOff, answers: answers.filter((answer) => answer !== 'refuse' || isRefusable) };
}

/** The deadline for its worker to ask for this day off, and the answer's deadline if they ask now; null if they may not. */
function dayOffAsk({ clock, config }: ClockConfigScope, row: EngagementViewRow): Engagement['dayOffAsk'] {
  const hasAsked = row.dayOff !== null && row.dayOff.status !== 'withdrawn';
  const until = dayOffDeadline(row, config);
  const mayAsk = row.hasOtherDays && !hasAsked && isUpcoming(row.status) && until && clock.now() < until;
  if (!mayAsk) return null;
  return { until: until.toISOString(), answerBy: dayOffAnswerBy(row, clock.now(), config).toISOString() };
}

type EngagementCardRow = EngagementRow & {
  businessName: string;
  businessVerified: boolean;
  businessLogoId: string | null;
  workerName: string;
  workerPhotoId: string | null;
  branch: EngagementCard['branch'];
  claimBy: 'worker' | 'business' | 'timer' | null;
  /** Null if there is no claim. */
  asPlanned: boolean | null;
  claimFlags: EngagementCard['claimFlags'] | null;
  unconfirmed: boolean;
  excused: boolean;
};

type EngagementViewRow = EngagementCardRow & {
  role: MemberRole | null;
  steps: Step<EngagementStatus>[];
  cancelReason: string | null;
  photoIds: string[];
  plannedHoldId: string | null;
  change: Omit<ShiftChange, 'answers'> | null;
  dayOff: Omit<DayOff, 'answers'> | null;
  hasOtherDays: boolean;
  workerPhone: string | null;
  businessPhone: string | null;
  notes: string | null;
  /** The branch's contact person, the recruiter who made the offer, otherwise an owner. */
  askFor: string | null;
};

const columns = sql`engagement.*, business.name as business_name, business.status = 'verified' as business_verified,
  business.logo_file_id as business_logo_id, worker.name as worker_name, profile.photo_file_id as worker_photo_id,
  (select jsonb_build_object('id', branch.id, 'name', branch.name) from jobs job join branches branch on branch.id = job.branch_id
    where job.id = engagement.job_id) as branch,
  claim.by_side as claim_by, claim.as_planned, claim.flags as claim_flags,
  engagement.status = 'cancelled_by_worker' and exists (
    select from engagement_moves where engagement_id = engagement.id and action = 'lapse') as unconfirmed,
  engagement.status = 'cancelled_by_worker' and exists (
    select from engagement_moves where engagement_id = engagement.id and action = 'excuse') as excused`;
const tables = sql`engagements engagement
  join businesses business on business.id = engagement.business_id
  join accounts worker on worker.id = engagement.worker_id
  left join profiles profile on profile.account_id = engagement.worker_id
  left join lateral (
    select by_side, flags, flags = '{}' and greatest(
        abs(extract(epoch from hours.starts_at - engagement.starts_at)),
        abs(extract(epoch from hours.ends_at - engagement.ends_at)),
        abs(hours.break_minutes - (engagement.terms ->> 'breakMinutes')::integer) * 60
      ) <= ${sql.lit(workLimits.asPlannedMinutes * 60)} as as_planned
    from hours_claims hours where hours.engagement_id = engagement.id order by hours.at desc, hours.id desc limit 1
  ) claim on true`;

async function findEngagementView(
  db: Db,
  engagementId: string,
  accountId: string,
): Promise<EngagementViewRow | undefined> {
  const { rows } = await sql<EngagementViewRow>`
    select ${columns},
      (select role from job_members member
        where member.job_id = engagement.job_id and member.account_id = ${accountId}::uuid) as role,
      (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side,
        'at', ${isoText(sql`at`)}, 'reason', reason) order by at, id), '[]')
        from engagement_moves where engagement_id = engagement.id) as steps,
      (select reason from engagement_moves where engagement_id = engagement.id and action in ('cancel', 'excuse') limit 1) as cancel_reason,
      (select jsonb_build_object('id', change.id, 'status', change.status, 'before', change.before, 'after', change.after,
          'answerBy', ${isoText(sql`change.answer_by`)}, 'createdAt', ${isoText(sql`change.created_at`)},
          'updatedAt', ${isoText(sql`change.updated_at`)},
          'togetherCount', (select count(*) from shift_changes other
            where other.worker_id = change.worker_id and other.edit = change.edit and other.status = 'open'))
        from shift_changes change where change.engagement_id = engagement.id
        order by change.created_at desc, change.id desc limit 1) as change,
      (select jsonb_build_object('id', request.id, 'status', request.status, 'reason', request.reason,
          'answerBy', ${isoText(sql`request.answer_by`)}, 'createdAt', ${isoText(sql`request.created_at`)})
        from days_off request where request.engagement_id = engagement.id
        order by request.created_at desc, request.id desc limit 1) as day_off,
      ${hasOtherDays(sql`engagement`)} as has_other_days,
      (select id from holds where holds.engagement_id = engagement.id and engagement.funding = 'planned') as planned_hold_id,
      array(select file_id::text from job_photos where job_id = engagement.job_id order by position) as photo_ids,
      profile.phone as worker_phone, coalesce(branch.contact_phone, business.phone) as business_phone,
      nullif(branch.opening_notes, '') as notes,
      coalesce(nullif(branch.contact_name, ''),
        (select hirer.name from offer_moves move join business_members member
            on member.business_id = engagement.business_id and member.account_id::text = move.actor
            join accounts hirer on hirer.id = member.account_id
          where move.offer_id = engagement.offer_id and move.side = 'business' order by move.at desc limit 1),
        (select owner.name from business_members member join accounts owner on owner.id = member.account_id
          where member.business_id = engagement.business_id and member.role = 'owner' order by member.created_at limit 1)) as ask_for
    from ${tables} join jobs job on job.id = engagement.job_id left join branches branch on branch.id = job.branch_id
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

type EngagementPage = {
  after: readonly [string, string] | null;
  limit: number;
  latestFirst: boolean;
};

const engagementViewsPageOf = ({ after, limit, latestFirst }: EngagementPage) => {
  const compare = latestFirst ? sql`<` : sql`>`;
  const direction = latestFirst ? sql`desc` : sql`asc`;
  return sql`
    ${after ? sql`and (engagement.sort_at, engagement.id) ${compare} (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by engagement.sort_at ${direction}, engagement.id ${direction} limit ${limit}`;
};

async function findWorkOf(
  db: Db,
  workerId: string,
  statuses: readonly string[],
  page: EngagementPage,
): Promise<EngagementCardRow[]> {
  const { rows } = await sql<EngagementCardRow>`
    select ${columns} from ${tables}
    where engagement.worker_id = ${workerId} and engagement.status = any(${[...statuses]}) ${engagementViewsPageOf(page)}`.execute(
    db,
  );
  return rows;
}

/** `owed` is unpaid agreed pay, which cuts across groups and isn't counted. */
type ListedGroup = BusinessWorkGroup | 'owed';

const hasStatus = (statuses: readonly EngagementStatus[]): RawBuilder<boolean> =>
  sql<boolean>`engagement.status in (${literals(statuses)})`;

const isIn = (group: ListedGroup, now: Date): RawBuilder<boolean> => {
  if (group === 'owed')
    return sql<boolean>`exists (select from releases release
      where release.engagement_id = engagement.id and release.state = 'not_funded')`;
  const status = hasStatus(statusesOfGroup[group]);
  // Written as in the index `engagements_business_booked`, which then decides without visiting the work. A
  // task is never late.
  const startsAt = sql`coalesce(engagement.starts_at, 'infinity')`;
  if (group === 'late') return sql<boolean>`${status} and ${startsAt} <= ${now}`;
  if (group === 'due') return sql<boolean>`${status} and ${startsAt} > ${now}`;
  return sql<boolean>`${status}`;
};

const endedGroups: readonly ListedGroup[] = ['no_show', 'ended'];
const liveGroups = businessWorkGroups.filter((group) => !endedGroups.includes(group));

type BusinessWork = { businessId: string; jobId: string | null; limit: BranchLimit };
const workOf = ({ businessId, jobId, limit }: BusinessWork) =>
  sql`engagement.business_id = ${businessId} ${jobId === null ? sql`` : sql`and engagement.job_id = ${jobId}`}
    ${inBranches(sql`engagement.job_id`, limit)}`;

async function findWorkAt(
  db: Db,
  selection: BusinessWork,
  group: ListedGroup | null,
  now: Date,
  page: EngagementPage,
): Promise<EngagementCardRow[]> {
  const { rows } = await sql<EngagementCardRow>`
    select ${columns} from ${tables}
    where ${workOf(selection)} ${group === null ? sql`` : sql`and ${isIn(group, now)}`} ${engagementViewsPageOf(page)}`.execute(
    db,
  );
  return rows;
}

/** Live work by its small partial index, ended work by an index-only scan (ADR 143). */
async function countWorkAt(
  db: Db,
  selection: BusinessWork,
  now: Date,
): Promise<Record<BusinessWorkGroup, number>> {
  const counts = sql.join(
    liveGroups.map((group) => sql`${group}::text, count(*) filter (where ${isIn(group, now)})`),
  );
  const { rows } = await sql<{ counts: Record<BusinessWorkGroup, number> }>`
    select (select jsonb_build_object(${counts}) from engagements engagement
        where ${workOf(selection)} and ${hasStatus(liveGroups.flatMap((group) => statusesOfGroup[group]))})
      || (select jsonb_build_object('ended', count(*) filter (where ${isIn('ended', now)}),
          'no_show', count(*) filter (where ${isIn('no_show', now)})) from engagements engagement
        where ${workOf(selection)} and ${hasStatus([...statusesOfGroup.ended, ...statusesOfGroup.no_show])}) as counts`.execute(
    db,
  );
  return rows[0]?.counts as Record<BusinessWorkGroup, number>;
}
