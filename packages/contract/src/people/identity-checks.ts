import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { storedFile } from './files.ts';
import { hasBack, identityDocuments, identitySides } from './identity-checks.rules.ts';

/** The status of a sent document (ADR 183). Each is decided once; someone asked for more sends another one. */
export const identityCheckStatuses = ['submitted', 'needs_info', 'verified', 'refused'] as const;
export type IdentityCheckStatus = (typeof identityCheckStatuses)[number];

/**
 * The caller's check that counts: the open one, the verified one of their name, or the last. `changed`: the verified name
 * differs from the account's current name.
 */
export const identityCheckStates = ['none', 'changed', ...identityCheckStatuses] as const;

const document = z.enum(identityDocuments);

export const identityCheckView = z.object({
  status: z.enum(identityCheckStates),
  document: document.nullable(),
  /** The name in the account when it was sent, which the document must show. */
  name: z.string().nullable(),
  submittedAt: instant.nullable(),
  decidedAt: instant.nullable(),
  /** The staff's request or reason for the refusal; null for a verified one. */
  reason: z.string().nullable(),
  /** Null before the decision, and while the appeal of a refusal needs the photos. */
  photosDeletedAt: instant.nullable(),
  /** The decision that refused it, which the person can appeal; null for other states. */
  decisionId: id.nullable(),
  maySend: z.boolean(),
});
export type IdentityCheckView = z.infer<typeof identityCheckView>;

export const identityReview = z.object({
  checkId: id,
  status: z.enum(identityCheckStatuses),
  document,
  account: z.object({ id, name: z.string(), email: z.string(), createdAt: instant }),
  /** The name when it was sent; the badge is for this name only. */
  name: z.string(),
  photos: z.array(z.object({ side: z.enum(identitySides), file: storedFile })),
  submittedAt: instant,
  earlier: z.array(
    z.object({
      document,
      status: z.enum(identityCheckStatuses),
      reason: z.string().nullable(),
      submittedAt: instant,
    }),
  ),
});
export type IdentityReview = z.infer<typeof identityReview>;

export const identityDecisions = ['verify', 'request-info', 'refuse'] as const;
export type IdentityDecision = (typeof identityDecisions)[number];

/** An identity document with a selfie, compared by staff. A badge states only that it was checked. */
export const identityChecks = {
  mine: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/identity-check', summary: "Get your identity check's status" })
    .output(identityCheckView),
  submit: operation({
    access: 'verified',
    errors: [
      'identity-check/wrong-state',
      'identity-check/too-many',
      'identity-check/name-missing',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/identity-checks',
      summary: 'Send uploaded photos of your document and your face to staff; nobody else sees them',
      successStatus: 201,
    })
    .input(
      z
        .object({
          document,
          frontFileId: id,
          /** Required for everything but a passport. */
          backFileId: id.nullable(),
          selfieFileId: id,
        })
        .refine(({ document: kind, backFileId }) => hasBack(kind) === (backFileId !== null), {
          path: ['backFileId'],
          message: 'the back of everything but a passport',
        })
        .refine(
          ({ frontFileId, backFileId, selfieFileId }) =>
            frontFileId !== selfieFileId && frontFileId !== backFileId && backFileId !== selfieFileId,
          { path: ['selfieFileId'], message: 'a different photo each' },
        ),
    )
    .output(identityCheckView),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'verification',
      needs: 'claim',
      case: { kind: 'identity', id: 'checkId' },
      decides: { decision: { field: 'decision' }, reason: 'reason' },
    },
    errors: ['identity-check/not-found', 'identity-check/wrong-state', 'operator/own-record'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/identity-checks/{checkId}/decide',
      summary: 'Verify, ask for other photos, or refuse with a statement of reasons',
    })
    .input(
      z
        .object({
          checkId: id,
          decision: z.enum(identityDecisions),
          /** Shown to the person; empty only for a verification. */
          reason: prose(limits.reasonMax),
        })
        .refine(({ decision, reason }) => decision === 'verify' || reason !== '', {
          path: ['reason'],
          message: 'what is missing, or why',
        }),
    )
    .output(z.object({ checkId: id, status: z.enum(identityCheckStatuses) })),
};
