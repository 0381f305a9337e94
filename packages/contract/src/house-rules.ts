/** House rules that a sanction can cite. */
export const houseRules = [
  'no-fees',
  'real-jobs',
  'honest-details',
  'pay-as-agreed',
  'stay-on-nearhand',
  'respect',
  'no-discrimination',
  'safety',
  'identity',
  'privacy',
  'law',
] as const;
export type HouseRule = (typeof houseRules)[number];

/** The scope of a suspension. A business is only ever suspended from hiring; `everything` is for people. */
export const suspensionScopes = ['applying', 'hiring', 'chat', 'everything'] as const;
export type SuspensionScope = (typeof suspensionScopes)[number];
