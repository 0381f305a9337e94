import { dayMs } from '../durations.ts';
import type { SuspensionScope } from '../house-rules.ts';

/** Measures an operator can impose on their own initiative: a warning, hiding a job, or a suspension. */
export const staffMeasures = ['warning', 'hidden', 'suspension'] as const;
export const reportMeasures = [...staffMeasures, 'removed'] as const;
/** All decisions with a statement of reasons. */
export const sanctionMeasures = [
  ...reportMeasures,
  'redacted',
  'frozen',
  'refused',
  'payout_refused',
  'verification_refused',
  'certificate_refused',
  'identity_refused',
] as const;
export type SanctionMeasure = (typeof sanctionMeasures)[number];

export const sanctionSources = ['report', 'screening', 'staff'] as const;
export type SanctionSource = (typeof sanctionSources)[number];

export const sanctionEndings = ['expired', 'lifted', 'overturned'] as const;
export type SanctionEnding = (typeof sanctionEndings)[number];

export const staffTargets = ['job', 'business', 'account'] as const;
/** A review, message or conversation comes from a report or a flag, a withdrawal or document from a case. */
export const sanctionTargets = [
  ...staffTargets,
  'review',
  'message',
  'conversation',
  'withdrawal',
  'certificate',
  'identity_check',
] as const;
export type SanctionTarget = (typeof sanctionTargets)[number];

const targetsOf: Record<SanctionMeasure, readonly SanctionTarget[]> = {
  warning: staffTargets,
  hidden: ['job'],
  suspension: ['business', 'account'],
  removed: ['review'],
  redacted: ['message'],
  frozen: ['conversation'],
  refused: ['job'],
  payout_refused: ['withdrawal'],
  verification_refused: ['business'],
  certificate_refused: ['certificate'],
  identity_refused: ['identity_check'],
};

/** An appeal is possible for six months (Digital Services Act, article 20) and decided within seven days. */
export const sanctionLimits = {
  factsMax: 2_000,
  reasonMax: 1_000,
  wordsMax: 2_000,
  suspensionDaysMax: 365,
  appealDays: 183,
  appealAnswerDays: 7,
  /** A business can have more open jobs than operators need to count. */
  runningMax: 1_000,
};

export type Measure = {
  target: SanctionTarget;
  measure: SanctionMeasure;
  scope: SuspensionScope | null;
  /** The end of the measure; null means until it is lifted. */
  endsAt: Date | null;
};

/** A measure must fit its target, and only a suspension has a scope and an end. Null if possible. */
export function measureProblem(
  { target, measure, scope, endsAt }: Measure,
  now: Date,
): { path: string; message: string } | null {
  if (!targetsOf[measure].includes(target))
    return { path: 'measure', message: `one for a ${targetsOf[measure].join(' or ')}` };
  if ((measure === 'suspension') !== (scope !== null))
    return { path: 'scope', message: 'a scope for a suspension only' };
  if (target === 'business' && scope !== null && scope !== 'hiring')
    return { path: 'scope', message: 'hiring for a business' };
  if (endsAt === null) return null;
  const days = (endsAt.getTime() - now.getTime()) / dayMs;
  return measure !== 'suspension' || days <= 0 || days > sanctionLimits.suspensionDaysMax
    ? { path: 'endsAt', message: 'an end within a year, for a suspension only' }
    : null;
}
