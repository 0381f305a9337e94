import type { PayCase, PayEffect } from '@nearhand/contract/trust/case-facts';
import { boundsProblem, type PayBounds, workedBounds } from '@nearhand/contract/work/pay.rules';
import { quoteRelease } from '../../money/holds/release-quotes.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { disputeOf, proposalOf } from '../../work/engagements/dispute-view.service.ts';
import { attendanceOf, claimsOf, deliveriesOf } from '../../work/engagements/engagement-record.service.ts';
import { payBoundsOf } from '../../work/settlement/pay-bounds.service.ts';
import { movedByPay, takesSecondPerson } from '../../work/settlement/second-person.service.ts';
import { findEngagementOf, findPayCase, type PayCaseRow } from './case-facts.sql.ts';
import { requireOpen } from './cases.service.ts';

type Subject = { kind: 'dispute' | 'no_show'; subjectId: string };

/** The facts of a dispute or contested no-show; undefined without one. Amounts in minor units. */
export async function payCaseOf(
  db: Db,
  scope: Pick<Scope, 'config'>,
  subject: Subject,
): Promise<PayCase | undefined> {
  const row = await findPayCase(db, subject);
  if (!row) return undefined;
  const { terms, engagement_id: id } = row;
  const bounds = await boundsOf(db, subject.kind, { id, terms });
  const amounts = await Promise.all(
    amountsOf(row, subject.kind, bounds).map((minor) => effectOf(db, scope, id, minor)),
  );
  return {
    engagementId: id,
    engagementStatus: row.status,
    version: row.version,
    stopAt: row.stop_at?.toISOString() ?? null,
    jobKind: terms.kind,
    title: terms.title,
    timeZone: terms.timeZone,
    startsAt: row.starts_at?.toISOString() ?? null,
    endsAt: row.ends_at?.toISOString() ?? null,
    worker: { id: row.worker_id, name: row.worker_name },
    business: { id: row.business_id, name: row.business_name },
    currency: terms.currency,
    plannedMinor: terms.payTotalMinor,
    workerAmountMinor: row.worker_amount_minor,
    businessAmountMinor: row.business_amount_minor,
    proposal: proposalOf(row),
    ...bounds,
    heldMinor: (await quoteRelease(db, id, null)).heldMinor,
    funding: row.funding,
    reason: row.reason,
    steps: row.steps,
    attendance: await attendanceOf(db, id, false),
    claims: await claimsOf(db, id),
    deliveries: await deliveriesOf(db, id),
    shown: await shownIn(db, id),
    effects: amounts,
  };
}

async function shownIn(db: Db, engagementId: string): Promise<PayCase['shown']> {
  const dispute = await disputeOf(db, engagementId, null);
  return (dispute?.steps ?? []).flatMap(({ by, at, files }) =>
    files.length > 0 && (by === 'worker' || by === 'business') ? [{ by, at, files }] : [],
  );
}

const boundsOf = (
  db: Db,
  kind: Subject['kind'],
  work: Pick<PayCaseRow, 'terms'> & { id: string },
): Promise<PayBounds> | PayBounds =>
  kind === 'dispute' ? payBoundsOf(db, work) : workedBounds(work.terms.payTotalMinor);

/** The amounts worth showing: those that the sides named, the bounds, and nothing for a no-show that counts. */
function amountsOf(row: PayCaseRow, kind: Subject['kind'], { minMinor, maxMinor }: PayBounds): number[] {
  const named = [row.worker_amount_minor, row.business_amount_minor, row.proposal_amount_minor];
  const possible = [kind === 'no_show' ? 0 : minMinor, maxMinor, ...named];
  const known = possible.filter(
    (minor) => minor !== null && minor <= maxMinor && (kind === 'no_show' || minor >= minMinor),
  );
  return [...new Set(known as number[])].sort((one, other) => one - other);
}

/** What deciding with this total would do now, by the quote that the release itself follows. */
export async function effectOf(
  db: Db,
  scope: Pick<Scope, 'config'>,
  engagementId: string,
  amountMinor: number,
): Promise<PayEffect> {
  const quote = await quoteRelease(db, engagementId, amountMinor);
  return {
    amountMinor,
    workerGetsMinor: quote.workerGetsMinor,
    alreadyPaidMinor: quote.alreadyPaidMinor,
    feeMinor: quote.feeMinor,
    backMinor: quote.backMinor,
    missingMinor: quote.missingMinor,
    currency: quote.hold.currency,
    takesSecondPerson: takesSecondPerson(scope, await movedByPay(db, engagementId, amountMinor)),
  };
}

/**
 * What a decision with this total would do. Minor units; 0 for a no-show means that they were absent.
 * @throws case/not-found, operator/own-record, dispute/amount-impossible (data: minMinor, maxMinor)
 */
export async function previewDecision(
  db: Db,
  scope: Scope,
  input: Subject & { amountMinor: number },
): Promise<PayEffect> {
  await requireOpen(db, scope, input);
  const work = await findEngagementOf(db, input);
  if (!work) throw new AppError('case/not-found');
  const isAbsent = input.kind === 'no_show' && input.amountMinor === 0;
  const bounds = await boundsOf(db, input.kind, work);
  if (!isAbsent && boundsProblem(input.amountMinor, bounds))
    throw new AppError('dispute/amount-impossible', bounds);
  return effectOf(db, scope, work.id, input.amountMinor);
}
