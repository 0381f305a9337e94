import { finishedWorkPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, addMs, dayIn, hourMs, minuteMs } from '@nearhand/contract/durations';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { ApprovalRule } from '@nearhand/contract/work/timesheets';
import { payByRule } from '@nearhand/contract/work/timesheets.rules';
import { instantOf, nextAt } from '@nearhand/contract/zoned-time';
import { sql } from 'kysely';
import { z } from 'zod';
import { quoteLocked } from '../../money/holds/release-quotes.ts';
import { agreedPayOf } from '../../money/holds/releases.ts';
import { membersWho, requireMay } from '../../people/businesses/businesses.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { claimsOf } from '../engagements/engagement-record.ts';
import {
  type EngagementRow,
  engagementForTimer,
  setEngagementNext,
} from '../engagements/engagement-transitions.ts';
import { attendedOf, planOf, silentStep } from '../settlement/pay-bounds.ts';
import { settlePay } from '../settlement/settlement.ts';

/** The local time of the daily digest, in minutes: after most day shifts were approved, before the evening. */
const digestMinute = 18 * 60;
/** An approval that began before the time of a digest is stored by then. */
const digestAfterMinutes = 10;

export const approvePlanned = {
  name: 'timesheets.approvePlanned',
  payload: z.object({ engagementId: z.uuid() }),
};
export const ruleChanged = {
  name: 'timesheets.ruleChanged',
  payload: z.object({ businessId: z.uuid() }),
};
export const approvalDigest = {
  name: 'timesheets.approvalDigest',
  payload: z.object({ businessId: z.uuid(), from: z.iso.datetime(), until: z.iso.datetime() }),
};

/** The rule that was set last; `minutes` is null while it is off. */
async function findRule(db: Db, businessId: string) {
  return db
    .selectFrom('approval_rules')
    .innerJoin('accounts', 'accounts.id', 'approval_rules.setBy')
    .select(['approval_rules.minutes', 'approval_rules.setAt', 'accounts.name as setBy'])
    .where('approval_rules.businessId', '=', businessId)
    .orderBy('approval_rules.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the rule that approves hours near the plan by itself. For all members. */
export async function approvalRuleOf(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<ApprovalRule> {
  const role = await requireMay(db, businessId, scope.actor.accountId, 'pay');
  const rule = await findRule(db, businessId);
  return {
    minutes: rule?.minutes ?? null,
    afterHours: scope.config.APPROVAL_RULE_HOURS,
    setBy: rule?.setBy ?? null,
    setAt: rule?.setAt.toISOString() ?? null,
    canChange: roleMay(role, 'details'),
  };
}

/**
 * Turns the rule on, changes its minutes, or turns it off (ADR 43). Hours that were sent before are approved some hours
 * after this. For owners and managers. Repeating it changes nothing.
 */
export async function setApprovalRule(
  tx: Tx,
  scope: Scope,
  { businessId, minutes }: { businessId: string; minutes: number | null },
): Promise<ApprovalRule> {
  const { accountId: setBy } = scope.actor;
  await requireMay(tx, businessId, setBy, 'details');
  const now = scope.clock.now();
  const before = await findRule(tx, businessId);
  if ((before?.minutes ?? null) !== minutes) {
    await tx
      .insertInto('approval_rules')
      .values({ id: newId(now), businessId, minutes, setBy, setAt: now })
      .execute();
    emitOfBusiness(tx, 'business', { businessId });
    await enqueue(tx, ruleChanged, { businessId }, { key: `${ruleChanged.name}/${businessId}` });
  }
  return approvalRuleOf(tx, scope, { businessId });
}

/** Sets the next step and the timer of all submitted hours after their business's rule changed. Idempotent. */
export async function showRule(scope: TaskScope, businessId: string): Promise<void> {
  const submitted = await scope.db
    .selectFrom('engagements')
    .select('id')
    .where('businessId', '=', businessId)
    .where('kind', '=', 'shift')
    .where('status', '=', 'submitted')
    .execute();
  for (const { id } of submitted)
    await scope.db.transaction().execute(async (tx) => {
      const row = await engagementForTimer(tx, id);
      if (row?.status !== 'submitted') return;
      const ruled = await approvalByRule(tx, scope, row);
      if (ruled) await approveLater(tx, id, ruled.at);
      if (ruled || row.nextWhat === 'approve-planned')
        await setEngagementNext(tx, id, ruled ?? (await silentStep(tx, scope, row)));
    });
}

/** Sets the timer that approves hours by the rule of their business. */
export const approveLater = (tx: Tx, engagementId: string, runAt: Date): Promise<void> =>
  enqueue(tx, approvePlanned, { engagementId }, { runAt, key: `${approvePlanned.name}/${engagementId}` });

/**
 * The time and the pay, in minor units, at which the rule of their business approves submitted hours. Null without a
 * rule, and if a person has to decide: what `payByRule` doesn't allow, what the hold doesn't cover, frozen money, and
 * the work of a suspended worker or business. The row must be locked.
 */
export async function approvalByRule(tx: Tx, scope: ClockConfigScope, row: EngagementRow) {
  const rule = await findRule(tx, row.businessId);
  const plan = planOf(row);
  if (!rule || rule.minutes === null || !plan) return null;
  const claims = await claimsOf(tx, row.id);
  const amountMinor = payByRule({
    claims,
    attended: await attendedOf(tx, row),
    plan,
    terms: row.terms,
    agreedMinor: await agreedPayOf(tx, row.id),
    minutes: rule.minutes,
  });
  if (amountMinor === null || (await isSuspended(tx, row, scope.clock.now()))) return null;
  const { missingMinor, hold } = await quoteLocked(tx, row.id, amountMinor);
  if (missingMinor > 0 || hold.frozen) return null;
  const knownAt = Math.max(rule.setAt.getTime(), ...claims.slice(-1).map(({ at }) => Date.parse(at)));
  const at = addMs(new Date(knownAt), scope.config.APPROVAL_RULE_HOURS * hourMs);
  return { kind: 'approve-planned' as const, at, amountMinor };
}

/** Approves submitted hours by the rule of their business, or leaves them to a person. Idempotent. */
export async function approveByRule(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (row?.status !== 'submitted') return;
    const now = scope.clock.now();
    const ruled = await approvalByRule(tx, scope, row);
    if (!ruled) {
      if (row.nextWhat === 'approve-planned')
        await setEngagementNext(tx, row.id, await silentStep(tx, scope, row));
      return;
    }
    // A correction or a change of the rule has set the timer again.
    if (now < ruled.at) return;
    const { amountMinor } = ruled;
    // One time for the approval and its digest, or it could fall between two of them.
    const stopped = { ...scope, clock: { now: () => now } };
    await settlePay(tx, stopped, row, { action: 'approve-planned', mover: { side: 'timer' }, amountMinor });
    await setDigestTimer(tx, row.businessId, now);
  });
}

async function isSuspended(
  tx: Tx,
  { workerId, businessId }: Pick<EngagementRow, 'workerId' | 'businessId'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from sanctions where (account_id = ${workerId} or business_id = ${businessId}) and measure = 'suspension'
      and ended_at is null and (ends_at is null or ends_at > ${now}) limit 1`.execute(tx);
  return rows.length > 0;
}

/** Schedules the next digest, in the time zone of the business. It reports the 24 hours before it. */
async function setDigestTimer(tx: Tx, businessId: string, now: Date): Promise<void> {
  const { timeZone } = await tx
    .selectFrom('businesses')
    .select('timeZone')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  const zone = timeZone ?? 'UTC';
  const until = nextAt(zone, digestMinute, now);
  const from = new Date(instantOf(zone, addDays(dayIn(zone, until), -1), digestMinute));
  const payload = { businessId, from: from.toISOString(), until: until.toISOString() };
  await enqueue(tx, approvalDigest, payload, {
    runAt: addMs(until, digestAfterMinutes * minuteMs),
    key: `${approvalDigest.name}/${businessId}/${payload.until}`,
  });
}

/** Tells owners and managers once a day how many hours the rule approved, and their sum. Idempotent. */
export async function sendDigest(
  scope: TaskScope,
  { businessId, from, until }: z.infer<typeof approvalDigest.payload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ currency: Currency; count: number; amountMinor: number }>`
      select terms->>'currency' as currency, count(*)::integer as count, sum(amount_minor)::bigint as amount_minor
      from engagements work
      where business_id = ${businessId} and status = 'completed' and approved_at >= ${from} and approved_at < ${until}
        and exists (select from engagement_moves where engagement_id = work.id and action = 'approve-planned')
      group by 1`.execute(tx);
    const managers = await membersWho(tx, businessId, 'details');
    await notifyAll(
      tx,
      scope,
      rows.flatMap(({ currency, count, amountMinor }) =>
        managers.map((accountId) => ({
          accountId,
          topic: 'hours-approved-by-rule' as const,
          data: { side: 'business' as const, count, amountMinor, currency },
          path: finishedWorkPath(businessId),
          dedupeKey: `hours-approved-by-rule/${businessId}/${until}/${currency}`,
        })),
      ),
    );
  });
}
