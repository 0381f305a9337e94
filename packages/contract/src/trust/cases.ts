import { z } from 'zod';
import { maxTotalMinor } from '../arithmetic.ts';
import { caseKinds, casePriorities } from '../case-kinds.ts';
import { houseRules, suspensionScopes } from '../house-rules.ts';
import { languages } from '../languages.ts';
import { currency } from '../money.ts';
import {
  id,
  idAndName,
  instant,
  line,
  operation,
  pageInput,
  pageOf,
  prose,
  queryFlag,
  queryInteger,
} from '../operation.ts';
import { operatorRoles } from '../operator-roles.ts';
import { labelName } from '../people/names.ts';
import { chosenTimeZone } from '../people/places.ts';
import { message } from '../talk/messages.ts';
import { authorityReport, caseFacts, payEffect, staffThread } from './case-facts.ts';
import {
  answerHours,
  askableKinds,
  authorityFacts,
  authorityReportLimits,
  caseLimits,
  chatKinds,
  queueShows,
  reportableKinds,
} from './cases.rules.ts';
import { secondApproval } from './second-approvals.ts';
import { foundKinds } from './staff-search.rules.ts';
import { ticketLimits, ticketStatuses } from './tickets.rules.ts';
import { staffTicketMessage } from './tickets.ts';

const kind = z.enum(caseKinds);
const caseRef = z.object({ kind, subjectId: id });

/** A line of the queue. It names no person but operators, so that reading it needs no reason. */
export const caseItem = z.object({
  ...caseRef.shape,
  title: z.string(),
  /** A code of its kind: the reason of a report, the category of a ticket, the cause of a dispute. */
  tag: z.string().nullable(),
  business: idAndName.nullable(),
  openedAt: instant,
  deadline: instant,
  priority: z.enum(casePriorities),
  claimedBy: idAndName.nullable(),
  claimedAt: instant.nullable(),
  /** The operator whom a rule assigns it to while nobody has claimed it. Anyone with the role may claim it. */
  assignedTo: idAndName.nullable(),
  /** The operator who handed the case over to the one who claimed it. */
  handedBy: z.string().nullable(),
  /**
   * The language of the first person it is about; null if they never chose one, or it is about a business
   * only.
   */
  language: z.enum(languages).nullable(),
  notes: z.number().int(),
  /** The deadline of the last unanswered question. Until then the case is out of the queue. */
  waitsUntil: instant.nullable(),
  /** The sides whose answer is missing, `person` for anyone but members of the case's business; empty if none is. */
  waitsFor: z.array(z.enum(['business', 'person'])),
  /** The time of the last answer to a question, if none is unanswered. */
  answeredAt: instant.nullable(),
  /** True if the decision waits for a second operator's approval, which is a separate case (ADR 191). */
  awaitsApproval: z.boolean(),
});
export type CaseItem = z.infer<typeof caseItem>;

/** A rule that assigns new cases of a kind, a language or both to one operator. */
export const caseAssignment = z.object({
  id,
  kind: kind.nullable(),
  language: z.enum(languages).nullable(),
  operator: idAndName,
});
export type CaseAssignment = z.infer<typeof caseAssignment>;

export const caseEntry = z.object({
  id,
  what: z.enum(['note', 'claim', 'release', 'hand-over', 'priority']),
  by: idAndName,
  to: idAndName.nullable(),
  body: z.string(),
  at: instant,
});
export type CaseEntry = z.infer<typeof caseEntry>;

/** Someone on a side of a case, who reads what is written about it. */
const concerned = z.object({
  accountId: id,
  name: z.string(),
  side: z.enum(['worker', 'business', 'reporter']),
  /** Null if they never chose one. */
  language: z.enum(languages).nullable(),
});

/** A question to someone with its answers; it is a request that staff began. */
const caseQuestion = z.object({
  ticketId: id,
  to: concerned,
  status: z.enum(ticketStatuses),
  dueAt: instant,
  messages: z.array(staffTicketMessage),
});
export type CaseQuestion = z.infer<typeof caseQuestion>;

export const caseFile = z.object({
  item: caseItem,
  /** An operator can ask them in the kinds of `askableKinds`. Empty for kinds that only operators read. */
  people: z.array(concerned),
  questions: z.array(caseQuestion),
  entries: z.array(caseEntry),
  facts: caseFacts,
  approval: secondApproval.nullable(),
  /** Newest first, at most 20. Empty for kinds that aren't reported to an authority. */
  authorityReports: z.array(authorityReport),
});
export type CaseFile = z.infer<typeof caseFile>;

/** A case that an operator has decided, or that ended without one. It names no person but operators. */
export const closedCase = caseItem
  .pick({ kind: true, subjectId: true, title: true, tag: true, business: true, openedAt: true })
  .extend({
    id,
    /**
     * The decision as its operation names it (`DecisionRule`), or what ended the case without a decision in it, such as
     * `stop` of a dispute, or `lifted` of a freeze that was lifted as a sanction.
     */
    decision: z.string(),
    /** Null if no operator decided it as this case. */
    by: idAndName.nullable(),
    decidedAt: instant,
  });
export type ClosedCase = z.infer<typeof closedCase>;

/** The results of a decision. They stay when the evidence is deleted. */
export const decisionTerms = z.object({
  /** The effect of the total pay that a dispute or no-show was decided with; null for other kinds. */
  pay: payEffect.nullable(),
  rule: z.enum(houseRules).nullable(),
  /** The statement of reasons to the reported side; null where the reason of the decision is the statement. */
  statement: z.string().nullable(),
  scope: z.enum(suspensionScopes).nullable(),
  endsAt: instant.nullable(),
});
export type DecisionTerms = z.infer<typeof decisionTerms>;

/** A closed case with its stated reason and the work on it, or with what ended it if nobody decided it. */
export const closedCaseFile = z.object({
  /** `terms`: null for a decision that set nothing, and for those before they were kept. */
  item: closedCase.extend({
    reason: z.string(),
    terms: decisionTerms.nullable(),
  }),
  /** The amount it ended with and the record it was about; null for a decision. */
  ended: z
    .object({
      amount: z.object({ minor: z.int(), currency }).nullable(),
      record: z.object({ kind: z.enum(foundKinds), id }).nullable(),
    })
    .nullable(),
  entries: z.array(caseEntry),
  questions: z.array(caseQuestion),
  authorityReports: z.array(authorityReport),
  /** The evidence as it was at the decision, or a request's thread as it is now; null if it is gone. */
  facts: caseFacts.nullable(),
  /**
   * The reason for missing evidence: deleted after a year (`caseLimits.evidenceDays`), removed with the
   * account of someone it concerned, or stored in a form that can't be shown.
   */
  factsGone: z.enum(['expired', 'removed', 'not-kept']).nullable(),
});
export type ClosedCaseFile = z.infer<typeof closedCaseFile>;

/** Filters of the queue. `claimedBy`: an operator, or `nobody`. */
const caseFilters = z.object({
  show: z.enum(queueShows),
  kind: kind.optional(),
  claimedBy: z.union([id, z.literal('nobody')]).optional(),
  language: z.enum(languages).optional(),
  overdue: z.boolean().optional(),
});
export type CaseFilters = z.infer<typeof caseFilters>;

/** Filters that an operator saved under a name, for themselves. */
export const caseView = z.object({ id, name: z.string(), filters: caseFilters });
export type CaseView = z.infer<typeof caseView>;

/**
 * Cases against their deadlines. A breach is a deadline that passed within the period, or a decision after its
 * deadline.
 */
export const caseFigures = z.object({
  overdue: z.number().int(),
  dueToday: z.number().int(),
  open: z.number().int(),
  breachedToday: z.number().int(),
  breachedThisWeek: z.number().int(),
  decidedThisWeek: z.number().int(),
  inTimeThisWeek: z.number().int(),
});
export type CaseFigures = z.infer<typeof caseFigures>;

/** A case number, part of the title or the business's name, or the id of the subject, a person or the business. */
const searchText = line(caseLimits.searchMax).optional();

const errors = ['case/not-found', 'operator/own-record'] as const;
const queueAccess = { access: 'operator', operator: { may: 'queue', needs: 'nothing' } } as const;
const ownerAccess = { access: 'operator', operator: { may: 'operators', needs: 'nothing' } } as const;
const caseAccess = {
  access: 'operator',
  operator: { may: 'queue', needs: 'nothing', case: 'input' },
} as const;

/** A page of cases. `similar`: true if nothing has the words as they were typed, and names or titles are close to them. */
const foundPageOf = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({ similar: z.boolean().optional() });

/** One queue of all kinds, by role, without cases about the operator. Decisions need the claim. */
export const cases = {
  list: operation({ ...queueAccess, errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/cases',
      summary: 'Open cases of your roles, most urgent first, then by deadline',
    })
    .input(
      z.object({
        kind: kind.optional(),
        mine: queryFlag.optional(),
        unclaimed: queryFlag.optional(),
        overdue: queryFlag.optional(),
        /** True lists only the cases that wait for an answer; otherwise only the others are listed. */
        waiting: queryFlag.optional(),
        /** Includes cases that wait for an answer. */
        all: queryFlag.optional(),
        claimedBy: id.optional(),
        language: z.enum(languages).optional(),
        text: searchText,
        ...pageInput,
      }),
    )
    .output(foundPageOf(caseItem)),
  closed: operation({ ...queueAccess, errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/closed-cases',
      summary: 'Closed cases of your roles, except those about you, newest first',
    })
    .input(
      z.object({
        kind: kind.optional(),
        text: searchText,
        decidedBy: id.optional(),
        /**
         * True lists only the last decisions of cases that wait for an answer from outside: answered requests, and
         * businesses and people asked for more. Otherwise they are left out, unless there is a text.
         */
        waiting: queryFlag.optional(),
        ...pageInput,
      }),
    )
    .output(foundPageOf(closedCase)),
  decided: operation({
    access: 'operator',
    operator: { may: 'queue', needs: 'reason', case: 'input', closed: true },
    errors: [...errors],
  })
    .route({
      method: 'GET',
      path: '/operators/cases/{kind}/{subjectId}/decision',
      summary:
        'The last decision of a closed case with its reason, or what ended it without one, and the work on it',
    })
    .input(caseRef)
    .output(closedCaseFile),
  counts: operation({ ...queueAccess, errors: [] })
    .route({ method: 'GET', path: '/operators/cases/counts', summary: 'Open cases of your roles per kind' })
    .output(
      z.array(
        z.object({
          kind,
          open: z.number().int(),
          /** More open cases, which someone else has to decide: appeals against the caller's decisions, and their requests. */
          forOthers: z.number().int(),
          unclaimed: z.number().int(),
          mine: z.number().int(),
          overdue: z.number().int(),
          waiting: z.number().int(),
          oldestAt: instant.nullable(),
          /** Decided cases that wait for an answer from outside, such as answered requests. They come back with it. */
          answered: z.number().int(),
        }),
      ),
    ),
  figures: operation({ ...queueAccess, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/cases/figures',
      summary: 'Cases of your roles against their deadlines, today and since Monday in a time zone',
    })
    .input(z.object({ timeZone: chosenTimeZone.unwrap() }))
    .output(caseFigures),
  views: operation({ ...queueAccess, errors: [] })
    .route({ method: 'GET', path: '/operators/case-views', summary: 'List your saved filters, oldest first' })
    .output(z.array(caseView)),
  saveView: operation({ ...queueAccess, errors: ['case/too-many-views'], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/case-views',
      summary: 'Save filters under a name; one of the same name is replaced',
      successStatus: 201,
    })
    .input(z.object({ name: labelName(caseLimits.viewNameMax), filters: caseFilters }))
    .output(caseView),
  removeView: operation({ ...queueAccess, errors: [], effects: [] })
    .route({ method: 'DELETE', path: '/operators/case-views/{viewId}', summary: 'Remove saved filters' })
    .input(z.object({ viewId: id }))
    .output(z.object({ removed: z.number().int() })),
  assignments: operation({ ...queueAccess, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/case-assignments',
      summary: 'The rules that assign cases to operators, the most exact first',
    })
    .output(z.array(caseAssignment)),
  saveAssignment: operation({ ...ownerAccess, errors: ['case/no-such-operator'], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/case-assignments',
      summary: 'Assign cases of a kind, a language or both to an operator; a rule for the same is replaced',
      successStatus: 201,
    })
    .input(
      z
        .object({
          kind: kind.nullable().default(null),
          language: z.enum(languages).nullable().default(null),
          accountId: id,
        })
        .refine((input) => input.kind !== null || input.language !== null, {
          message: 'a kind or a language',
          path: ['kind'],
        }),
    )
    .output(caseAssignment),
  removeAssignment: operation({ ...ownerAccess, errors: [], effects: [] })
    .route({
      method: 'DELETE',
      path: '/operators/case-assignments/{assignmentId}',
      summary: 'Remove a rule that assigns cases',
    })
    .input(z.object({ assignmentId: id }))
    .output(z.object({ removed: z.number().int() })),
  colleagues: operation({ ...queueAccess, errors: [] })
    .route({ method: 'GET', path: '/operators/colleagues', summary: 'All operators with their roles' })
    .output(
      z.array(
        idAndName.extend({
          roles: z.array(z.enum(operatorRoles)),
          /** False if they can't open the console yet, for lack of a second step. */
          hasSecondFactor: z.boolean(),
        }),
      ),
    ),
  viewers: operation({ ...caseAccess, errors: [...errors] })
    .route({
      method: 'GET',
      path: '/operators/cases/{kind}/{subjectId}/viewers',
      summary: 'The other operators who look at an open case now; asking shows them that you do',
    })
    .input(caseRef)
    .output(z.array(idAndName)),
  get: operation({
    access: 'operator',
    operator: { may: 'queue', needs: 'reason', case: 'input' },
    errors: [...errors],
  })
    .route({
      method: 'GET',
      path: '/operators/cases/{kind}/{subjectId}',
      summary: 'An open case with its facts, the work on it, and what its decisions do',
    })
    .input(caseRef)
    .output(caseFile),
  preview: operation({
    access: 'operator',
    operator: { may: 'disputes', needs: 'reason', case: 'input' },
    errors: [...errors, 'dispute/amount-impossible'],
  })
    .route({
      method: 'GET',
      path: '/operators/cases/{kind}/{subjectId}/preview',
      summary: 'Preview a dispute or no-show decided with this total amount; 0 for a no-show: absent',
    })
    .input(
      caseRef.extend({
        kind: z.enum(['dispute', 'no_show']),
        amountMinor: queryInteger(0, maxTotalMinor),
      }),
    )
    .output(payEffect),
  chat: operation({
    access: 'operator',
    operator: { may: 'queue', needs: 'reason', case: 'input', closed: true },
    errors: [...errors],
  })
    .route({
      method: 'GET',
      path: '/operators/cases/{kind}/{subjectId}/chat',
      summary: "List both sides' messages around the work, with deleted text; each look is logged",
    })
    .input(
      caseRef.extend({
        kind: z.enum(chatKinds),
        /** The work that was paid, which a withdrawal and its appeal need; other cases have one work. */
        engagementId: id.optional(),
      }),
    )
    .output(z.object({ from: instant.nullable(), until: instant.nullable(), messages: z.array(message) })),
  reportToAuthority: operation({
    access: 'operator',
    operator: { may: 'moderation', needs: 'claim', case: 'input' },
    errors: [...errors],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/authority-reports',
      summary:
        'Record what you reported to an authority, with a second factor confirmed within ten minutes; another operator confirms it',
      successStatus: 201,
    })
    .input(
      caseRef.extend({
        kind: z.enum(reportableKinds),
        authority: line(authorityReportLimits.authorityMax),
        reportedAt: instant,
        reference: line(authorityReportLimits.referenceMax).nullable(),
        facts: z.array(z.enum(authorityFacts)).min(1).max(authorityFacts.length),
        /** The text that the authority received, word for word. */
        passedOn: prose(authorityReportLimits.passedOnMax, authorityReportLimits.passedOnMin),
        /** The reason is shown to operators only. */
        reason: prose(authorityReportLimits.reasonMax, authorityReportLimits.reasonMin),
      }),
    )
    .output(authorityReport),
  setAuthorityReference: operation({
    access: 'operator',
    operator: { may: 'moderation', needs: 'reason', case: 'input', closed: true },
    errors: [...errors],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/authority-reports/{authorityReportId}/reference',
      summary:
        "Record the authority's reference of a report, also after its case is closed; a note keeps the earlier one",
    })
    .input(
      caseRef.extend({
        kind: z.enum(reportableKinds),
        authorityReportId: id,
        reference: line(authorityReportLimits.referenceMax, 1),
      }),
    )
    .output(authorityReport),
  decideAuthorityReport: operation({
    access: 'operator',
    operator: {
      may: 'moderation',
      needs: 'claim',
      case: { kind: 'authority_report', id: 'authorityReportId' },
      decides: { decision: { field: 'decision' }, reason: 'note' },
    },
    errors: [...errors, 'operator/own-decision', 'approval/over'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/authority-reports/{authorityReportId}/decide',
      summary: 'Confirm or refuse the report to an authority that another operator made',
    })
    .input(
      z.object({
        authorityReportId: id,
        decision: z.enum(['confirm', 'refuse']),
        /** A note for the operator who made the report. Required for a refusal. */
        note: prose(authorityReportLimits.noteMax).default(''),
      }),
    )
    .output(authorityReport),
  claim: operation({ ...caseAccess, errors: [...errors, 'case/claimed'], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/claim',
      summary: 'Take a case that no other operator works on',
    })
    .input(caseRef)
    .output(caseItem),
  release: operation({ ...caseAccess, errors: [...errors, 'case/claim-required'], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/release',
      summary: 'Give up your claim, or as an owner anyone’s',
    })
    .input(caseRef)
    .output(caseItem),
  handOver: operation({
    ...caseAccess,
    errors: [...errors, 'case/claim-required', 'case/no-such-operator'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/hand-over',
      summary: 'Hand your case to another operator of its roles with a note; an owner hands over any case',
    })
    .input(caseRef.extend({ toAccountId: id, note: prose(caseLimits.noteMax, 1) }))
    .output(caseItem),
  note: operation({ ...caseAccess, errors: [...errors], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/notes',
      summary: 'Write a note for other operators',
      successStatus: 201,
    })
    .input(caseRef.extend({ body: prose(caseLimits.noteMax, 1) }))
    .output(caseEntry),
  ask: operation({
    access: 'operator',
    operator: { may: 'queue', needs: 'claim', case: 'input' },
    errors: [...errors, 'case/no-such-side', 'case/already-asked'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/questions',
      summary: 'Ask someone on a side of the case; it waits for the answer or the deadline',
      successStatus: 201,
    })
    .input(
      z.object({
        kind: z.enum(askableKinds),
        subjectId: id,
        accountId: id,
        body: prose(ticketLimits.bodyMax, 1),
        hours: z.literal([...answerHours]),
      }),
    )
    .output(caseItem),
  mergeTickets: operation({
    access: 'operator',
    operator: { may: 'tickets', needs: 'claim', case: { kind: 'ticket', id: 'ticketId' } },
    errors: [...errors, 'case/claimed', 'ticket/not-found', 'ticket/merged', 'ticket/not-mergeable'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/tickets/{ticketId}/merge',
      summary: 'Make another request of the same person part of this one; nobody is notified',
    })
    .input(z.object({ ticketId: id, otherId: id }))
    .output(staffThread),
  setPriority: operation({ ...caseAccess, errors: [...errors], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/priority',
      summary: 'Set the priority of a case',
    })
    .input(caseRef.extend({ priority: z.enum(casePriorities) }))
    .output(caseItem),
};
