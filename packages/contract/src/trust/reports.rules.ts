/** Subjects of reports. Messages and conversations have their own reports (`chatReports`). */
export const reportKinds = ['job', 'business', 'worker', 'review'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const reportReasons = [
  'scam',
  'fake',
  'misleading',
  'unpaid',
  'discrimination',
  'harassment',
  'unsafe',
  'illegal',
  'offensive',
  'private',
  'other',
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The reasons offered for each kind, most frequent first. */
export const reasonsOf: Record<ReportKind, readonly ReportReason[]> = {
  job: ['scam', 'fake', 'misleading', 'discrimination', 'unsafe', 'illegal', 'offensive', 'other'],
  business: ['scam', 'fake', 'unpaid', 'harassment', 'discrimination', 'unsafe', 'offensive', 'other'],
  worker: ['fake', 'harassment', 'offensive', 'unsafe', 'scam', 'other'],
  review: ['fake', 'misleading', 'offensive', 'harassment', 'discrimination', 'private', 'other'],
};

export const reportLimits = { noteMax: 2_000, answerMax: 1_000, filesMax: 5, perDay: 10, targetDays: 3 };

export const reportOutcomes = ['actioned', 'dismissed'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
export const reportCaseStatuses = ['open', ...reportOutcomes] as const;
