import { z } from 'zod';
import { id, instant, line, operation, prose, queryFlag } from '../operation.ts';

export const chargebackLimits = {
  /** Characters of an answer; Stripe takes 20,000 in one field. */
  answerMax: 20_000,
} as const;

/** An open chargeback of a charge, as the payment provider knows it (ADR 192). */
export const openChargeback = z.object({
  /** The provider's id of the chargeback. */
  ref: z.string(),
  amountMinor: z.number().int(),
  openedAt: instant,
  /** The last moment for an answer; null if the bank accepts none, or no further one. */
  answerBy: instant.nullable(),
  /** `created`: not sent yet; `refused`: the provider rejected it. */
  answer: z
    .object({ status: z.enum(['created', 'sent', 'refused']), by: z.string(), at: instant })
    .nullable(),
});
export type OpenChargeback = z.infer<typeof openChargeback>;

const ofCharge = { chargeId: id };
const decide = {
  access: 'operator',
  operator: { may: 'payments', needs: 'claim', case: { kind: 'chargeback', id: 'chargeId' } },
} as const;

/** Answers of operators to a bank that took a payment back. */
export const chargebacks = {
  evidence: operation({ ...decide, errors: ['case/not-found', 'payment/provider-unavailable'] })
    .route({
      method: 'GET',
      path: '/operators/chargebacks/{chargeId}/evidence',
      summary: 'Get the record of a payment that was charged back, as text and as a PDF',
    })
    .input(z.object({ ...ofCharge, withPdf: queryFlag.default(false) }))
    .output(
      z.object({
        /** Oldest first; empty if the payment provider accepts no answers. */
        open: z.array(openChargeback),
        text: z.string(),
        /** The text as a PDF in base64; null unless requested. */
        pdf: z.string().nullable(),
      }),
    ),
  answer: operation({
    ...decide,
    errors: ['case/not-found', 'chargeback/answered', 'chargeback/no-answer'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/chargebacks/{chargeId}/answers',
      summary: 'Send text and record to the bank; each chargeback can be answered once',
      successStatus: 201,
    })
    .input(
      z.object({
        ...ofCharge,
        ref: line(255),
        text: prose(chargebackLimits.answerMax, 1),
      }),
    )
    .output(z.object({ ref: z.string(), status: z.enum(['created', 'sent', 'refused']) })),
};
