import type { WorkerChecks } from './profiles.ts';

/** Limits of codes that check a phone number. Counts are per 24 hours. */
export const phoneCodeLimits = {
  digits: 6,
  minutes: 10,
  tries: 5,
  resendSeconds: 60,
  perNumber: 5,
  perAccount: 5,
  perNetwork: 20,
} as const;

/** The code without typed spaces and dashes. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '');

export const phoneCodeShape = /^\d{6}$/;

/** The checks of a person whose checks may not be shown. */
export const nothingChecked: WorkerChecks = { phone: false, identity: false, certificates: [] };
