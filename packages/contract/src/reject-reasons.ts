/** Reasons to reject an application; the worker reads them in words. */
export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
