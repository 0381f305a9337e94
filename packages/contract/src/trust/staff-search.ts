import { z } from 'zod';
import { caseKinds } from '../case-kinds.ts';
import { engagementStatuses } from '../engagement-statuses.ts';
import { jobStatuses } from '../hiring/jobs.rules.ts';
import { languages } from '../languages.ts';
import { memberRoles } from '../member-roles.ts';
import { goodwillPayment, ledgerEntry } from '../money/corrections.ts';
import { currency } from '../money.ts';
import { id, idAndName, instant, line, operation, pageInput, pageOf } from '../operation.ts';
import { businessStatuses } from '../people/businesses.rules.ts';
import { caseItem } from './cases.ts';
import { runningWork, sanction } from './sanctions.ts';
import { secondApproval } from './second-approvals.ts';
import {
  customerKinds,
  foundKinds,
  linkReasons,
  personChecks,
  searchKinds,
  searchLimits,
  timelineGroups,
  timelineKinds,
} from './staff-search.rules.ts';
import { ticketStatuses } from './tickets.rules.ts';

const kind = z.enum(foundKinds);

const accountStatuses = ['verified', 'unverified', 'disabled'] as const;

export const found = z.object({
  kind,
  id,
  /** Its name or title; of an engagement, the worker's name. */
  title: z.string(),
  status: z.enum([
    ...accountStatuses,
    ...businessStatuses,
    ...jobStatuses,
    ...engagementStatuses,
    ...ticketStatuses,
  ]),
  /** The business of a job; the job of an engagement. */
  of: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: instant,
});
export type Found = z.infer<typeof found>;

/** A line of the search. `similar`: no name has the words as they were typed, but this one is close to them. */
const searchResult = found.extend({
  kind: z.enum(searchKinds),
  /** The business of a job; the job of an engagement; the author of a request. */
  of: found.shape.of,
  similar: z.boolean(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** Another account with something in common; `linkTable` has the certainty of each reason. */
const linkedAccount = z.object({
  accountId: id,
  name: z.string(),
  reasons: z.array(z.enum(linkReasons)),
  /** The last time both accounts had the thing in common. */
  at: instant,
  /** They work for the same business, which explains a shared network or device. */
  colleague: z.boolean(),
});

/** A bank account that several people saved, under the holder's name that each of them gave. */
const sharedBank = z.object({
  bankName: z.string(),
  last4: z.string(),
  holders: z.array(z.object({ accountId: id, name: z.string(), holderName: z.string() })),
});

/**
 * An operator's view of a person or business in addition to the record: open cases of the operator's roles, links and
 * checks. The links of a business are those of its owners, managers and finance; its checks are in its verification.
 */
export const customerOverview = z.object({
  open: z.array(caseItem.pick({ kind: true, subjectId: true, title: true, deadline: true, claimedBy: true })),
  links: z.array(linkedAccount),
  /** Linked accounts that are not listed. */
  moreLinks: z.number().int(),
  sharedBanks: z.array(sharedBank),
  running: runningWork,
  /** Null for a business. */
  person: z
    .object({
      /** The language of their screens and mails; null if they never chose one. */
      language: z.enum(languages).nullable(),
      /** Null without one in the history, which is kept for a while. */
      lastSignIn: z.object({ at: instant, device: z.string() }).nullable(),
      /** The businesses they work for, by name. */
      memberships: z.array(z.object({ business: idAndName, role: z.enum(memberRoles) })),
    })
    .nullable(),
  checks: z.array(
    z.object({
      check: z.enum(personChecks),
      /** A code of the check, such as `verified`, or the number of passkeys; null if there is nothing. */
      status: z.string().nullable(),
      at: instant.nullable(),
    }),
  ),
});
export type CustomerOverview = z.infer<typeof customerOverview>;

/**
 * One event in the history of a person or business. Codes depend on the kind; a report about someone never names its
 * reporter.
 */
export const timelineEvent = z.object({
  kind: z.enum(timelineKinds),
  id,
  at: instant,
  title: z.string().nullable(),
  /** Such as the reason of a report, the measure of a sanction, or the document of an identity check. */
  code: z.string().nullable(),
  status: z.string().nullable(),
  note: z.string().nullable(),
  /** The operator who decided. */
  by: z.string().nullable(),
  business: idAndName.nullable(),
  case: z.object({ kind: z.enum(caseKinds), subjectId: id }).nullable(),
  record: z.object({ kind, id }).nullable(),
  amountMinor: z.number().int().nullable(),
  currency: currency.nullable(),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

export const foundRecord = z.object({
  item: found,
  /** Other facts, named by a code such as `registration_number`. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  related: z.array(found),
  sanctions: z.array(sanction),
  /** Goodwill to a person or business: the one that needs another operator's approval, and the last ones, newest first. */
  goodwill: z.object({ waiting: secondApproval.nullable(), paid: z.array(goodwillPayment) }),
  /** Null unless the record is a person or business. */
  customer: customerOverview.nullable(),
});
export type FoundRecord = z.infer<typeof foundRecord>;

const words = line(searchLimits.wordsMax, searchLimits.wordsMin);

/** Operators' search outside the queue. Each access needs a case or a reason (ADR 175). */
export const staffSearch = {
  find: operation({
    access: 'operator',
    operator: { may: 'search', needs: 'reason' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/search',
      summary: `Records and requests by words, numbers or ids, newest first, else with similar names; of all kinds, ${searchLimits.ofEachKind} of each`,
    })
    .input(z.object({ kind: z.enum(searchKinds).optional(), words, ...pageInput }))
    .output(pageOf(searchResult)),
  get: operation({
    access: 'operator',
    operator: { may: 'search', needs: 'reason' },
    errors: ['search/not-found', 'operator/own-record'],
  })
    .route({
      method: 'GET',
      path: '/operators/search/{kind}/{id}',
      summary: 'A person, business, job or engagement, what belongs to it, and decisions about it',
    })
    .input(z.object({ kind, id }))
    .output(foundRecord),
  timeline: operation({
    access: 'operator',
    operator: { may: 'search', needs: 'reason' },
    errors: ['search/not-found', 'operator/own-record', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/search/{kind}/{id}/timeline',
      summary:
        'What happened around a person or business, newest first: cases, reports, decisions, work, money, sign-ins, checks, businesses',
    })
    .input(
      z.object({ kind: z.enum(customerKinds), id, group: z.enum(timelineGroups).optional(), ...pageInput }),
    )
    .output(pageOf(timelineEvent)),
  entries: operation({
    access: 'operator',
    operator: { may: 'search-entries', needs: 'reason' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/entries',
      summary: 'Ledger entries of a person, business, engagement, payment or hold by its id, newest first',
    })
    .input(z.object({ recordId: id, ...pageInput }))
    .output(pageOf(ledgerEntry)),
};
