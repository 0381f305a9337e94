import type { CaseKind } from '../case-kinds.ts';

/** Cases with content or behaviour that may be a crime against someone's life or safety (DSA, article 18). */
export const reportableKinds = [
  'report',
  'chat_report',
  'frozen_chat',
  'flagged_review',
  'job_review',
] as const satisfies readonly CaseKind[];
export type ReportableKind = (typeof reportableKinds)[number];

export const isReportable = (kind: CaseKind): kind is ReportableKind =>
  reportableKinds.some((reportable) => reportable === kind);

/** What an operator passes on to an authority. */
export const authorityFacts = [
  'name',
  'contact-details',
  'content',
  'messages',
  'reports',
  'places-and-times',
  'sign-ins',
] as const;
export type AuthorityFact = (typeof authorityFacts)[number];

export const authorityReportStates = ['waiting', 'confirmed', 'refused'] as const;

export const authorityReportLimits = {
  authorityMax: 120,
  referenceMax: 80,
  reasonMin: 10,
  reasonMax: 2_000,
  noteMax: 1_000,
  /** The newest reports that a case shows. */
  shown: 20,
  /** Minutes in which the second factor must have been confirmed. */
  secondFactorMinutes: 10,
} as const;
