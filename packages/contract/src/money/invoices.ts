import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, operation, pageInput, pageOf } from '../operation.ts';
import { queryYear } from './statements.ts';

/**
 * VAT categories of EN 16931 (UNTDID 5305): S standard, AE reverse charge, E exempt, O out of scope, Z
 * zero-rated.
 */
export const vatCategories = ['S', 'AE', 'E', 'O', 'Z'] as const;

export const invoiceKinds = ['invoice', 'credit_note'] as const;

/** A PDF with the e-invoice inside (Factur-X), or the e-invoice alone as UBL (`xml`) or CII, all by EN 16931. */
export const invoiceFormats = ['pdf', 'xml', 'cii'] as const;
export type InvoiceFormat = (typeof invoiceFormats)[number];

/**
 * An invoice for our fee, or the credit note that corrects one. Issued once and never changed. Minor units; a
 * credit note's amounts are negative.
 */
export const invoice = z.object({
  id,
  kind: z.enum(invoiceKinds),
  /** `NHF-2026-000042`, without gaps in its year. */
  number: z.string(),
  /** The day of issue that it prints, where our company is. */
  issuedOn: day,
  /** The days of the first and last payment it covers, in the business's zone. */
  from: day,
  to: day,
  netMinor: z.number().int(),
  vatMinor: z.number().int(),
  totalMinor: z.number().int(),
  /** The part that was not taken with the pay: the VAT. */
  dueMinor: z.number().int(),
  currency,
  /** Categories of EN 16931 with their rates in basis points, such as `S` with 2100. */
  vat: z.array(z.object({ category: z.enum(vatCategories), rateBasisPoints: z.number().int() })),
  /** The number of the invoice that a credit note corrects. */
  corrects: z.string().nullable(),
  /** True if a credit note corrects this invoice. */
  credited: z.boolean(),
});
export type Invoice = z.infer<typeof invoice>;

const businessErrors = ['business/not-found', 'business/not-allowed'] as const;

/** Invoices of the platform to a business, for its fee; owners, managers and finance. */
export const invoices = {
  list: operation({ access: 'member:finance', errors: [...businessErrors, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/invoices',
      summary: 'Invoices and credit notes for our fee, newest first',
    })
    .input(z.object({ businessId: id, year: queryYear.optional(), ...pageInput }))
    .output(
      pageOf(invoice).extend({
        /**
         * Fees that are on no invoice yet, less fees to credit, in minor units by currency; empty after the
         * first page.
         */
        uninvoiced: z.array(z.object({ currency, feeMinor: z.number().int() })),
      }),
    ),
  issue: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'invoice/no-issuer', 'invoice/nothing-to-issue'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/invoices',
      summary: 'Issue what would be issued at the end of the month now: one invoice per month and currency',
      successStatus: 201,
    })
    .input(z.object({ businessId: id }))
    .output(z.array(invoice)),
};
