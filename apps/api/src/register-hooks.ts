import { checksPath, teamPath, verificationPath } from '@nearhand/contract/app-paths';
import { accountLeaving, accountObstacles, accountRemoved } from './account-removal.ts';
import { notifyOfJobChanges } from './hiring/applications/application-notices.ts';
import { followWork } from './hiring/applications/application-transitions.ts';
import { startMoved } from './hiring/applications/decide-by.ts';
import { closeApplicationsOfJobs, fillSoon } from './hiring/applications/end-applications.ts';
import { deleteCalendarFeed } from './hiring/calendar/calendar.ts';
import { endGiveaway, endGiveawayOf, inviteColleagues } from './hiring/giveaways/giveaways.ts';
import { hiringHooks } from './hiring/hooks.ts';
import { hireAtOnce, wouldHireAtOnce } from './hiring/instant-hire/instant-hire.ts';
import { endInterviewsOf } from './hiring/interviews/end-interviews.ts';
import { closeJob } from './hiring/jobs/job-lifecycle.ts';
import { renameBusinessInJobs, unfilledJobs, unfinishedJobs } from './hiring/jobs/jobs.sql.ts';
import { rankWorker, rankWorkerAt } from './hiring/matching/ranking.ts';
import { endOffersOf } from './hiring/offers/end-offers.ts';
import { interviewAgreed } from './hiring/offers/offer-making.ts';
import { updateOfferFunding } from './hiring/offers/offers.sql.ts';
import { followLateOffer, renewOffers } from './hiring/offers/offers.ts';
import { endUnpaidOffer, lockOfferToPay, sendPaidOffer } from './hiring/offers/unpaid-offers.ts';
import { endHiding, resumeSearches } from './hiring/replacements/replacements.ts';
import { savedJobFilling, savedJobMoved, savedJobsChanged } from './hiring/saved-jobs/saved-jobs.ts';
import { jobMovedForSearches, jobsOpened } from './hiring/saved-searches/search-matches.ts';
import { freeHiredSpot, fundSpots } from './hiring/spots/spots.ts';
import { spotFreed } from './hiring/waitlist/waitlist.ts';
import { chargeHooks } from './money/charges/charge-hooks.ts';
import { endLimit } from './money/credit-limits/credit-limits.ts';
import { settlePaidHold } from './money/holds/checkouts.ts';
import { coverPaid } from './money/holds/cover.ts';
import { chargeBackHold, freezeHold } from './money/holds/hold-freeze.ts';
import { moneyHooks } from './money/hooks.ts';
import { mayReturn } from './money/payouts/balance.ts';
import { settlePaidTip, tipFailed } from './money/tips/tips.ts';
import { endPromo, moneyOfClosing } from './money/wallet/wallet.ts';
import { findUninvoicedBusinesses } from './money/worker-invoices/worker-invoices.ts';
import { cancelOpenEmailChange, revertEmailChange } from './people/email-change/email-change.ts';
import { peopleHooks } from './people/hooks.ts';
import { deletePasskeysOf } from './people/passkeys/passkeys.sql.ts';
import { deleteLinksOf } from './people/sign-in/sign-in.sql.ts';
import { confirmAddress, isAddressRefused } from './talk/notifications/deliveries.ts';
import { countUnread } from './talk/notifications/notifications.sql.ts';
import { notifyAll } from './talk/notifications/notifications.ts';
import { openReviews } from './trust/reviews/reviews.ts';
import { isCleanBusiness } from './trust/sanctions/sanctions.sql.ts';
import { followCertificate, followVerification } from './trust/sanctions/sanctions.ts';
import { endDayOff } from './work/engagements/days-off.ts';
import { updateEngagementFunding } from './work/engagements/engagements.sql.ts';
import {
  followLateFunding,
  lockWork,
  notifyOfMissingPay,
  notifyOfReleasedPay,
  notifyOfReversedPay,
  notifyOfTip,
} from './work/engagements/engagements.ts';
import { endShiftChange } from './work/engagements/shift-changes.ts';
import { workHooks } from './work/hooks.ts';
import { referralQualified, rewardReversed } from './work/referrals/rewards.ts';

const verificationTopics = { verify: 'business-verified', 'request-info': 'business-info-asked' } as const;

const identityTopics = {
  verify: 'identity-document-checked',
  'request-info': 'identity-document-asked',
  refuse: 'identity-document-refused',
} as const;

// Every entry point that runs services imports this file first (docs/architecture.md, Domains).
peopleHooks.register({
  accountObstacles,
  moneyThatMayReturn: mayReturn,
  accountLeaving,
  removalBusinesses: findUninvoicedBusinesses,
  accountRemoved,
  addressConfirmed: confirmAddress,
  isAddressRefused,
  sessionsEnded: deleteCalendarFeed,
  devicesSignedOut: deleteLinksOf,
  signInForgotten: deletePasskeysOf,
  passwordChanged: cancelOpenEmailChange,
  emailRefused: revertEmailChange,
  countUnread,
  workerChanged: rankWorker,
  businessRenamed: (tx, { id, name }) => renameBusinessInJobs(tx, id, name),
  businessDecided: async (tx, scope, { id, name, managerIds }, decided) => {
    const { decision, reason } = decided;
    await followVerification(tx, scope, id, decided);
    if (decision === 'reject') return;
    const topic = verificationTopics[decision];
    await notifyAll(
      tx,
      scope,
      managerIds.map((accountId) => ({
        accountId,
        topic,
        data: { side: 'business', businessName: name, reason: reason || undefined },
        path: decision === 'verify' ? '/my-business' : verificationPath(id),
        dedupeKey: `${topic}/${id}/${scope.clock.now().toISOString()}`,
      })),
    );
  },
  identityDecided: (tx, scope, { id, accountId }, { decision, reason }) =>
    notifyAll(tx, scope, [
      {
        accountId,
        topic: identityTopics[decision],
        data: reason ? { reason } : {},
        path: checksPath,
        dedupeKey: `${identityTopics[decision]}/${id}`,
      },
    ]),
  certificateDecided: async (tx, scope, certificate, decided) => {
    await followCertificate(tx, scope, certificate, decided);
    if (decided.decision === 'refuse') return;
    const { id, accountId, kind, expiresOn: by } = certificate;
    const topic = 'certificate-checked';
    await notifyAll(tx, scope, [
      { accountId, topic, path: checksPath, data: { variant: kind, by }, dedupeKey: `${topic}/${id}` },
    ]);
  },
  certificateNews: (tx, scope, { accountId, kind, expiresOn: by }, { news, event }) =>
    notifyAll(tx, scope, [
      {
        accountId,
        topic: `certificate-${news}` as const,
        path: checksPath,
        data: { variant: kind, by },
        dedupeKey: `certificate-${news}/${event}`,
      },
    ]),
  teamChanged: (tx, scope, { kind, to, business, personName, role, by, event }) =>
    notifyAll(
      tx,
      scope,
      to.map((accountId) => ({
        accountId,
        topic: `team-${kind}` as const,
        data: {
          side: 'business',
          businessName: business.name,
          workerName: personName,
          variant: role,
          by: by === undefined ? undefined : by.toISOString(),
        },
        path: kind === 'removed' || kind === 'invited' ? '/tabs/menu/business' : teamPath(business.id),
        dedupeKey: `team-${kind}/${event}`,
      })),
    ),
  businessClosing: async (db, businessId, now) => ({
    ...(await unfinishedJobs(db, businessId, now)),
    jobs: await unfilledJobs(db, businessId, now),
    ...(await moneyOfClosing(db, businessId)),
  }),
  closeJobs: async (tx, scope, jobIds) => {
    for (const jobId of jobIds.toSorted()) await closeJob(tx, scope, { jobId });
  },
  businessClosed: async (tx, scope, { id, name, memberIds }) => {
    await notifyAll(
      tx,
      scope,
      memberIds.map((accountId) => ({
        accountId,
        topic: 'business-closed' as const,
        data: { side: 'business', businessName: name },
        path: '/tabs/menu/business',
        dedupeKey: `business-closed/${id}`,
      })),
    );
    await endLimit(tx, scope, id);
    return endPromo(tx, scope, id);
  },
});

chargeHooks.register({
  holdPaid: settlePaidHold,
  coverPaid,
  tipPaid: settlePaidTip,
  tipFailed,
  holdFrozen: freezeHold,
  holdChargedBack: chargeBackHold,
});

moneyHooks.register({
  lockOffer: lockOfferToPay,
  lockWork,
  fundingChanged: async (tx, { offerId, engagementId }, funding) => {
    if (offerId !== null) await updateOfferFunding(tx, offerId, funding);
    if (engagementId !== null) await updateEngagementFunding(tx, engagementId, funding);
  },
  offerPaid: sendPaidOffer,
  offerUnpaid: endUnpaidOffer,
  fundingLate: async (tx, scope, late) => {
    if (late.engagementId === null) await followLateOffer(tx, scope, late);
    else await followLateFunding(tx, scope, late);
  },
  payMissing: notifyOfMissingPay,
  payReleased: async (tx, scope, pay) => {
    await notifyOfReleasedPay(tx, scope, pay);
    await referralQualified(tx, scope, pay);
  },
  tipPaid: notifyOfTip,
  payReversed: notifyOfReversedPay,
  rewardReversed,
});

workHooks.register({
  spotFreed: async (tx, scope, { jobId }) => {
    await freeHiredSpot(tx, scope, jobId);
    await spotFreed(tx, scope, jobId);
  },
  spotUnconfirmed: inviteColleagues,
  workEnded: openReviews,
  termsChanged: endGiveawayOf,
  workMoved: async (tx, scope, move) => {
    await followWork(tx, move);
    await endGiveaway(tx, scope, move);
    await endShiftChange(tx, scope, move);
    await endDayOff(tx, scope, move);
  },
  reliabilityChanged: (tx, { workerId, from }) =>
    from === undefined ? rankWorker(tx, workerId) : rankWorkerAt(tx, workerId, from),
});

hiringHooks.register({
  spotCostChanged: fundSpots,
  spotFreed,
  jobFilled: fillSoon,
  jobsClosed: closeApplicationsOfJobs,
  startMoved,
  offeredTermsChanged: renewOffers,
  jobMoved: async (tx, scope, move) => {
    await savedJobMoved(tx, scope, move);
    await jobMovedForSearches(tx, scope, move);
    await endHiding(tx, scope, move);
    await resumeSearches(tx, scope, move);
  },
  jobsOpened,
  isCleanBusiness,
  lastSpotLeft: savedJobFilling,
  jobsChanged: async (tx, scope, jobs) => {
    await notifyOfJobChanges(tx, scope, jobs);
    await savedJobsChanged(tx, scope, jobs);
  },
  wouldHireAtOnce,
  hireAtOnce,
  applicationsEnded: endInterviewsOf,
  interviewAgreed,
  offersEnded: endOffersOf,
});
