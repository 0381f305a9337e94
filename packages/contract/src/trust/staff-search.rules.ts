import { isId } from '../ids.ts';

export const foundKinds = ['person', 'business', 'job', 'engagement'] as const;
export type FoundKind = (typeof foundKinds)[number];

export const searchLimits = {
  /** A shorter word is in too many names. */
  wordsMin: 3,
  wordsMax: 200,
  related: 20,
} as const;

export const isRecordId = (text: string): boolean => isId(text.trim().toLowerCase());
