export const foundKinds = ['person', 'business', 'job', 'engagement'] as const;
export type FoundKind = (typeof foundKinds)[number];

export const searchLimits = {
  /** A shorter word is in too many names. */
  wordsMin: 3,
  wordsMax: 200,
  related: 20,
} as const;

export const isRecordId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim());
