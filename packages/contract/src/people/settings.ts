import { z } from 'zod';
import type { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const whole = z.number().int().min(0);

/** Server settings that clients display. Names match `limits`, which holds the defaults. */
export const settingsView = z
  .object({
    merchantFeeBasisPoints: whole,
    workerFeeBasisPoints: whole,
    jobLifeDays: whole,
    decideByDays: whole,
    openJobsWhileUnverified: whole,
    checkoutMinutes: whole,
    offerHours: whole,
    interviewAnswerHours: whole,
    interviewReschedulesMax: whole,
    interviewRescheduleClosesHours: whole,
    interviewNoShowMinutes: whole,
    contestHours: whole,
    checkInOpensMinutes: whole,
    checkInRadiusM: whole,
    lateCancelHours: whole,
    counterRounds: whole,
    disputeFileDays: whole,
    disputeAnswerDays: whole,
    disputeProposalDays: whole,
    tipDays: whole,
    reviewDays: whole,
    applicationsPerDay: whole,
    autoApproveShiftHours: whole,
    autoApproveTaskDays: whole,
    autoSubmitHours: whole,
    businessesWhileUnverified: whole,
    clearingDays: whole,
    confirmAskedHours: whole,
    disputeStopDays: whole,
    escalateMinutes: whole,
    lateCancelMinutesMax: whole,
    lateCancelShareBasisPoints: whole,
    noShowAfterMinutes: whole,
    payoutMethodHoldDays: whole,
    withdrawalCancelMinutes: whole,
    withdrawalInstantFeeMinor: whole,
    withdrawalMinMinor: whole,
    withdrawalsPerDay: whole,
    payFloors: z.record(z.string(), whole),
  } satisfies Partial<Record<keyof typeof limits, z.ZodType>>)
  .extend({
    /** The legal person that runs this server, and its email address; empty if not set. */
    operator: z.string(),
    contactEmail: z.string(),
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
