import { applicantsPath, applicationPath, engagementPath, jobPath } from '@nearhand/contract/app-paths';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { SpotProblem, VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import type { Terms } from '@nearhand/contract/work/terms';
import { membersAt } from '../../people/businesses/businesses.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { postOfferLine, type SharedLine, sharedLine } from './offer-lines.ts';
import { applicationIdOf, findOfferPeople, type OfferRow } from './offers.sql.ts';

type Topic = Extract<
  NotificationTopic,
  `offer-${string}` | 'hired-at-once' | 'hold-unpaid' | 'pay-not-set-aside'
>;

type NotifiedOffer = Pick<
  OfferRow,
  'id' | 'applicationId' | 'jobId' | 'workerId' | 'source' | 'terms' | 'expiresAt'
>;
type Change = {
  topic: Topic;
  to: readonly ('worker' | 'business')[];
  reason?: string;
  engagementId?: string;
  amountMinor?: number;
  variant?: VariantOf<Topic>;
  spotProblem?: SpotProblem;
  /** The deadline of what is asked; by default the end of the offer. */
  by?: Date;
  /** Tells notices of one topic about one offer apart. */
  event?: string;
  /** The number of shifts of a series that changed at once, whose sum is `amountMinor`. */
  count?: number;
  shared?: SharedLine;
};

/** Notifies the sides once of what happened to several shifts of a series at once. They share a line in the chat. */
export async function notifyOfOffers(
  tx: Tx,
  scope: ClockScope,
  offers: readonly NotifiedOffer[],
  change: Change,
): Promise<void> {
  const [first, ...laterOffers] = offers;
  if (!first) return;
  const shared = sharedLine(offers);
  const { amountMinor, count } = shared;
  await notifyOfOffer(
    tx,
    scope,
    first,
    laterOffers.length > 0 ? { ...change, amountMinor, count, shared } : change,
  );
  for (const offer of laterOffers) await notifyOfOffer(tx, scope, offer, { ...change, to: [], shared });
}

/** Notifies an offer's sides of a change, once. */
export async function notifyOfOffer(
  tx: Tx,
  scope: ClockScope,
  offer: NotifiedOffer,
  options: Change,
): Promise<void> {
  if (options.topic === 'offer-received')
    await postOfferLine(tx, scope, offer, { action: 'send', shared: options.shared });
  const people = await findOfferPeople(tx, offer);
  if (!people) return;
  const { terms } = offer;
  const data = {
    jobTitle: terms.title,
    businessName: people.businessName,
    workerName: people.workerName,
    timeZone: terms.timeZone,
    by: (options.by ?? offer.expiresAt).toISOString(),
    amountMinor: options.amountMinor ?? terms.workerGetsMinor,
    currency: terms.currency,
    count: options.count || undefined,
    startsAt: terms.startsAt && !options.count ? terms.startsAt : undefined,
    endsAt: terms.endsAt && !options.count ? terms.endsAt : undefined,
    reason: options.reason || undefined,
    variant: options.variant || undefined,
    spotProblem: options.spotProblem,
  };
  const { engagementId } = options;
  const isDirect = options.topic === 'offer-received' && offer.source === 'rebook';
  const topic = isDirect ? 'offer-rebooked' : options.topic;
  const dedupeKey = `${topic}/${offer.id}${options.event ? `/${options.event}` : ''}`;
  const notices: Notice[] = [];
  if (options.to.includes('worker'))
    notices.push({
      accountId: offer.workerId,
      topic,
      data: { ...data, side: 'worker' },
      path: engagementId ? engagementPath(engagementId, 'worker') : applicationPath(applicationIdOf(offer)),
      dedupeKey,
    });
  for (const accountId of options.to.includes('business') ? people.recruiters : [])
    notices.push({
      accountId,
      topic,
      data: { ...data, side: 'business' },
      path: engagementId
        ? engagementPath(engagementId, 'business')
        : applicantsPath(offer.jobId, offer.applicationId),
      dedupeKey,
    });
  await notifyAll(tx, scope, notices);
}

/** Notifies recruiters and payers of unfunded instant-hire spots, once a day for the same number. */
export async function notifyOfUnfundedSpots(
  tx: Tx,
  scope: ClockConfigScope,
  job: Pick<JobRow, 'id' | 'businessId' | 'businessName' | 'title'>,
  { missing, terms }: { missing: number; terms: Terms | null },
): Promise<void> {
  const hiring = await membersAt(tx, job.id, 'applicants');
  const day = scope.clock.now().toISOString().slice(0, 10);
  await notifyAll(
    tx,
    scope,
    [...new Set([...hiring, ...(await membersAt(tx, job.id, 'money'))])].map((accountId) => ({
      accountId,
      topic: 'spot-unfunded',
      data: {
        side: 'business',
        jobTitle: job.title,
        businessName: job.businessName,
        count: missing,
        amountMinor: terms?.holdMinor,
        currency: terms?.currency,
      },
      path: jobPath(job.id),
      dedupeKey: `spot-unfunded/${job.id}/${missing}/${day}`,
    })),
  );
}
