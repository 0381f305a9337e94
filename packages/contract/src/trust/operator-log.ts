import { z } from 'zod';
import { caseKinds } from '../case-kinds.ts';
import { id, idAndName, instant, line, operation, pageInput, pageOf } from '../operation.ts';
import { searchKinds } from './staff-search.rules.ts';

const operationMax = 120;

/** One call of an operator. `subjectIds` are the records it named and the people and the business of its case. */
export const loggedCall = z.object({
  /** Its position in the hash chain, from 1. */
  no: z.number().int(),
  at: instant,
  operator: idAndName,
  /** Method and path, such as `GET /operators/cases/{kind}/{subjectId}`. */
  operation: z.string(),
  subjectIds: z.array(id),
  /**
   * The subjects that have a page and a name today, without those who reported and other operators of the
   * case. `loggedId`: the id among `subjectIds`, such as that of a decision about the subject.
   */
  subjects: z.array(z.object({ kind: z.enum(searchKinds), id, name: z.string(), loggedId: id })),
  case: z.object({ kind: z.enum(caseKinds), subjectId: id }).nullable(),
  reason: z.string().nullable(),
  /** `done`, or the code of the error that the operator got; null if the server ended before. */
  result: z.string().nullable(),
  /** The decision, such as `upheld`; null for other calls. */
  decision: z.string().nullable(),
  /** True if the call asked another operator to approve the decision, which is made only then. */
  asksApproval: z.boolean(),
});
export type LoggedCall = z.infer<typeof loggedCall>;

/** A row that was changed or is missing. */
export const logFinding = z.object({
  kind: z.enum(['row_changed', 'row_missing', 'head_missing', 'head_changed', 'outcome_changed']),
  no: z.number().int(),
});
export type LogFinding = z.infer<typeof logFinding>;

const owner = { access: 'operator', operator: { may: 'log', needs: 'nothing' } } as const;

/** The log of operators' calls, for owners (ADR 176). */
export const operatorLog = {
  search: operation({ ...owner, errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/log',
      summary:
        'Calls of operators, newest first: of one operator, about one record, of one operation, in a time',
    })
    .input(
      z.object({
        operatorId: id.optional(),
        subjectId: id.optional(),
        operation: line(operationMax).optional(),
        /** `looks` are reads, `actions` are changes. */
        what: z.enum(['looks', 'actions']).optional(),
        caseKind: z.enum(caseKinds).optional(),
        /** `refused` calls ended with an error, `asked` ones asked another operator to approve. */
        result: z.enum(['done', 'refused', 'asked']).optional(),
        from: instant.optional(),
        until: instant.optional(),
        ...pageInput,
      }),
    )
    .output(pageOf(loggedCall)),
  verify: operation({ ...owner, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/log/verification',
      summary: 'Check the whole chain of the log; findings are empty if nothing was changed or removed',
    })
    .output(z.object({ rows: z.number().int(), findings: z.array(logFinding) })),
};
