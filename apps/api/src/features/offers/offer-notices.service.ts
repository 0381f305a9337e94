import type { NotificationTopic } from '@nearhand/contract/notifications';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../notifications/notifications.service.ts';
import { sayOfOffer } from './offer-lines.service.ts';
import { findOfferPeople, type OfferRow } from './offers.sql.ts';

type Topic = Extract<NotificationTopic, `offer-${string}` | 'hired-at-once' | 'hold-unpaid'>;

/**
 * Tells the sides of an offer what happened to it, once. The worker is led to their application, recruiters to the applicant, and whoever is hired to the
 * engagement.
 */
export async function tellOfOffer(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  offer: Pick<OfferRow, 'id' | 'application_id' | 'job_id' | 'worker_id' | 'source' | 'terms' | 'expires_at'>,
  wishes: {
    topic: Topic;
    to: readonly ('worker' | 'business')[];
    reason?: string;
    engagementId?: string;
    /** Instead of what the worker gets. */
    amountMinor?: number;
  },
): Promise<void> {
  // It goes out by three ways, and each of them tells its worker.
  if (wishes.topic === 'offer-received') await sayOfOffer(tx, scope, offer, 'send');
  const people = await findOfferPeople(tx, offer.application_id);
  if (!people) return;
  const { terms } = offer;
  const data = {
    jobTitle: terms.title,
    businessName: people.business_name,
    workerName: people.worker_name,
    timeZone: terms.timeZone,
    by: offer.expires_at.toISOString(),
    amountMinor: wishes.amountMinor ?? terms.workerGetsMinor,
    currency: terms.currency,
    ...(terms.startsAt ? { startsAt: terms.startsAt } : {}),
    ...(terms.endsAt ? { endsAt: terms.endsAt } : {}),
    ...(wishes.reason ? { reason: wishes.reason } : {}),
  };
  const dedupeKey = `${wishes.topic}/${offer.id}`;
  const { topic, engagementId } = wishes;
  const notices: Notice[] = [];
  if (wishes.to.includes('worker'))
    notices.push({
      accountId: offer.worker_id,
      topic,
      data: { ...data, side: 'worker' },
      path: engagementId
        ? `/tabs/menu/my-work/engagement/${engagementId}`
        : `/tabs/menu/my-work/${offer.application_id}`,
      dedupeKey,
    });
  for (const accountId of wishes.to.includes('business') ? people.recruiters : [])
    notices.push({
      accountId,
      topic,
      data: { ...data, side: 'business' },
      path: engagementId
        ? `/tabs/menu/jobs/engagement/${engagementId}`
        : `/job-applicants/${offer.job_id}?applicant=${offer.application_id}`,
      dedupeKey,
    });
  await notifyAll(tx, scope, notices);
}
