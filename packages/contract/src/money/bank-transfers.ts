import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, id, instant, operation, prose } from '../operation.ts';
import { bankPaymentStates, suggestionReasons, unmatchedReasons } from './bank-transfers.rules.ts';

/** A payment on the platform's bank account. Minor units; negative for money taken from it. */
export const bankPayment = z.object({
  id,
  bookedOn: day,
  amountMinor: z.number().int(),
  currency,
  payerName: z.string(),
  /** The last characters of the payer's IBAN; empty if the bank names none. */
  payerEnding: z.string(),
  /** The payer's words and references. */
  remittance: z.string(),
  state: z.enum(bankPaymentStates),
  /** The reason why the payment has no business; null once it has one. */
  reason: z.enum(unmatchedReasons).nullable(),
  receivedAt: instant,
});
export type BankPayment = z.infer<typeof bankPayment>;

/** An unmatched payment for the operator who decides about it. */
export const unmatchedPayment = bankPayment.extend({
  /** Businesses it may be for, at most five, those that can get it first. */
  suggestions: z.array(
    z.object({
      businessId: id,
      name: z.string(),
      legalName: z.string(),
      because: z.array(z.enum(suggestionReasons)).default(['name']),
      /** The reason why it can't be added to this business now; null if it can. */
      problem: z.enum(unmatchedReasons).nullable().default(null),
    }),
  ),
});
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

/** The facts a business needs to add money by bank transfer. */
export const transferView = z.object({
  /** The reason why a transfer isn't possible; null if it is. */
  problem: z.enum(['off', 'not_verified', 'other_currency']).nullable(),
  /** Null if a transfer isn't possible, like `reference` and `code`. */
  account: z
    .object({ holder: z.string(), iban: z.string(), bic: z.string(), bankName: z.string() })
    .nullable(),
  /** The creditor reference (ISO 11649) of this business only. */
  reference: z.string().nullable(),
  /** The text of the EPC QR code. */
  code: z.string().nullable(),
  /** True for a test provider: `makeTest` pays instead of a bank. */
  test: z.boolean(),
  /** Payments that were credited, newest first, at most 20. */
  payments: z.array(
    bankPayment.pick({ id: true, bookedOn: true, amountMinor: true, currency: true, payerName: true }),
  ),
});
export type TransferView = z.infer<typeof transferView>;

const ofBusiness = { businessId: id };
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
const ofCase = {
  may: 'payments',
  needs: 'claim',
  case: { kind: 'bank_payment', id: 'bankPaymentId' },
} as const;

/** Money that businesses add by bank transfer (ADR 391). */
export const bankTransfers = {
  /** The account for owners, managers and finance of a business; without one it says what is missing. */
  get: operation({ access: 'member:finance', errors: businessErrors })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/bank-transfers',
      summary: 'The account and the reference for a transfer to the balance, and transfers that arrived',
    })
    .input(z.object(ofBusiness))
    .output(transferView),
  /** Owners, managers and finance of a business. */
  makeTest: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'transfer/off'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/bank-transfers/test',
      summary: 'Make a test transfer, with the sandbox only',
      successStatus: 201,
    })
    .input(
      z.object({
        ...ofBusiness,
        /** Euro cents. */
        amountMinor: z.number().int().min(1).max(maxMinor),
        /** True for a payer who forgets the reference. */
        withoutReference: z.boolean().default(false),
      }),
    )
    .output(z.object({ state: z.enum(bankPaymentStates) })),
  /** Operators with the role `payments`. Any fault refuses the whole file, and so does a reference that occurs twice. */
  importStatement: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'nothing' },
    errors: ['transfer/off', 'file/too-large'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/bank-statements',
      summary:
        'Import a bank statement (CAMT.053 XML): each entry is booked once, however often it is imported',
    })
    .input(z.object({ file: z.file() }))
    .output(
      z.object({
        credited: z.number().int(),
        unmatched: z.number().int(),
        outgoing: z.number().int(),
        /** Entries that were imported with an earlier file. */
        repeated: z.number().int(),
        /** Entries without money or not booked yet. */
        skipped: z.number().int(),
      }),
    ),
  /** The operator of the payment's case. A business in another currency is refused at `businessId`. */
  assign: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'assignment', reason: null } },
    errors: ['transfer/not-found', 'transfer/decided', 'business/not-found', 'business/wrong-state'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/bank-payments/{bankPaymentId}/assignment',
      summary: 'Add an unmatched payment to the balance of a verified business',
    })
    .input(z.object({ bankPaymentId: id, businessId: id }))
    .output(bankPayment),
  /** Records that the payment was sent back. Only the operator who claimed its case may call it. */
  sendBack: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'return', reason: 'note' } },
    errors: ['transfer/not-found', 'transfer/decided'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/bank-payments/{bankPaymentId}/return',
      summary: 'Record that an unmatched payment was sent back to its payer, from the bank’s own site',
    })
    .input(z.object({ bankPaymentId: id, note: prose(limits.reasonMax, 1) }))
    .output(bankPayment),
};
