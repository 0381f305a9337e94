import { z } from 'zod';
import type { limits } from './limits.ts';
import { operation } from './operation.ts';

const whole = z.number().int().min(0);

/**
 * The settings of this server that a client states in words or draws. They are named as in `limits`, which holds their defaults; what no client
 * says stays out.
 */
export const settingsView = z.object({
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
} satisfies Partial<Record<keyof typeof limits, z.ZodType>>);
export type SettingsView = z.infer<typeof settingsView>;

/** What this server is set to, for anyone (ADR 0063). */
export const settings = {
  get: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/settings',
      summary: 'Terms, rings and rounds as this server has them set',
    })
    .output(settingsView),
};
