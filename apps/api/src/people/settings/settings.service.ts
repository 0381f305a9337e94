import type { SettingsView } from '@nearhand/contract/people/settings';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';

/** The configured numbers that clients display, so no screen promises a default that this server doesn't use (ADR 0063). Public. */
export async function getSettings(_db: Db, { config }: Scope<Actor | null>): Promise<SettingsView> {
  return {
    merchantFeeBasisPoints: config.MERCHANT_FEE_BASIS_POINTS,
    workerFeeBasisPoints: config.WORKER_FEE_BASIS_POINTS,
    jobLifeDays: config.JOB_LIFE_DAYS,
    decideByDays: config.DECIDE_BY_DAYS,
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
  };
}
