import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { say } from '../../talk/messages/system-lines.service.ts';
import type { OfferMoveName } from './offers.rules.ts';
import type { OfferRow } from './offers.sql.ts';

/** The chat line of each move of an offer; exhaustive by its type. */
const lineOf: Record<OfferMoveName, SystemLine> = {
  send: 'offer-sent',
  accept: 'offer-accepted',
  decline: 'offer-declined',
  withdraw: 'offer-ended',
  expire: 'offer-ended',
};

/**
 * Posts in chat what happened to a sent offer. Unpaid offers are not posted, and an instant hire is posted as a hire. Amounts are what the
 * worker gets, in minor units.
 */
export async function postOfferLine(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  offer: Pick<OfferRow, 'id' | 'job_id' | 'worker_id' | 'source' | 'terms' | 'expires_at'>,
  action: OfferMoveName,
  reason: string | null = null,
): Promise<void> {
  if (offer.source === 'instant') return;
  const { id, job_id: jobId, worker_id: workerId, terms } = offer;
  const sent = {
    amountMinor: terms.workerGetsMinor,
    currency: terms.currency,
    by: offer.expires_at.toISOString(),
  };
  await say(
    tx,
    scope,
    { jobId, workerId },
    lineOf[action],
    {
      ...(action === 'send' ? sent : {}),
      ...(action === 'withdraw' || action === 'expire' ? { why: action } : {}),
      ...(reason ? { reason } : {}),
    },
    id,
  );
}
