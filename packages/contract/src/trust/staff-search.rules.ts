import { isId } from '../ids.ts';

export const foundKinds = ['person', 'business', 'job', 'engagement'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** The kinds the search finds: records with a page, and requests to support, also of people without an account. */
export const searchKinds = [...foundKinds, 'ticket'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Records that are someone whom support serves: they have a timeline and an overview. */
export const customerKinds = ['person', 'business'] as const satisfies readonly FoundKind[];
export type CustomerKind = (typeof customerKinds)[number];

/** Events of the timeline of a person or business, each with its filter. */
export const timelineTable = {
  ticket: 'cases',
  'case-decided': 'cases',
  'report-made': 'cases',
  'report-about': 'cases',
  'chat-report-made': 'cases',
  'chat-report-about': 'cases',
  appeal: 'cases',
  sanction: 'decisions',
  'sanction-ended': 'decisions',
  work: 'work',
  payment: 'money',
  withdrawal: 'money',
  charge: 'money',
  'bank-transfer': 'money',
  'sign-in': 'sign-ins',
  'account-created': 'checks',
  'phone-checked': 'checks',
  'identity-sent': 'checks',
  'identity-decided': 'checks',
  'certificate-sent': 'checks',
  'certificate-decided': 'checks',
  'payee-sent': 'checks',
  'payee-decided': 'checks',
  'document-added': 'checks',
  'business-move': 'businesses',
} as const;
export type TimelineKind = keyof typeof timelineTable;
export const timelineKinds = Object.keys(timelineTable) as [TimelineKind, ...TimelineKind[]];
export const timelineGroups = [
  'cases',
  'decisions',
  'work',
  'money',
  'sign-ins',
  'checks',
  'businesses',
] as const;
export type TimelineGroup = (typeof timelineGroups)[number];

/** Something two accounts have in common, and how surely one person has both. */
export const linkTable = { bank: 'certain', card: 'certain', device: 'likely', network: 'weak' } as const;
export type LinkReason = keyof typeof linkTable;
export const linkReasons = Object.keys(linkTable) as [LinkReason, ...LinkReason[]];

export const personChecks = ['email', 'phone', 'identity', 'payee', 'second-step', 'passkeys'] as const;

export const searchLimits = {
  /** A shorter word is in too many names. */
  wordsMin: 3,
  wordsMax: 200,
  /** Records of each kind that a search of all kinds lists. */
  ofEachKind: 5,
  /** Records with a similar name, where none has the words. */
  similar: 10,
  related: 20,
  /** Linked accounts, certain ones first. */
  links: 10,
  openCases: 10,
} as const;

export const isRecordId = (text: string): boolean => isId(text.trim().toLowerCase());
