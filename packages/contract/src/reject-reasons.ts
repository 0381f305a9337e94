/** Why an application was turned down; the worker sees it in words. */
export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
