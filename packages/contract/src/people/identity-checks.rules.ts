/** Documents that show who someone is. */
export const identityDocuments = ['passport', 'id_card', 'residence_permit', 'driving_licence'] as const;
export type IdentityDocument = (typeof identityDocuments)[number];

/** What is photographed. */
export const identitySides = ['front', 'back', 'selfie'] as const;
export type IdentitySide = (typeof identitySides)[number];

/** A passport has everything on one page; the others also on the back. */
export const hasBack = (document: IdentityDocument): boolean => document !== 'passport';

export const identityCheckLimits = {
  /** Days after the decision in which the photos are kept. */
  photosKeptDays: 30,
  /** How often someone can send a document in `perDays` days. */
  most: 5,
  perDays: 30,
} as const;
