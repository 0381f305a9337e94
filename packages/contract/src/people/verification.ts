import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { phone } from './profiles.ts';
import { phoneCodeShape, plainCode } from './verification.rules.ts';

/** The maximum length of a typed code with its spaces and dashes. */
const codeMax = 20;

const phoneCode = z.object({
  phone: z.string(),
  expiresAt: instant,
  /** The next possible time to send one. */
  resendAt: instant,
  triesLeft: z.number().int(),
  /** True if the network refused the number, so that nothing arrives. */
  undelivered: z.boolean(),
});

/** `unchecked`: the profile's number was never checked. `changed`: another number was checked before. */
export const phoneCheckStatuses = ['none', 'unchecked', 'changed', 'checked'] as const;
export type PhoneCheckStatus = (typeof phoneCheckStatuses)[number];

export const verificationOverview = z.object({
  accountId: id,
  email: z.object({ address: z.string(), checked: z.boolean() }),
  phone: z.object({
    /** False if this server cannot send text messages. */
    available: z.boolean(),
    status: z.enum(phoneCheckStatuses),
    number: z.string().nullable(),
    checkedAt: instant.nullable(),
    code: phoneCode.nullable(),
  }),
  payout: z.object({
    status: z.enum(['none', 'pending', 'verified', 'refused']),
    reason: z.string().nullable(),
    decidedAt: instant.nullable(),
  }),
});
export type VerificationOverview = z.infer<typeof verificationOverview>;

/** Checks of a person (ADR 173). A badge shows only what was checked. */
export const verification = {
  overview: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/verification', summary: 'Get your verified facts' })
    .output(verificationOverview),
  sendPhoneCode: operation({
    access: 'verified',
    errors: ['phone-check/unavailable', 'phone-check/too-soon', 'phone-check/too-many'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/phone-codes',
      summary: 'Text a code to a number, to check that it is yours; an earlier code stops working',
    })
    .input(z.object({ phone }))
    .output(verificationOverview),
  confirmPhone: operation({
    access: 'verified',
    errors: ['phone-check/no-code', 'phone-check/wrong-code', 'phone-check/taken'],
    effects: ['guarded:record'],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/phone-codes/confirm',
      summary: 'Enter the code; the number is then checked, and in your profile',
    })
    .input(
      z.object({ code: z.string().max(codeMax).transform(plainCode).pipe(z.string().regex(phoneCodeShape)) }),
    )
    .output(verificationOverview),
};
