import { z } from 'zod';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, id, instant, line, operation, pageInput, pageOf } from '../operation.ts';
import { businessLimits } from '../people/businesses.rules.ts';
import { countryCodes } from '../people/company-facts.rules.ts';
import { personName } from '../people/names.ts';
import { queryYear } from './statements.ts';

/** The details that the law has a platform collect about a worker whose pay it reports. */
export const sellerDetailsInput = z.object({
  /** Empty for someone with one name only. */
  firstName: z.union([z.literal(''), personName(limits.nameMax)]),
  lastName: personName(limits.nameMax),
  bornOn: day,
  /** The address where the worker lives, in the country of their tax residence. */
  street: line(businessLimits.address),
  postcode: line(businessLimits.postcode, 0),
  town: line(businessLimits.area),
  countryCode: z.enum(countryCodes),
  /** The number by which the tax office of that country identifies the person (TIN). */
  taxNumber: line(businessLimits.registrationNumber),
});
export type SellerDetails = z.infer<typeof sellerDetailsInput>;

/** Pay of a quarter for self-employed work, after the worker's fee. Minor units; reversed payments don't count. */
export const sellerQuarter = z.object({
  paidMinor: z.number().int(),
  /** The fee that we withheld from the worker. */
  feeMinor: z.number().int(),
  /** Engagements with a payment in the quarter. */
  activities: z.number().int(),
});
export type SellerQuarter = z.infer<typeof sellerQuarter>;

export const sellerYear = z.object({
  year: z.number().int(),
  currency,
  /** January to March first, in the zone of the company that runs the server. */
  quarters: z.array(sellerQuarter).length(4),
  /** The time the tax office got the report with these sums; null while they can still change. */
  sentAt: instant.nullable(),
  /** True if that report is without this pay: details were missing, or it isn't due where the worker pays tax. */
  isOmitted: z.boolean(),
});
export type SellerYear = z.infer<typeof sellerYear>;

/** An unanswered request for a worker's details. */
export const sellerRequest = z.object({
  askedAt: instant,
  /** The time from which withdrawals wait until the details are submitted. The money stays the worker's. */
  waitsFrom: instant,
  isWaiting: z.boolean(),
});
export type SellerRequest = z.infer<typeof sellerRequest>;

/** A worker's details for the tax office, what is missing, and the pay of each year. */
export const sellerView = z.object({
  /** The law that the company reports by; null if there is nothing to report, and then no details are taken. */
  law: z
    .object({
      /** Years that details are stored after the year of the last pay. */
      storedYears: z.number().int(),
      /** The country whose tax office gets the report. */
      countryCode: z.string(),
      /** The day of the next year by which it is sent, such as `01-31`. */
      reportBy: z.string(),
    })
    .nullable(),
  details: sellerDetailsInput.nullable(),
  /** The open request for details; null if none is missing. */
  request: sellerRequest.nullable(),
  /** Newest first; empty if no self-employed work was paid. */
  years: z.array(sellerYear),
});
export type SellerView = z.infer<typeof sellerView>;

/** `xml-new` has the people of a correction who were in no report before: the tax office wants them in a file of their own. */
export const sellerReportFormats = ['csv', 'xml', 'xml-new'] as const;
export type SellerReportFormat = (typeof sellerReportFormats)[number];

/**
 * The report of a year, or a correction of it. It can be made again until it is marked as sent; then it never changes,
 * and another one corrects it.
 */
export const sellerReport = z.object({
  id,
  year: z.number().int(),
  /** The country of the company that reports. */
  countryCode: z.string(),
  /** The report that this one corrects; null for the first of a year. */
  corrects: id.nullable(),
  /** Null while it is being made. */
  madeAt: instant.nullable(),
  /** The reason why it can't be sent: too many people, or a correction without a difference. */
  problem: z.enum(['too_long', 'unchanged']).nullable(),
  /**
   * People in it: resident where the law asks for a report, with their details. A correction has only those who are
   * new, changed or to be deleted.
   */
  sellers: z.number().int(),
  /** People with pay in the year whose details are missing, and who are not in it. */
  missing: z.number().int(),
  sentAt: instant.nullable(),
  /** Its files: none before it can be sent, XML only where the tax office takes it, of a correction those with rows. */
  formats: z.array(z.enum(sellerReportFormats)),
});
export type SellerReport = z.infer<typeof sellerReport>;

/** A person who was left out of a report. */
export const missingSeller = z.object({
  accountId: id,
  name: z.string(),
  /** The time they were asked for their details; null if they were not. */
  askedAt: instant.nullable(),
  reminders: z.number().int(),
  /** True if the worker gave their details after the report, so a correction can have them. */
  hasDetails: z.boolean(),
});
export type MissingSeller = z.infer<typeof missingSeller>;

const reporter = {
  access: 'operator',
  operator: { may: 'payments', needs: 'nothing' },
} as const;

/**
 * Reports to the tax office about workers' pay, which the law requires of platforms (DAC7), and the details
 * they need.
 */
export const sellerReports = {
  mine: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/seller-reports/mine',
      summary: 'Your details for the tax office, and your pay for self-employed work by quarter',
    })
    .output(sellerView),
  saveDetails: operation({
    access: 'verified',
    errors: ['invoice/nothing-to-report'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'PUT',
      path: '/seller-reports/details',
      summary: 'Save your details for the tax office',
    })
    .input(sellerDetailsInput)
    .output(sellerView),
  overview: operation({ ...reporter, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/seller-reports',
      summary: 'How complete the details of workers are, and the reports made so far, newest year first',
    })
    .output(
      z.object({
        /** The law that the company reports by; null if there is nothing to report. */
        law: z
          .object({
            name: z.string(),
            /** The day of the next year, `MM-DD`, by which a report is due. */
            reportBy: z.string(),
          })
          .nullable(),
        /** Workers who were ever asked. */
        counts: z.object({
          asked: z.number().int(),
          missing: z.number().int(),
          waiting: z.number().int(),
        }),
        /** Years that have ended, newest first. */
        years: z.array(z.number().int()),
        reports: z.array(sellerReport),
      }),
    ),
  make: operation({
    ...reporter,
    errors: ['invoice/no-issuer'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/seller-reports',
      summary:
        'Begin the report of a year that has ended, again until it is sent, and then a correction of it; a task makes it',
    })
    .input(z.object({ year: queryYear }))
    .output(sellerReport),
  file: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['statement/not-found', 'seller-report/not-ready'],
  })
    .route({
      method: 'GET',
      path: '/operators/seller-reports/{sellerReportId}/file',
      summary: "A report as a CSV for any tax office, or as the OECD's DPI XML where the tax office takes it",
    })
    .input(z.object({ sellerReportId: id, format: z.enum(sellerReportFormats) }))
    .output(z.object({ fileName: z.string(), mediaType: z.string(), content: z.string() })),
  missing: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['statement/not-found', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/seller-reports/{sellerReportId}/missing',
      summary: 'People with pay who are not in a report because their details were missing',
    })
    .input(z.object({ sellerReportId: id, ...pageInput }))
    .output(pageOf(missingSeller)),
  markSent: operation({
    ...reporter,
    errors: ['statement/not-found', 'seller-report/not-ready'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/seller-reports/{sellerReportId}/sent',
      summary: 'Mark a report as sent to the tax office: everyone in it is told, and it never changes again',
    })
    .input(z.object({ sellerReportId: id }))
    .output(sellerReport),
};
