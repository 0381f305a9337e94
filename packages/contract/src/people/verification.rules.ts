import type { WorkerChecks } from './profiles.ts';

/** Codes that check a phone number. Counts are per 24 hours. */
export const phoneCodeLimits = {
  digits: 6,
  minutes: 10,
  tries: 5,
  resendSeconds: 60,
  perNumber: 5,
  perAccount: 5,
  perNetwork: 20,
} as const;

/** The code as people type it: spaces and dashes are dropped. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '');

/** A whole code. */
export const phoneCodeShape = /^\d{6}$/;

/** For someone whose checks nobody may see. */
export const nothingChecked: WorkerChecks = { phone: false, identity: false, certificates: [] };
