import { z } from 'zod';
import { houseRules } from '../house-rules.ts';
import { day, id, operation, pageInput, pageOf } from '../operation.ts';
import { sanctionMeasures, sanctionSources } from './sanctions.rules.ts';
import { isPeriod } from './transparency.rules.ts';

/** Days of decisions, both included, in UTC. */
const period = { from: day, until: day };
const periodIssue = { path: ['until'], message: 'a day from the first one, within a year' };

/** The median time from arrival to decision; null if nothing was decided. */
const medianHours = z.number().nullable();

/**
 * The figures of a transparency report (DSA, articles 15 and 24). Counts cover the period, by day of arrival
 * or decision.
 */
export const transparencyReport = z.object({
  ...period,
  /** Reports by people, about jobs, businesses, people, reviews and messages. */
  notices: z.object({
    received: z.number().int(),
    actioned: z.number().int(),
    dismissed: z.number().int(),
    medianHours,
  }),
  decisions: z.array(
    z.object({
      measure: z.enum(sanctionMeasures),
      rule: z.enum(houseRules),
      source: z.enum(sanctionSources),
      count: z.number().int(),
    }),
  ),
  /** Decisions about what screening found. Every decision is made by a person. */
  automatedDetections: z.number().int(),
  /** Suspected crimes reported to an authority and confirmed by another operator (DSA, article 18). */
  authorityReports: z.number().int(),
  appeals: z.object({
    received: z.number().int(),
    upheld: z.number().int(),
    overturned: z.number().int(),
    medianHours,
  }),
});
export type TransparencyReport = z.infer<typeof transparencyReport>;

/**
 * A restriction in the fields of the DSA Transparency Database, without personal data: the facts stay with
 * the people concerned.
 */
export const exportedStatement = z.object({
  puid: id,
  decision_visibility: z.array(z.string()),
  decision_monetary: z.string().nullable(),
  decision_provision: z.string().nullable(),
  decision_account: z.string().nullable(),
  decision_ground: z.string(),
  incompatible_content_ground: z.string().nullable(),
  illegal_content_legal_ground: z.string().nullable(),
  category: z.string(),
  content_type: z.array(z.string()),
  application_date: z.string(),
  end_date_account_restriction: z.string().nullable(),
  end_date_service_restriction: z.string().nullable(),
  source_type: z.string(),
  automated_detection: z.enum(['Yes', 'No']),
  automated_decision: z.string(),
});
export type ExportedStatement = z.infer<typeof exportedStatement>;

const owner = { access: 'operator', operator: { may: 'log', needs: 'nothing' } } as const;

/** Figures and statements of reasons for the public, for owners. */
export const transparency = {
  report: operation({ ...owner, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/transparency/report',
      summary: 'Counts of reports, decisions and appeals in a period of up to a year',
    })
    .input(z.object(period).refine(isPeriod, periodIssue))
    .output(transparencyReport),
  statements: operation({ ...owner, errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/transparency/statements',
      summary: 'Restrictions of a period as statements of reasons, newest first',
    })
    .input(z.object({ ...period, ...pageInput }).refine(isPeriod, periodIssue))
    .output(pageOf(exportedStatement)),
};
