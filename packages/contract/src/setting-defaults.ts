/**
 * Defaults of the settings that apps show or that the documents name (product.md, Constants). `config.ts` has those
 * of the server alone.
 */
export const settingDefaults = {
  businessFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 0,
  tipDays: 30,
  reviewDays: 14,
  clearingDays: 5,
  withdrawalMinMinor: 500,
  withdrawalInstantFeeMinor: 150,
  withdrawalsPerDay: 5,
  withdrawalCancelMinutes: 10,
  payoutMethodHoldDays: 3,
  jobLifeDays: 30,
  decideByDays: 14,
  openJobsWhileUnverified: 3,
  /** Hourly pay by country that replaces the statutory rates of `pay-floors.rules.ts`. */
  payFloors: {} as Readonly<Record<string, number>>,
  businessesWhileUnverified: 5,
  applicationsPerDay: 30,
  /** Days before a shift of a series at which its pay is set aside (ADR 399). */
  fundAheadDays: 7,
  /** Hours before the shift by which its pay must be set aside. */
  fundByHours: 48,
  checkoutMinutes: 15,
  offerHours: 48,
  interviewAnswerHours: 72,
  interviewReschedulesMax: 2,
  interviewRescheduleClosesHours: 12,
  interviewNoShowMinutes: 15,
  confirmAskedHours: 36,
  confirmAgainHours: 20,
  confirmByHours: 16,
  checkInOpensMinutes: 60,
  /** Metres. */
  checkInRadiusM: 150,
  noShowAfterMinutes: 60,
  contestHours: 24,
  lateCancelHours: 24,
  lateCancelShareBasisPoints: 5_000,
  lateCancelMinutesMax: 240,
  autoSubmitHours: 12,
  autoApproveShiftHours: 72,
  /** Hours after which a business's rule approves hours near the plan (ADR 43). */
  approvalRuleHours: 6,
  autoApproveTaskDays: 14,
  /** Counter-proposals of hours, by both sides in turn. */
  counterRounds: 3,
  disputeFileDays: 7,
  disputeAnswerDays: 5,
  disputeProposalDays: 2,
  disputeStopDays: 30,
  escalateMinutes: 15,
  messageMailMinutes: 15,
  /** Hour of the day, in the reader’s time zone. */
  digestHour: 8,
} as const;
