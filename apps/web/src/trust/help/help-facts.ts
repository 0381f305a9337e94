import { limits } from '@nearhand/contract/limits';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import type { SettingsView } from '../../lib/settings.ts';
import { formatBytes, formatDistance, formatNumber, formatShare, locale } from '../../lib/words/format.ts';

type Unit = 'minute' | 'hour' | 'day';

const span = (value: number, unit: Unit): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
const days = (value: number) => span(value, 'day');
const hours = (value: number) => span(value, 'hour');
const minutes = (value: number) =>
  value % 60 === 0 && value > 60 ? hours(value / 60) : span(value, 'minute');
/** An amount in a currency with two decimals, without naming one. */
const amount = (minor: number): string =>
  new Intl.NumberFormat(locale(), { minimumFractionDigits: minor % 100 === 0 ? 0 : 2 }).format(minor / 100);

/** What `{{name}}` in an article stands for, from this server's settings or the limits of the contract. */
export const helpFacts = {
  merchantFee: (s) => formatShare(s.merchantFeeBasisPoints),
  workerFee: (s) => formatShare(s.workerFeeBasisPoints),
  jobLife: (s) => days(s.jobLifeDays),
  decideBy: (s) => days(s.decideByDays),
  openJobsWhileUnverified: (s) => formatNumber(s.openJobsWhileUnverified),
  businessesWhileUnverified: (s) => formatNumber(s.businessesWhileUnverified),
  applicationsPerDay: (s) => formatNumber(s.applicationsPerDay),
  checkout: (s) => minutes(s.checkoutMinutes),
  offer: (s) => hours(s.offerHours),
  interviewAnswer: (s) => hours(s.interviewAnswerHours),
  interviewReschedules: (s) => formatNumber(s.interviewReschedulesMax),
  interviewRescheduleCloses: (s) => hours(s.interviewRescheduleClosesHours),
  interviewNoShow: (s) => minutes(s.interviewNoShowMinutes),
  contest: (s) => hours(s.contestHours),
  confirmAsked: (s) => hours(s.confirmAskedHours),
  checkInOpens: (s) => minutes(s.checkInOpensMinutes),
  checkInRadius: (s) => formatDistance(s.checkInRadiusM),
  noShowAfter: (s) => minutes(s.noShowAfterMinutes),
  lateCancel: (s) => hours(s.lateCancelHours),
  lateCancelShare: (s) => formatShare(s.lateCancelShareBasisPoints),
  lateCancelMax: (s) => minutes(s.lateCancelMinutesMax),
  autoSubmit: (s) => hours(s.autoSubmitHours),
  autoApproveShift: (s) => hours(s.autoApproveShiftHours),
  autoApproveTask: (s) => days(s.autoApproveTaskDays),
  counterRounds: (s) => formatNumber(s.counterRounds),
  disputeFile: (s) => days(s.disputeFileDays),
  disputeAnswer: (s) => days(s.disputeAnswerDays),
  disputeProposal: (s) => days(s.disputeProposalDays),
  disputeStop: (s) => days(s.disputeStopDays),
  tip: (s) => days(s.tipDays),
  clearing: (s) => days(s.clearingDays),
  withdrawalMin: (s) => amount(s.withdrawalMinMinor),
  withdrawalInstantFee: (s) => amount(s.withdrawalInstantFeeMinor),
  withdrawalsPerDay: (s) => formatNumber(s.withdrawalsPerDay),
  withdrawalCancel: (s) => minutes(s.withdrawalCancelMinutes),
  payoutMethodHold: (s) => days(s.payoutMethodHoldDays),
  escalate: (s) => minutes(s.escalateMinutes),
  passwordMin: () => formatNumber(limits.passwordMin),
  cvSize: () => formatBytes(limits.cvBytes),
  radius: () => formatDistance(limits.radiusDefaultKm * 1_000),
  interviewSlots: () => formatNumber(limits.interviewSlotsMax),
  lateArrival: () => minutes(limits.lateArrivalMinutes),
  siteCodeTries: () => formatNumber(limits.siteCodeTries),
  siteCodePause: () => minutes(limits.siteCodeTriesMinutes),
  deliveryFiles: () => formatNumber(limits.deliveryFilesMax),
  reliabilityDays: () => days(limits.reliabilityDays),
  reliabilityLeast: () => formatNumber(limits.reliabilityLeastFacts),
  payoutMethods: () => formatNumber(limits.payoutMethodsMax),
  fileLink: () => minutes(limits.fileLinkMinutes),
  questions: () => formatNumber(limits.questionsMax),
  compare: () => formatNumber(limits.compareMax),
  chatFiles: () => formatNumber(limits.chatFilesMax),
  chatFileSize: () => formatBytes(limits.chatFileBytes),
  chatEdit: () => minutes(limits.chatEditMinutes),
  chatReadOnly: () => days(limits.chatReadOnlyDays),
  ticketFiles: () => formatNumber(ticketLimits.filesMax),
  day: () => hours(24),
} satisfies Record<string, (settings: SettingsView) => string>;
