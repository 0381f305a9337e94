import type { Side } from '@nearhand/contract/sides';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { say } from '../../talk/messages/system-messages.ts';
import type { EngagementMoveName } from './engagements.rules.ts';
import type { EngagementRow } from './engagements.sql.ts';

/** Null if the other side needs no line. */
const lineOf: Record<EngagementMoveName, SystemLine | null> = {
  confirm: 'work-confirmed',
  'check-in': 'checked-in',
  'check-out': 'checked-out',
  // The worker gets the reason in a notice.
  'check-in-for': null,
  'check-out-for': null,
  start: null,
  'submit-hours': 'hours-submitted',
  'auto-submit': 'hours-submitted',
  counter: 'hours-countered',
  'accept-counter': 'work-approved',
  'pay-recorded': 'work-approved',
  deliver: 'work-delivered',
  'request-changes': 'changes-requested',
  approve: 'work-approved',
  cancel: 'work-cancelled',
  'report-no-show': 'no-show-reported',
  contest: null,
  uphold: null,
  overturn: 'work-approved',
  dispute: 'dispute-opened',
  settle: 'dispute-settled',
  complete: null,
};

/** Posts a move as a system line. `at` is when it happened, if not now (an offline device); minor units. */
export async function postMoveLine(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: Pick<EngagementRow, 'jobId' | 'workerId' | 'terms'>,
  move: {
    action: EngagementMoveName;
    side: Side | 'operator' | 'timer';
    reason: string | null;
    at?: unknown;
    amountMinor?: unknown;
  },
): Promise<void> {
  const line = lineOf[move.action];
  if (line === null) return;
  await say(tx, scope, { jobId: row.jobId, workerId: row.workerId }, line, {
    side: move.side,
    ...(move.reason ? { reason: move.reason } : {}),
    ...(move.at instanceof Date ? { at: move.at.toISOString() } : {}),
    ...(typeof move.amountMinor === 'number'
      ? { amountMinor: move.amountMinor, currency: row.terms.currency }
      : {}),
  });
}
