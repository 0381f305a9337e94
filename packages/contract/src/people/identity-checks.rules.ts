export const identityDocuments = ['passport', 'id_card', 'residence_permit', 'driving_licence'] as const;
export type IdentityDocument = (typeof identityDocuments)[number];

export const identitySides = ['front', 'back', 'selfie'] as const;
export type IdentitySide = (typeof identitySides)[number];

/** A passport has everything on one page; the others have a back, too. */
export const hasBack = (document: IdentityDocument): boolean => document !== 'passport';

export const identityCheckLimits = {
  /** The photos are deleted this many days after the decision. */
  photosKeptDays: 30,
  /** The maximum number of documents a person can send in `perDays` days. */
  max: 5,
  perDays: 30,
} as const;
