import { accountObstacles, erasePersonalData, withdrawBeforeDeletion } from './account-removal.ts';
import { notifyOfJobChanges } from './hiring/applications/application-notices.ts';
import { followWork } from './hiring/applications/application-transitions.ts';
import { queueNewDeadlines } from './hiring/applications/decide-by.ts';
import { closeApplicationsOfJobs, fillSoon } from './hiring/applications/end-applications.ts';
import { deleteCalendarFeed } from './hiring/calendar/calendar.ts';
import { endGiveaway, endGiveawayOf, inviteColleagues } from './hiring/giveaways/giveaways.ts';
import { hiringHooks } from './hiring/hooks.ts';
import { hireAtOnce, wouldHireAtOnce } from './hiring/instant-hire/instant-hire.ts';
import { endInterviewsOf } from './hiring/interviews/end-interviews.ts';
import { closeJobs, obstaclesOfClosing } from './hiring/jobs/job-lifecycle.ts';
import { joinBranch, renameBusinessInJobs } from './hiring/jobs/jobs.sql.ts';
import { rankWorker } from './hiring/matching/ranking.ts';
import { endOffersOf } from './hiring/offers/end-offers.ts';
import { extendOffersPastInterview } from './hiring/offers/offer-making.ts';
import { updateOfferFunding } from './hiring/offers/offers.sql.ts';
import { followLateOffer, renewOffers } from './hiring/offers/offers.ts';
import { endUnpaidOffer, lockOfferToPay, sendPaidOffer } from './hiring/offers/unpaid-offers.ts';
import { endHiding, offerToPools, resumeSearches } from './hiring/replacements/replacements.ts';
import {
  notifySaversOfChanges,
  notifySaversOfEnd,
  notifySaversOfLastSpot,
} from './hiring/saved-jobs/saved-jobs.ts';
import { followMovedJob, queueJobMatching } from './hiring/saved-searches/search-matches.ts';
import { freeHiredSpot, fundSpots } from './hiring/spots/spots.ts';
import { offerToWaitlist } from './hiring/waitlist/waitlist.ts';
import { chargeHooks } from './money/charges/charge-hooks.ts';
import { endLimit } from './money/credit-limits/credit-limits.ts';
import { applyHoldCharge } from './money/holds/checkouts.ts';
import { applyCoverCharge } from './money/holds/cover.ts';
import { chargeBackHold, freezeHold } from './money/holds/hold-freeze.ts';
import { moneyHooks } from './money/hooks.ts';
import { moneyThatMayReturn } from './money/payouts/balance.ts';
import { applyTipCharge, failTip } from './money/tips/tips.ts';
import { endPromo } from './money/wallet/wallet.ts';
import { findUninvoicedBusinesses } from './money/worker-invoices/worker-invoices.sql.ts';
import { cancelOpenEmailChange, revertEmailChange } from './people/email-change/email-change.ts';
import { peopleHooks } from './people/hooks.ts';
import { deletePasskeysOf } from './people/passkeys/passkeys.sql.ts';
import { deleteLinksOf } from './people/sign-in/sign-in.sql.ts';
import { confirmAddress, isAddressRefused } from './talk/notifications/deliveries.ts';
import { countUnread } from './talk/notifications/notifications.sql.ts';
import {
  notifyOfCertificate,
  notifyOfCertificateExpiry,
  notifyOfClosedBusiness,
  notifyOfIdentityCheck,
  notifyOfTeamChange,
  notifyOfVerification,
} from './talk/notifications/people-notices.ts';
import { openReviews } from './trust/reviews/reviews.ts';
import { isCleanBusiness } from './trust/sanctions/sanctions.sql.ts';
import { followCertificate, followIdentity, followVerification } from './trust/sanctions/sanctions.ts';
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
import { queueReferralRewards, recordReversedReward } from './work/referrals/rewards.ts';

// Every entry point that runs services imports this file first (docs/architecture.md, Domains).
peopleHooks.register({
  on: {
    accountLeaving: withdrawBeforeDeletion,
    accountRemoved: erasePersonalData,
    addressConfirmed: confirmAddress,
    sessionsEnded: deleteCalendarFeed,
    devicesSignedOut: deleteLinksOf,
    signInForgotten: deletePasskeysOf,
    passwordChanged: cancelOpenEmailChange,
    emailRefused: revertEmailChange,
    workerChanged: rankWorker,
    businessRenamed: renameBusinessInJobs,
    branchAdded: joinBranch,
    businessDecided: [followVerification, notifyOfVerification],
    identityDecided: [followIdentity, notifyOfIdentityCheck],
    certificateDecided: [followCertificate, notifyOfCertificate],
    certificateNews: notifyOfCertificateExpiry,
    teamChanged: notifyOfTeamChange,
    businessClosed: [notifyOfClosedBusiness, endLimit, endPromo],
  },
  needs: {
    accountObstacles,
    moneyThatMayReturn,
    removalBusinesses: findUninvoicedBusinesses,
    isAddressRefused,
    countUnread,
    closingObstacles: obstaclesOfClosing,
    closeJobs,
  },
});

chargeHooks.register({
  on: {
    tipFailed: failTip,
    holdFrozen: freezeHold,
  },
  needs: {
    applyHoldCharge,
    applyCoverCharge,
    applyTipCharge,
    chargeBackHold,
  },
});

moneyHooks.register({
  on: {
    fundingChanged: [updateOfferFunding, updateEngagementFunding],
    offerPaid: sendPaidOffer,
    offerUnpaid: endUnpaidOffer,
    fundingLate: [followLateOffer, followLateFunding],
    payMissing: notifyOfMissingPay,
    payReleased: [notifyOfReleasedPay, queueReferralRewards],
    tipPaid: notifyOfTip,
    payReversed: notifyOfReversedPay,
    rewardReversed: recordReversedReward,
  },
  needs: {
    lockOffer: lockOfferToPay,
    lockWork,
  },
});

workHooks.register({
  on: {
    // The count of free spots comes first, then pools before the waitlist (ADR 407).
    hireEnded: [freeHiredSpot, offerToPools, offerToWaitlist],
    spotUnconfirmed: inviteColleagues,
    workEnded: openReviews,
    termsChanged: endGiveawayOf,
    workMoved: [followWork, endGiveaway, endShiftChange, endDayOff],
    reliabilityChanged: rankWorker,
  },
  needs: {},
});

hiringHooks.register({
  on: {
    // Pools before the waitlist (ADR 407).
    spotFreed: [offerToPools, offerToWaitlist],
    jobFilled: fillSoon,
    jobsClosed: closeApplicationsOfJobs,
    startMoved: queueNewDeadlines,
    jobMoved: [notifySaversOfEnd, followMovedJob, endHiding, resumeSearches],
    jobsOpened: queueJobMatching,
    lastSpotLeft: notifySaversOfLastSpot,
    jobsChanged: [notifyOfJobChanges, notifySaversOfChanges],
    applicationsEnded: endInterviewsOf,
    interviewAgreed: extendOffersPastInterview,
    offersEnded: endOffersOf,
  },
  needs: {
    fundSpots,
    renewOffers,
    isCleanBusiness,
    wouldHireAtOnce,
    hireAtOnce,
  },
});
