export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];
