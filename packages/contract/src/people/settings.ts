import { z } from 'zod';
import { operation } from '../operation.ts';
import type { settingDefaults } from '../setting-defaults.ts';

const whole = z.number().int().min(0);

/** The limits that clients display, by their names in `limits`; the setting has the same name in capitals. */
export const displayedLimits = [
  'businessFeeBasisPoints',
  'workerFeeBasisPoints',
  'jobLifeDays',
  'decideByDays',
  'openJobsWhileUnverified',
  'checkoutMinutes',
  'offerHours',
  'interviewAnswerHours',
  'interviewReschedulesMax',
  'interviewRescheduleClosesHours',
  'interviewNoShowMinutes',
  'contestHours',
  'checkInOpensMinutes',
  'checkInRadiusM',
  'lateCancelHours',
  'counterRounds',
  'disputeFileDays',
  'disputeAnswerDays',
  'disputeProposalDays',
  'tipDays',
  'reviewDays',
  'applicationsPerDay',
  'autoApproveShiftHours',
  'autoApproveTaskDays',
  'autoSubmitHours',
  'businessesWhileUnverified',
  'clearingDays',
  'confirmAskedHours',
  'confirmAgainHours',
  'confirmByHours',
  'fundAheadDays',
  'fundByHours',
  'disputeStopDays',
  'escalateMinutes',
  'lateCancelMinutesMax',
  'lateCancelShareBasisPoints',
  'noShowAfterMinutes',
  'payoutMethodHoldDays',
  'withdrawalCancelMinutes',
  'withdrawalInstantFeeMinor',
  'withdrawalMinMinor',
  'withdrawalsPerDay',
] as const satisfies readonly (keyof typeof settingDefaults)[];
export type DisplayedLimit = (typeof displayedLimits)[number];

/** Server settings that clients display instead of the defaults in `limits`. */
export const settingsView = z.object({
  ...(Object.fromEntries(displayedLimits.map((name) => [name, whole])) as Record<
    DisplayedLimit,
    typeof whole
  >),
  payFloors: z.record(z.string(), whole),
  /** The legal person that runs this server, and its email address; empty if not set. */
  operator: z.string(),
  contactEmail: z.string(),
  /**
   * The body that settles disputes about our decisions out of court (DSA, article 21), and its site; empty if
   * not set.
   */
  settlementBody: z.string(),
  settlementBodyUrl: z.string(),
  /** The host that the map's streets come from; empty if that is this server, or there are none. */
  mapHost: z.string(),
});
export type SettingsView = z.infer<typeof settingsView>;

/** This server's settings. Public (ADR 63). */
export const settings = {
  get: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/settings',
      summary: 'Deadlines, distances and limits of this server',
    })
    .output(settingsView),
};
