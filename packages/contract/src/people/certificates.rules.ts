import { dayMs } from '../durations.ts';

export const certificateKinds = ['food_hygiene', 'driving_licence', 'first_aid'] as const;
export type CertificateKind = (typeof certificateKinds)[number];

export const certificateLimits = {
  /** Days before the last day on which the person is reminded. */
  reminderDays: [30, 7],
  /** The copy is deleted this many days after the decision. */
  fileKeptDays: 30,
  /** Later ends are mistyped: a driving licence lasts at most 15 years in the EU (Directive 2006/126/EC, article 7). */
  yearsAhead: 20,
} as const;

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The latest day that a certificate may be valid until, as YYYY-MM-DD. */
export function latestExpiry(now: Date): string {
  const year = now.getUTCFullYear() + certificateLimits.yearsAhead;
  return `${year}${dayOf(now).slice(4)}`;
}

/** The reason why a day can't be the last one of a certificate; null if it can. Days end at midnight UTC. */
export function certificateExpiryProblem(expiresOn: string, now: Date): 'expired' | 'too-far' | null {
  if (expiresOn < dayOf(now)) return 'expired';
  return expiresOn > latestExpiry(now) ? 'too-far' : null;
}

/** The end of a certificate: the midnight UTC after its last day. */
export const endOf = (expiresOn: string): Date => new Date(Date.parse(`${expiresOn}T00:00:00Z`) + dayMs);
