import { checksPath, teamPath, verificationPath } from '@nearhand/contract/app-paths';
import { closeApplicationsOfJob, fillSoon } from './hiring/applications/application-endings.service.ts';
import { followWork } from './hiring/applications/application-moves.service.ts';
import { notifyOfJobChange } from './hiring/applications/application-notices.service.ts';
import { startMoved } from './hiring/applications/decide-by.service.ts';
import { endCalendarFeed } from './hiring/calendar/calendar-feeds.service.ts';
import { hireAtOnce, wouldHireAtOnce } from './hiring/instant-hire/instant-hire.service.ts';
import { endInterviewsOf } from './hiring/interviews/interview-endings.service.ts';
import { countRunningJobs, renameBusinessInJobs } from './hiring/jobs/job-business.service.ts';
import { rankWorker, rankWorkerAt } from './hiring/matching/ranking.service.ts';
import { endOffersOf } from './hiring/offers/offer-endings.service.ts';
import {
  endUnpaidOffer,
  lockOfferToPay,
  sendPaidOffer,
  setOfferFunding,
} from './hiring/offers/unpaid-offers.service.ts';
import { hiringOutcomes } from './hiring/outcomes.ts';
import {
  savedJobChanged,
  savedJobFilling,
  savedJobMoved,
} from './hiring/saved-jobs/saved-job-news.service.ts';
import { jobMovedForSearches, jobsOpened } from './hiring/saved-searches/search-matches.service.ts';
import { fundSeats } from './hiring/seats/seat-funding.service.ts';
import { freeHiredSeat } from './hiring/seats/seats.service.ts';
import { seatFreed } from './hiring/waitlist/waitlist-offers.service.ts';
import { chargeOutcomes } from './money/charges/charges.outcomes.ts';
import { coverPaid } from './money/holds/cover.service.ts';
import { holdPaid } from './money/holds/hold-checkout.service.ts';
import { chargeBackHold, freezeHold } from './money/holds/hold-freeze.service.ts';
import { moneyOutcomes } from './money/outcomes.ts';
import { tipFailed, tipPaid } from './money/tips/tips.service.ts';
import { endPromo, hasMoney } from './money/wallet/wallet.service.ts';
import { endOpenEmailChange, takeBackEmailChange } from './people/email-change/email-change.service.ts';
import { peopleOutcomes } from './people/outcomes.ts';
import { forgetPasskeysSince } from './people/passkeys/passkeys.service.ts';
import { endLinks } from './people/sign-in/sign-in.service.ts';
import { enqueue } from './platform/tasks/tasks.ts';
import { confirmAddress, isAddressRefused } from './talk/notifications/deliveries.service.ts';
import { notifyAll, unreadCount } from './talk/notifications/notifications.service.ts';
import { openReviews } from './trust/reviews/review-openings.service.ts';
import { isCleanBusiness } from './trust/sanctions/clean-businesses.service.ts';
import { jobsOfSuspended } from './trust/sanctions/sanctions.clock.ts';
import { accountLeaving, accountObstacles, accountRemoved } from './wire-leaving.ts';
import {
  lockWork,
  notifyOfMissingPay,
  notifyOfReleasedPay,
  notifyOfReversedPay,
  notifyOfTip,
  setEngagementFunding,
} from './work/engagements/engagement-pay.service.ts';
import { workOutcomes } from './work/outcomes.ts';
import { referralQualified, rewardReversed } from './work/referrals/rewards.service.ts';

const decisionTopics = {
  verify: 'business-verified',
  'request-info': 'business-info-asked',
  reject: 'business-rejected',
} as const;

const identityTopics = {
  verify: 'identity-document-checked',
  'request-info': 'identity-document-asked',
  refuse: 'identity-document-refused',
} as const;

// Every entry point that runs services imports this file first (docs/architecture.md, Domains).
peopleOutcomes.wire({
  accountObstacles,
  accountLeaving,
  accountRemoved,
  addressConfirmed: confirmAddress,
  isAddressRefused,
  sessionsEnded: endCalendarFeed,
  devicesSignedOut: endLinks,
  signInForgotten: forgetPasskeysSince,
  passwordChanged: endOpenEmailChange,
  emailRefused: takeBackEmailChange,
  countUnread: unreadCount,
  workerChanged: rankWorker,
  businessRenamed: (tx, { id, name }) => renameBusinessInJobs(tx, id, name),
  businessDecided: async (tx, scope, { id, name, managerIds }, { decision, reason }) => {
    await notifyAll(
      tx,
      scope,
      managerIds.map((accountId) => ({
        accountId,
        topic: decisionTopics[decision],
        data: { side: 'business', businessName: name, ...(reason ? { reason } : {}) },
        path: decision === 'verify' ? '/my-business' : verificationPath(id),
        dedupeKey: `${decisionTopics[decision]}/${id}/${scope.clock.now().toISOString()}`,
      })),
    );
    // Its open jobs are hidden, as those of a suspended business.
    if (decision === 'reject') await enqueue(tx, jobsOfSuspended, { businessId: id, after: null });
  },
  identityDecided: (tx, scope, { id, account_id: accountId }, { decision, reason }) =>
    notifyAll(tx, scope, [
      {
        accountId,
        topic: identityTopics[decision],
        data: reason ? { reason } : {},
        path: checksPath,
        dedupeKey: `${identityTopics[decision]}/${id}`,
      },
    ]),
  certificateNews: (tx, scope, { account_id: accountId, kind, expires_on: by }, { news, reason, event }) =>
    notifyAll(tx, scope, [
      {
        accountId,
        topic: `certificate-${news}` as const,
        path: checksPath,
        data: { what: kind, by, ...(reason ? { reason } : {}) },
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
          what: role,
          ...(by === undefined ? {} : { by: by.toISOString() }),
        },
        path: kind === 'removed' ? '/tabs/menu/business' : teamPath(business.id),
        dedupeKey: `team-${kind}/${event}`,
      })),
    ),
  businessClosing: async (tx, businessId) => ({
    runningJobs: await countRunningJobs(tx, businessId),
    hasMoney: await hasMoney(tx, businessId),
  }),
  businessClosed: endPromo,
});

chargeOutcomes.wire({
  holdPaid,
  coverPaid,
  tipPaid,
  tipFailed,
  holdFrozen: freezeHold,
  holdChargedBack: chargeBackHold,
});

moneyOutcomes.wire({
  lockOffer: lockOfferToPay,
  lockWork,
  fundingChanged: async (tx, { offerId, engagementId }, funding) => {
    if (offerId !== null) await setOfferFunding(tx, offerId, funding);
    if (engagementId !== null) await setEngagementFunding(tx, engagementId, funding);
  },
  offerPaid: sendPaidOffer,
  offerUnpaid: endUnpaidOffer,
  payMissing: notifyOfMissingPay,
  payReleased: async (tx, scope, pay) => {
    await notifyOfReleasedPay(tx, scope, pay);
    await referralQualified(tx, scope, pay);
  },
  tipPaid: notifyOfTip,
  payReversed: notifyOfReversedPay,
  rewardReversed,
});

workOutcomes.wire({
  seatFreed: async (tx, scope, { jobId }) => {
    await freeHiredSeat(tx, scope, jobId);
    await seatFreed(tx, scope, jobId);
  },
  workEnded: openReviews,
  workMoved: followWork,
  reliabilityChanged: (tx, { workerId, from }) =>
    from === undefined ? rankWorker(tx, workerId) : rankWorkerAt(tx, workerId, from),
});

hiringOutcomes.wire({
  seatCostChanged: fundSeats,
  seatFreed,
  jobFilled: fillSoon,
  jobClosed: closeApplicationsOfJob,
  startMoved,
  jobMoved: async (tx, scope, move) => {
    await savedJobMoved(tx, scope, move);
    await jobMovedForSearches(tx, scope, move);
  },
  jobsOpened,
  isCleanBusiness,
  lastSeatLeft: savedJobFilling,
  jobChanged: async (tx, scope, job, edit) => {
    await notifyOfJobChange(tx, scope, job, edit);
    await savedJobChanged(tx, scope, job, edit);
  },
  wouldHireAtOnce,
  hireAtOnce,
  applicationsEnded: endInterviewsOf,
  offersEnded: endOffersOf,
});
