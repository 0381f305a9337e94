import { dayMs } from '../durations.ts';

/** What a worker can prove. */
export const certificateKinds = ['food_hygiene', 'driving_licence', 'first_aid'] as const;
export type CertificateKind = (typeof certificateKinds)[number];

export const certificateLimits = {
  /** Days before the last day at which the person is reminded. */
  reminderDays: [30, 7],
  /** Days after the decision in which the copy is kept. */
  fileKeptDays: 30,
  /** A driving licence is valid for at most 15 years in the EU (Directive 2006/126/EC, article 7); a later date is a typo. */
  yearsAhead: 20,
} as const;

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The last day that can be given as the end of a certificate. */
export function latestExpiry(now: Date): string {
  const year = now.getUTCFullYear() + certificateLimits.yearsAhead;
  return `${year}${dayOf(now).slice(4)}`;
}

/** The reason why a day cannot be the last one of a certificate now; null if it can. Days end at midnight UTC. */
export function expiryProblem(expiresOn: string, now: Date): 'expired' | 'too-far' | null {
  if (expiresOn < dayOf(now)) return 'expired';
  return expiresOn > latestExpiry(now) ? 'too-far' : null;
}

/** When a certificate is no longer valid: the midnight UTC after its last day. */
export const endOf = (expiresOn: string): Date => new Date(Date.parse(`${expiresOn}T00:00:00Z`) + dayMs);
