import { finishedWorkPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, addMs, dayIn, hourMs } from '@nearhand/contract/durations';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { ApprovalRule } from '@nearhand/contract/work/timesheets';
import { payByRule } from '@nearhand/contract/work/timesheets.rules';
import { instantOf, nextAt } from '@nearhand/contract/zoned-time';
import { sql } from 'kysely';
import { z } from 'zod';
import { quoteRelease } from '../../money/holds/release-quotes.ts';
import { agreedPayOf } from '../../money/holds/releases.ts';
import { membersWithRole, requireMay } from '../../people/businesses/businesses.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { enqueue, enqueueAll, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { claimsOf } from '../engagements/engagement-record.ts';
import { type EngagementRow, engagementForTimer } from '../engagements/engagement-transitions.ts';
import { attendedOf, planOf } from '../settlement/pay-bounds.ts';
import { settlePay } from '../settlement/settlement.ts';

/** The local time of the daily digest, in minutes: after most day shifts were approved, before the evening. */
const digestMinute = 18 * 60;
const pendingMax = 1_000;

export const approvePlanned = {
  name: 'timesheets.approvePlanned',
  payload: z.object({ engagementId: z.uuid() }),
};
export const approvalDigest = {
  name: 'timesheets.approvalDigest',
  payload: z.object({ businessId: z.uuid(), from: z.iso.datetime(), until: z.iso.datetime() }),
};

const keyOf = (engagementId: string) => `${approvePlanned.name}/${engagementId}`;

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
    if (minutes !== null) await enqueueAll(tx, approvePlanned, await findSubmitted(tx, scope, businessId));
  }
  return approvalRuleOf(tx, scope, { businessId });
}

async function findSubmitted(tx: Tx, scope: Scope, businessId: string) {
  const runAt = addMs(scope.clock.now(), scope.config.APPROVAL_RULE_HOURS * hourMs);
  const rows = await tx
    .selectFrom('engagements')
    .select('id')
    .where('businessId', '=', businessId)
    .where('kind', '=', 'shift')
    .where('status', '=', 'submitted')
    .orderBy('startsAt')
    .limit(pendingMax)
    .execute();
  return rows.map(({ id }) => ({ payload: { engagementId: id }, runAt, key: keyOf(id) }));
}

/** Sets the timer that approves hours by the rule of their business, if it has one. */
export async function approveLater(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  row: Pick<EngagementRow, 'id' | 'businessId'>,
): Promise<void> {
  const rule = await findRule(tx, row.businessId);
  if (!rule || rule.minutes === null) return;
  const runAt = addMs(scope.clock.now(), scope.config.APPROVAL_RULE_HOURS * hourMs);
  await enqueue(tx, approvePlanned, { engagementId: row.id }, { runAt, key: keyOf(row.id) });
}

/**
 * Approves submitted hours by the rule of their business. Leaves to a person what the rule doesn't allow, what the hold
 * doesn't cover, frozen money, and the work of a suspended worker or business. Idempotent.
 */
export async function approveByRule(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    const plan = row ? planOf(row) : null;
    if (!row || !plan || row.status !== 'submitted') return;
    const minutes = (await findRule(tx, row.businessId))?.minutes ?? null;
    if (minutes === null) return;
    const claims = await claimsOf(tx, row.id);
    const now = scope.clock.now();
    const dueAt = addMs(new Date(claims.at(-1)?.at ?? now), scope.config.APPROVAL_RULE_HOURS * hourMs);
    // A correction has set the timer again.
    if (now < dueAt) return;
    const agreedMinor = await agreedPayOf(tx, row.id);
    const amountMinor = payByRule({ claims, plan, terms: row.terms, agreedMinor, minutes });
    if (amountMinor === null || (await attendedOf(tx, row)).contested || (await isSuspended(tx, row, now)))
      return;
    const { missingMinor, hold } = await quoteRelease(tx, row.id, amountMinor);
    if (missingMinor > 0 || hold.frozen) return;
    await settlePay(tx, scope, row, { action: 'approve-planned', mover: { side: 'timer' }, amountMinor });
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
    runAt: until,
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
    const managers = await membersWithRole(tx, businessId, 'manager');
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
