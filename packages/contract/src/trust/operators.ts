import { z } from 'zod';
import { houseRules } from '../house-rules.ts';
import { limits } from '../limits.ts';
import { id, idAndName, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { operatorRoles } from '../operator-roles.ts';
import { accountEmail } from '../people/email.ts';
import { labelName } from '../people/names.ts';
import { secondFactors } from '../people/sign-in.ts';
import { staffThread } from './case-facts.ts';
import { approvalLimits } from './second-approvals.rules.ts';
import { secondApproval } from './second-approvals.ts';
import { serviceMessage, serviceMessageInput } from './service-status.ts';
import { ticketLimits, unknownVariable } from './tickets.rules.ts';
import { ticketFileErrors, ticketFileIds } from './tickets.ts';

/** The last message that the operator has read; with a later one, the answer or closing is refused. */
const lastMessageId = id.optional();
const ofTicket = z.object({ ticketId: id });
const ticketErrors = ['ticket/not-found', 'ticket/merged', 'operator/own-record'] as const;

const macroText = prose(ticketLimits.bodyMax).refine((text) => unknownVariable(text) === null, {
  message: 'only known variables in braces',
});
/** An answer that operators share; readers get the English text if their language is missing. */
export const macro = z.object({
  id,
  name: labelName(ticketLimits.macroNameMax),
  texts: z.object({
    en: prose(ticketLimits.bodyMax, 1).pipe(macroText),
    nl: macroText.optional(),
    de: macroText.optional(),
    fr: macroText.optional(),
    es: macroText.optional(),
    ar: macroText.optional(),
  }),
});
export type Macro = z.infer<typeof macro>;
const desk = { access: 'operator', operator: { may: 'queue', needs: 'nothing' } } as const;

export const operatorSession = z.object({
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(operatorRoles)),
  /** The account's second factors; without one nothing can be confirmed. */
  secondFactors: z.array(z.enum(secondFactors)),
  /**
   * True if the operator confirmed without too long a pause. Otherwise operations fail with
   * operator/confirm-again.
   */
  present: z.boolean(),
});
export type OperatorSession = z.infer<typeof operatorSession>;

const roles = z.array(z.enum(operatorRoles)).max(operatorRoles.length);

export const operatorView = idAndName.extend({
  email: z.string(),
  roles,
  addedAt: instant,
  /** False if they can't open the console until they set up a second factor. */
  hasSecondFactor: z.boolean(),
});
export type OperatorView = z.infer<typeof operatorView>;

/** A change of an operator's roles that another owner approves: from no roles it appoints, to no roles it ends. */
export const operatorChange = secondApproval
  .omit({ kind: true, subjectId: true, amountMinor: true, currency: true })
  .extend({ account: idAndName.extend({ email: z.string() }), previousRoles: roles, roles });
export type OperatorChange = z.infer<typeof operatorChange>;

const ownersOnly = { access: 'operator', operator: { may: 'operators', needs: 'nothing' } } as const;
const changeErrors = ['approval/not-found', 'approval/over'] as const;

/** Decisions of staff about conversations and tickets, and service messages. The queue is `cases.*`. */
export const operators = {
  session: operation({ access: 'verified', errors: ['operator/required'] })
    .route({
      method: 'GET',
      path: '/operators/session',
      summary: 'Check whether your session may work as an operator, or must confirm the second step first',
    })
    .output(operatorSession),
  decideReport: operation({
    access: 'operator',
    operator: {
      may: 'conversations',
      needs: 'claim',
      case: { kind: 'chat_report', id: 'reportId' },
      decides: { decision: { field: 'decision' }, reason: 'reason' },
    },
    errors: ['chat/report-not-found', 'operator/own-record', 'operator/own-decision'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/reports/{reportId}/decide',
      summary:
        'Close a report by dismissing it, redacting the message or freezing the conversation; both sides get the reason, the reported one as a decision it can appeal',
    })
    .input(
      z
        .object({
          reportId: id,
          decision: z.enum(['dismiss', 'redact', 'freeze']),
          reason: prose(limits.reasonMax, 1),
          /** The rule that the reported side broke; null to dismiss. */
          rule: z.enum(houseRules).nullable().default(null),
        })
        .refine(({ decision, rule }) => (decision === 'dismiss') === (rule === null), {
          path: ['rule'],
          message: 'a rule, unless it is dismissed',
        }),
    )
    .output(z.object({ id, decision: z.enum(['dismiss', 'redact', 'freeze']) })),
  unfreeze: operation({
    access: 'operator',
    operator: {
      may: 'conversations',
      needs: 'claim',
      case: { kind: 'frozen_chat', id: 'conversationId' },
      decides: { decision: 'unfreeze', reason: 'reason' },
    },
    errors: ['chat/not-found', 'operator/own-record', 'operator/own-decision'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/conversations/{conversationId}/unfreeze',
      summary: 'Unfreeze a conversation; both sides get the reason',
    })
    .input(z.object({ conversationId: id, reason: prose(limits.reasonMax, 1) }))
    .output(z.object({ conversationId: id })),
  ticket: operation({
    access: 'operator',
    operator: { may: 'tickets', needs: 'reason', case: { kind: 'ticket', id: 'ticketId' } },
    errors: [...ticketErrors],
  })
    .route({ method: 'GET', path: '/operators/tickets/{ticketId}', summary: 'A request with its messages' })
    .input(ofTicket)
    .output(staffThread),
  answerTicket: operation({
    access: 'operator',
    operator: {
      may: 'tickets',
      needs: 'claim',
      case: { kind: 'ticket', id: 'ticketId' },
      decides: { decision: { flag: 'solve', set: 'answer-solve', unset: 'answer' }, reason: 'body' },
    },
    errors: [...ticketErrors, ...ticketFileErrors, 'ticket/stale'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/tickets/{ticketId}/messages',
      summary: 'Answer a request; its author gets the answer in the app and by mail',
    })
    .input(
      ofTicket.extend({
        body: prose(ticketLimits.bodyMax, 1),
        fileIds: ticketFileIds,
        /** Closes the request with the answer, in place of waiting for a reply. */
        solve: z.boolean().default(false),
        lastMessageId,
      }),
    )
    .output(staffThread),
  solveTicket: operation({
    access: 'operator',
    operator: {
      may: 'tickets',
      needs: 'claim',
      case: { kind: 'ticket', id: 'ticketId' },
      decides: { decision: 'solve', reason: null },
    },
    errors: [...ticketErrors, 'ticket/stale'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/tickets/{ticketId}/solve',
      summary: 'Close a request as solved; a reply opens it again',
    })
    .input(ofTicket.extend({ lastMessageId }))
    .output(staffThread),
  macros: operation({ ...desk, errors: [] })
    .route({ method: 'GET', path: '/operators/macros', summary: 'Answers that operators share, by name' })
    .output(z.array(macro)),
  saveMacro: operation({ ...desk, errors: [], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/macros',
      summary: 'Write or change a shared answer; one of the same name is replaced',
      successStatus: 201,
    })
    .input(macro.omit({ id: true }))
    .output(macro),
  removeMacro: operation({ ...desk, errors: [], effects: [] })
    .route({ method: 'DELETE', path: '/operators/macros/{macroId}', summary: 'Remove a shared answer' })
    .input(z.object({ macroId: id }))
    .output(z.object({ removed: z.number().int() })),
  serviceMessages: operation({
    access: 'operator',
    operator: { may: 'service-messages', needs: 'nothing' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/service-messages',
      summary: 'Messages about the service, last starting first',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(serviceMessage)),
  postServiceMessage: operation({
    access: 'operator',
    operator: { may: 'service-messages', needs: 'nothing' },
    errors: [],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/service-messages',
      summary:
        'Show a message about the service to everyone, now or from startsAt, until endsAt or until it is ended',
      successStatus: 201,
    })
    .input(serviceMessageInput)
    .output(serviceMessage),
  endServiceMessage: operation({
    access: 'operator',
    operator: { may: 'service-messages', needs: 'nothing' },
    errors: ['service-message/not-found'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/service-messages/{messageId}/end',
      summary: 'End a message about the service now',
    })
    .input(z.object({ messageId: id }))
    .output(serviceMessage),
  list: operation({ ...ownersOnly, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/team',
      summary: 'All operators, and the latest changes of their roles, pending ones first',
    })
    .output(z.object({ operators: z.array(operatorView), changes: z.array(operatorChange) })),
  requestChange: operation({
    access: 'operator',
    operator: { may: 'operators', needs: 'reason' },
    errors: [
      'approval/waiting',
      'operator/no-account',
      'operator/last-owner',
      'operator/second-owner-required',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/team/changes',
      summary:
        'Ask another owner to appoint someone, change their roles or, with no roles, end their appointment',
      successStatus: 201,
    })
    .input(
      z.object({
        email: accountEmail(limits.emailMax),
        roles,
        reason: prose(approvalLimits.reasonMax, approvalLimits.reasonMin),
      }),
    )
    .output(operatorChange),
  decideChange: operation({
    access: 'operator',
    operator: {
      ...ownersOnly.operator,
      decides: { decision: { field: 'decision' }, reason: 'note' },
    },
    errors: [
      ...changeErrors,
      'operator/own-decision',
      'operator/own-record',
      'operator/no-account',
      'operator/last-owner',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/team/changes/{changeId}/decide',
      summary:
        'Approve or refuse what another owner asked; who is ended is signed out everywhere. Withdrawn if the roles changed since',
    })
    .input(
      z.object({
        changeId: id,
        decision: z.enum(['approve', 'refuse']),
        note: prose(approvalLimits.noteMax).default(''),
      }),
    )
    .output(operatorChange),
  withdrawChange: operation({ ...ownersOnly, errors: [...changeErrors], effects: [] })
    .route({
      method: 'POST',
      path: '/operators/team/changes/{changeId}/withdraw',
      summary: 'Withdraw what you asked another owner to approve',
    })
    .input(z.object({ changeId: id }))
    .output(operatorChange),
};
