import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, instant, line, month, operation, pageInput, pageOf } from '../operation.ts';
import { businessLimits } from '../people/businesses.rules.ts';
import { countryCodes } from '../people/company-facts.rules.ts';
import { businessName } from '../people/names.ts';
import { vatCategories } from './invoices.ts';
import {
  objectionReasons,
  selfBillingVersion,
  vatStatuses,
  workerInvoiceKinds,
} from './worker-invoices.rules.ts';

/** A worker's particulars on invoices. Any worker may save theirs; the address is complete. */
export const taxDetailsInput = z.object({
  legalName: businessName(businessLimits.legalName),
  street: line(businessLimits.address),
  postcode: line(businessLimits.postcode, 0),
  town: line(businessLimits.area),
  countryCode: z.enum(countryCodes),
  /** A tax or register number of the country; empty for someone with a VAT id and no other number. */
  taxNumber: line(businessLimits.registrationNumber, 0),
  vatStatus: z.enum(vatStatuses),
  /** Saved with its prefix, which the input may leave out. Empty unless registered. */
  vatId: line(businessLimits.vatId, 0),
  /** The first day on which the worker charges VAT: work paid before it has none. Null unless registered. */
  vatSince: day.nullable(),
});

export const taxDetails = taxDetailsInput.extend({ updatedAt: instant });
export type TaxDetails = z.infer<typeof taxDetails>;

/** A worker's tax details and the agreement that we issue invoices in their name. */
export const invoiceSetup = z.object({
  details: taxDetails.nullable(),
  /** The agreement in force; null if the worker gets pro formas. */
  agreement: z.object({ version: z.number().int(), agreedAt: instant }).nullable(),
  /** The version that is agreed to now. */
  currentVersion: z.number().int(),
});
export type InvoiceSetup = z.infer<typeof invoiceSetup>;

/**
 * An invoice for a worker's self-employed work of a month, a pro forma, or the credit note that corrects one.
 * Issued once and never changed. Minor units; a credit note's amounts are negative.
 */
export const workerInvoice = z.object({
  id,
  kind: z.enum(workerInvoiceKinds),
  /** `NH10001-2026-0001`, without gaps in its year. */
  number: z.string(),
  issuedOn: day,
  /** The days of the first and last payment it covers, in the business's zone. */
  from: day,
  to: day,
  worker: z.string(),
  business: z.string(),
  netMinor: z.number().int(),
  vatMinor: z.number().int(),
  /** The amount paid for the work, VAT included, as in the ledger. */
  paidMinor: z.number().int(),
  currency,
  /** Categories of EN 16931 with their rates in basis points; empty on a pro forma without tax details. */
  vat: z.array(z.object({ category: z.enum(vatCategories), rateBasisPoints: z.number().int() })),
  /** The number that a credit note corrects. */
  corrects: z.string().nullable(),
  /** The deadline for the worker's objection, while it is in the future; null for a pro forma. */
  objectUntil: instant.nullable(),
  objection: z.enum(objectionReasons).nullable(),
  /** True once a credit note and a new invoice have replaced this one. */
  hasReplacement: z.boolean(),
});
export type WorkerInvoice = z.infer<typeof workerInvoice>;

/** Invoices in workers' names (self-billing) for self-employed work, and the tax details they need. */
export const workerInvoices = {
  setup: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/worker-invoices/setup',
      summary: 'Your tax details, and whether we issue invoices in your name',
    })
    .output(invoiceSetup),
  saveDetails: operation({ access: 'verified', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'PUT', path: '/worker-invoices/details', summary: 'Save your tax details' })
    .input(taxDetailsInput)
    .output(invoiceSetup),
  agree: operation({
    access: 'verified',
    errors: ['invoice/details-missing'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/worker-invoices/agreement',
      summary: 'Agree that we issue invoices in your name, from the next one on',
    })
    .input(z.object({ version: z.literal(selfBillingVersion) }))
    .output(invoiceSetup),
  endAgreement: operation({ access: 'verified', errors: [], effects: [], whileSuspended: 'account' })
    .route({
      method: 'DELETE',
      path: '/worker-invoices/agreement',
      summary: 'End the agreement: you get pro formas, from the next one on',
    })
    .output(invoiceSetup),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/worker-invoices',
      summary: 'Invoices in your name, credit notes and pro formas, newest first',
    })
    .input(z.object(pageInput))
    .output(pageOf(workerInvoice)),
  object: operation({
    access: 'verified',
    errors: ['statement/not-found', 'invoice/objection-closed'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/worker-invoices/{workerInvoiceId}/objection',
      summary: 'Object to an invoice in your name, within seven days of its issue; both sides see it',
    })
    .input(z.object({ workerInvoiceId: id, reason: z.enum(objectionReasons) }))
    .output(workerInvoice),
  replace: operation({
    access: 'verified',
    errors: ['statement/not-found', 'invoice/not-replaceable', 'invoice/unchanged'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/worker-invoices/{workerInvoiceId}/replacement',
      summary: 'Replace an invoice you objected to, or a pro forma, by an invoice with your present details',
    })
    .input(z.object({ workerInvoiceId: id }))
    .output(workerInvoice),
  forBusiness: operation({
    access: 'member:finance',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/worker-invoices',
      summary: "Workers' invoices, credit notes and pro formas for the payments of a month, newest first",
    })
    .input(z.object({ businessId: id, month, ...pageInput }))
    .output(
      pageOf(workerInvoice).extend({
        /** The sum of the month's invoices by currency, less credit notes; empty after the first page. */
        totals: z.array(
          z.object({
            currency,
            netMinor: z.number().int(),
            vatMinor: z.number().int(),
            paidMinor: z.number().int(),
          }),
        ),
      }),
    ),
};
