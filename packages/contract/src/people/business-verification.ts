import { z } from 'zod';
import { houseRules } from '../house-rules.ts';
import { limits } from '../limits.ts';
import { id, instant, operation, prose, version } from '../operation.ts';
import { businessDocumentKinds, businessProofLimits, plainDomain } from './business-verification.rules.ts';
import { businessStatuses } from './businesses.rules.ts';
import { storedFile } from './files.ts';

const document = z.object({ id, kind: z.enum(businessDocumentKinds), file: storedFile, addedAt: instant });

/**
 * `unreachable`: no response; `private`: an address inside a network; `elsewhere`: the page leads to another
 * domain.
 */
export const domainProblems = ['not-found', 'unreachable', 'private', 'elsewhere', 'too-large'] as const;
export type DomainProblem = (typeof domainProblems)[number];

const domain = z.object({
  domain: z.string(),
  /** The token to publish, in the form of `domainRecord` or `domainTag`. */
  token: z.string(),
  checkedAt: instant.nullable(),
  method: z.enum(['dns', 'page']).nullable(),
  triedAt: instant.nullable(),
  problem: z.enum(domainProblems).nullable(),
});
export type BusinessDomain = z.infer<typeof domain>;

const proof = {
  businessId: id,
  version,
  status: z.enum(businessStatuses),
  legalName: z.string(),
  registrationNumber: z.string(),
  vatId: z.string(),
  submittedAt: instant.nullable(),
  documents: z.array(document),
  domain: domain.nullable(),
};

export const businessVerificationView = z.object({
  ...proof,
  name: z.string(),
  reason: z.string().nullable(),
  decidedAt: instant.nullable(),
  maySubmit: z.boolean(),
  mayChange: z.boolean(),
});
export type BusinessVerification = z.infer<typeof businessVerificationView>;

export const businessReview = z.object({
  ...proof,
  name: z.string(),
  countryCode: z.string(),
  /** The lines of the registered office's address; empty if it is not given. */
  registeredAddress: z.array(z.string()),
  address: z.string(),
  area: z.string(),
  website: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  createdAt: instant,
  owners: z.array(
    z.object({ accountId: id, name: z.string(), email: z.string(), phoneChecked: z.boolean() }),
  ),
  openJobs: z.number().int(),
  /** Other businesses of the country with the same registration number, verified ones first; at most 10. */
  sameRegistration: z.array(z.object({ businessId: id, name: z.string(), status: z.enum(businessStatuses) })),
  history: z.array(
    z.object({
      action: z.string(),
      status: z.enum(businessStatuses),
      reason: z.string().nullable(),
      by: z.enum(['business', 'staff']),
      at: instant,
    }),
  ),
});
export type BusinessReview = z.infer<typeof businessReview>;

export const businessDecisions = ['verify', 'request-info', 'reject'] as const;
export type BusinessDecision = (typeof businessDecisions)[number];

const businessRef = z.object({ businessId: id });
const verificationCase = { kind: 'business_verification', id: 'businessId' } as const;
const memberErrors = ['business/not-found', 'business/not-allowed'] as const;
const domainInput = z
  .string()
  .max(businessProofLimits.domain)
  .transform((typed, context) => {
    const domain = plainDomain(typed);
    if (domain !== null) return domain;
    context.addIssue({ code: 'custom', message: 'a domain such as example.com' });
    return z.NEVER;
  });

/** A business's proof of identity, and the staff's decision (ADR 174). `businesses.submit` sends it to staff. */
export const businessVerification = {
  get: operation({ access: 'member:manager', errors: [...memberErrors] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/verification',
      summary: 'The verification of a business, with documents and domain',
    })
    .input(businessRef)
    .output(businessVerificationView),
  addDocument: operation({
    access: 'member:manager',
    errors: [
      ...memberErrors,
      'business/wrong-state',
      'business-proof/too-many',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/documents',
      summary: 'Add an uploaded document for staff',
      successStatus: 201,
    })
    .input(businessRef.extend({ fileId: id, kind: z.enum(businessDocumentKinds) }))
    .output(businessVerificationView),
  removeDocument: operation({
    access: 'member:manager',
    errors: [...memberErrors, 'business/wrong-state', 'business-proof/not-found'],
    effects: [],
  })
    .route({
      method: 'DELETE',
      path: '/businesses/{businessId}/documents/{documentId}',
      summary: 'Remove a document that is not under review',
    })
    .input(businessRef.extend({ documentId: id }))
    .output(businessVerificationView),
  startDomain: operation({
    access: 'member:manager',
    errors: [...memberErrors, 'business/wrong-state'],
    effects: [],
  })
    .route({
      method: 'PUT',
      path: '/businesses/{businessId}/domain',
      summary: 'Name the domain of the website and get what to publish there; replaces another domain',
    })
    .input(businessRef.extend({ domain: domainInput }))
    .output(businessVerificationView),
  checkDomain: operation({
    access: 'member:manager',
    errors: [...memberErrors, 'business-proof/not-found', 'business-proof/too-soon'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/domain/check',
      summary: 'Look for the TXT record or the tag on the home page',
    })
    .input(businessRef)
    .output(businessVerificationView),
  review: operation({
    access: 'operator',
    operator: { may: 'verification', needs: 'reason', case: verificationCase },
    errors: ['business/not-found', 'operator/own-record'],
  })
    .route({
      method: 'GET',
      path: '/operators/businesses/{businessId}/verification',
      summary: 'The evidence of a business, its owners and its history',
    })
    .input(businessRef)
    .output(businessReview),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'verification',
      needs: 'claim',
      case: verificationCase,
      decides: { decision: { field: 'decision' }, reason: 'reason' },
    },
    errors: ['business/not-found', 'business/wrong-state', 'business/stale', 'operator/own-record'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/businesses/{businessId}/verification/decide',
      summary: 'Verify, ask for more, or refuse with a statement of reasons',
    })
    .input(
      businessRef
        .extend({
          version,
          decision: z.enum(businessDecisions),
          /** Shown to the business; empty only for a verification. */
          reason: prose(limits.reasonMax),
          /** The rule that a refusal rests on. */
          rule: z.enum(houseRules).nullable().default(null),
        })
        .refine(({ decision, reason }) => decision === 'verify' || reason !== '', {
          path: ['reason'],
          message: 'what is missing, or why',
        })
        .refine(({ decision, rule }) => (decision === 'reject') === (rule !== null), {
          path: ['rule'],
          message: 'a rule for a refusal only',
        }),
    )
    .output(businessReview),
};
