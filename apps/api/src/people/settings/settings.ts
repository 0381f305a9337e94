import { type SettingsView, settings } from '@nearhand/contract/people/settings';
import { unnamedSender } from '../../platform/config/config.ts';
import { mapHostOf } from '../../platform/config/config-places.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';

/** Configured limits that clients display instead of defaults (ADR 63). Public. */
async function getSettings(_db: Db, { config }: Scope<Actor | null>): Promise<SettingsView> {
  return {
    operator:
      config.INVOICE_SENDER === unnamedSender
        ? ''
        : config.INVOICE_SENDER.split('|')
            .map((line) => line.trim())
            .join(', '),
    contactEmail: config.CONTACT_EMAIL ?? '',
    mapHost: mapHostOf(config) ?? '',
    merchantFeeBasisPoints: config.MERCHANT_FEE_BASIS_POINTS,
    workerFeeBasisPoints: config.WORKER_FEE_BASIS_POINTS,
    jobLifeDays: config.JOB_LIFE_DAYS,
    decideByDays: config.DECIDE_BY_DAYS,
    payFloors: config.PAY_FLOORS,
    openJobsWhileUnverified: config.OPEN_JOBS_WHILE_UNVERIFIED,
    checkoutMinutes: config.CHECKOUT_MINUTES,
    offerHours: config.OFFER_HOURS,
    interviewAnswerHours: config.INTERVIEW_ANSWER_HOURS,
    interviewReschedulesMax: config.INTERVIEW_RESCHEDULES_MAX,
    interviewRescheduleClosesHours: config.INTERVIEW_RESCHEDULE_CLOSES_HOURS,
    interviewNoShowMinutes: config.INTERVIEW_NO_SHOW_MINUTES,
    contestHours: config.CONTEST_HOURS,
    checkInOpensMinutes: config.CHECK_IN_OPENS_MINUTES,
    checkInRadiusM: config.CHECK_IN_RADIUS_M,
    lateCancelHours: config.LATE_CANCEL_HOURS,
    counterRounds: config.COUNTER_ROUNDS,
    disputeFileDays: config.DISPUTE_FILE_DAYS,
    disputeAnswerDays: config.DISPUTE_ANSWER_DAYS,
    disputeProposalDays: config.DISPUTE_PROPOSAL_DAYS,
    tipDays: config.TIP_DAYS,
    reviewDays: config.REVIEW_DAYS,
    applicationsPerDay: config.APPLICATIONS_PER_DAY,
    autoApproveShiftHours: config.AUTO_APPROVE_SHIFT_HOURS,
    autoApproveTaskDays: config.AUTO_APPROVE_TASK_DAYS,
    autoSubmitHours: config.AUTO_SUBMIT_HOURS,
    businessesWhileUnverified: config.BUSINESSES_WHILE_UNVERIFIED,
    clearingDays: config.CLEARING_DAYS,
    confirmAskedHours: config.CONFIRM_ASKED_HOURS,
    disputeStopDays: config.DISPUTE_STOP_DAYS,
    escalateMinutes: config.ESCALATE_MINUTES,
    lateCancelMinutesMax: config.LATE_CANCEL_MINUTES_MAX,
    lateCancelShareBasisPoints: config.LATE_CANCEL_SHARE_BASIS_POINTS,
    noShowAfterMinutes: config.NO_SHOW_AFTER_MINUTES,
    payoutMethodHoldDays: config.PAYOUT_METHOD_HOLD_DAYS,
    withdrawalCancelMinutes: config.WITHDRAWAL_CANCEL_MINUTES,
    withdrawalInstantFeeMinor: config.WITHDRAWAL_INSTANT_FEE_MINOR,
    withdrawalMinMinor: config.WITHDRAWAL_MIN_MINOR,
    withdrawalsPerDay: config.WITHDRAWALS_PER_DAY,
  };
}

export const settingsRoutes = {
  get: read(settings.get, getSettings),
};
