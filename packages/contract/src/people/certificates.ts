import { z } from 'zod';
import { limits } from '../limits.ts';
import { day, id, instant, operation, prose } from '../operation.ts';
import { certificateKinds } from './certificates.rules.ts';
import { storedFile } from './files.ts';

/**
 * The status of a certificate (ADR 183). `replaced`: a newer one of its kind was checked. `needs_copy`: the refusal was
 * reversed, but the copy is deleted, so its owner sends another one.
 */
export const certificateStatuses = [
  'submitted',
  'checked',
  'refused',
  'needs_copy',
  'expired',
  'replaced',
] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

const kind = z.enum(certificateKinds);

export const certificate = z.object({
  id,
  kind,
  status: z.enum(certificateStatuses),
  /** Expiry date on the document, inclusive. */
  expiresOn: day,
  submittedAt: instant,
  decidedAt: instant.nullable(),
  reason: z.string().nullable(),
  /** The decision that refused it, which the person can appeal; null for other states. */
  decisionId: id.nullable(),
  /** True if the account had another name then: businesses don't see the certificate. */
  isForAnotherName: z.boolean(),
});
export type Certificate = z.infer<typeof certificate>;

/** A certificate as an operator reads it in an appeal: `file` is null once the copy has been deleted. */
export const certificateEvidence = z.object({
  kind,
  status: z.enum(certificateStatuses),
  name: z.string(),
  expiresOn: day,
  file: storedFile.nullable(),
  submittedAt: instant,
  identityChecked: z.boolean(),
});
export type CertificateEvidence = z.infer<typeof certificateEvidence>;

export const certificateReview = z.object({
  certificateId: id,
  kind,
  /** The name in the account when it was sent, which the certificate must show. */
  name: z.string(),
  expiresOn: day,
  file: storedFile,
  account: z.object({ id, name: z.string(), email: z.string(), createdAt: instant }),
  submittedAt: instant,
  /** True if the person's identity document was checked under this name. */
  identityChecked: z.boolean(),
});
export type CertificateReview = z.infer<typeof certificateReview>;

export const certificateDecisions = ['confirm', 'refuse'] as const;
export type CertificateDecision = (typeof certificateDecisions)[number];

/** Certificates with an end, checked by staff. Businesses see the kind and its last valid day, never the document. */
export const certificates = {
  mine: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/certificates', summary: 'List your certificates, newest first' })
    .output(z.array(certificate)),
  add: operation({
    access: 'verified',
    errors: [
      'certificate/wrong-state',
      'certificate/expired',
      'certificate/too-far',
      'certificate/name-missing',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/me/certificates',
      summary: 'Send an uploaded certificate to staff, with the last day on which it is valid',
      successStatus: 201,
    })
    .input(z.object({ kind, expiresOn: day, fileId: id }))
    .output(z.array(certificate)),
  remove: operation({ access: 'verified', errors: ['certificate/not-found'], effects: [] })
    .route({
      method: 'DELETE',
      path: '/me/certificates/{certificateId}',
      summary: 'Delete a certificate with its copy; businesses no longer see it',
    })
    .input(z.object({ certificateId: id }))
    .output(z.array(certificate)),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'verification',
      needs: 'claim',
      case: { kind: 'certificate', id: 'certificateId' },
      decides: { decision: { field: 'decision' }, reason: 'reason' },
    },
    errors: [
      'certificate/not-found',
      'certificate/wrong-state',
      'certificate/expired',
      'operator/own-record',
    ],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/certificates/{certificateId}/decide',
      summary: 'Confirm a certificate, or refuse it with a statement of reasons',
    })
    .input(
      z
        .object({
          certificateId: id,
          decision: z.enum(certificateDecisions),
          /** Shown to the person; empty only for a confirmation. */
          reason: prose(limits.reasonMax),
        })
        .refine(({ decision, reason }) => decision === 'confirm' || reason !== '', {
          path: ['reason'],
          message: 'why',
        }),
    )
    .output(z.object({ certificateId: id, status: z.enum(certificateStatuses) })),
};
