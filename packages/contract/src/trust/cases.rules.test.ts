import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CaseKind, caseKinds } from '../case-kinds.ts';
import { contract } from '../contract.ts';
import { addMs, dayMs } from '../durations.ts';
import type { OperationMeta, OperatorRule } from '../operation.ts';
import { caseDecisions } from './cases.rules.ts';
import { measureProblem } from './sanctions.rules.ts';

type Schema = {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: string[];
  const?: string;
};

const rules = Object.entries(contract).flatMap(([slice, operations]) =>
  Object.entries(operations as Record<string, AnyContractProcedure>)
    .filter(([, operation]) => isContractProcedure(operation))
    .map(
      ([
        verb,
        {
          '~orpc': { route, meta, inputSchema },
        },
      ]) => ({
        name: `${slice}.${verb}`,
        isWrite: route.method !== 'GET',
        rule: (meta as OperationMeta).operator,
        input: inputSchema
          ? (z.toJSONSchema(inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema)
          : {},
      }),
    ),
);

const alternatives = (schema: Schema): Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(alternatives),
];
/** The schemas of a field; a dot names a field of an object. */
const schemasOf = (input: Schema, name: string): Schema[] =>
  name
    .split('.')
    .reduce(
      (schemas, key) => schemas.flatMap(alternatives).flatMap(({ properties }) => properties?.[key] ?? []),
      [input],
    )
    .flatMap(alternatives);
const valuesOf = (input: Schema, name: string): string[] =>
  schemasOf(input, name).flatMap((schema) => schema.enum ?? schema.const ?? []);

function decisionsOf({ decides }: OperatorRule, input: Schema): string[] {
  if (!decides) return [];
  const { decision } = decides;
  if (typeof decision === 'string') return [decision];
  if ('flag' in decision) return [decision.set, decision.unset];
  return [...valuesOf(input, decision.field), ...(decision.ifNull === undefined ? [] : [decision.ifNull])];
}

const kindsOf = ({ case: subject }: OperatorRule, input: Schema): string[] =>
  subject === undefined ? [] : subject === 'input' ? valuesOf(input, 'kind') : [subject.kind];

const claims = rules.flatMap(({ rule, ...operation }) =>
  rule?.needs === 'claim' && operation.isWrite ? [{ ...operation, rule }] : [],
);

describe('caseDecisions', () => {
  it('are named by the operations that make them', () => {
    const decisionsByKind = new Map<string, Set<string>>(caseKinds.map((kind) => [kind, new Set()]));
    for (const { name, rule, input } of claims) {
      // It names what another operator approves, which closes the case.
      if (name === 'secondApprovals.request') continue;
      for (const kind of kindsOf(rule, input))
        for (const decision of decisionsOf(rule, input)) decisionsByKind.get(kind)?.add(decision);
    }
    // Buttons in the facts of these cases.
    const decisionsInFacts: Partial<Record<CaseKind, string[]>> = {
      ticket: ['answer-solve'],
      unclaimed: ['withdrawal', 'refund'],
      bank_payment: ['assignment', 'return'],
    };
    for (const kind of caseKinds) {
      const decisions = caseDecisions[kind].map(({ decision }) => decision);
      expect([...(decisionsByKind.get(kind) ?? [])].sort(), kind).toEqual(
        [...decisions, ...(decisionsInFacts[kind] ?? [])].sort(),
      );
    }
  });

  it('and their reasons are in the input', () => {
    for (const { name, rule, input } of rules) {
      if (!rule?.decides) continue;
      const { decision, reason, statement } = rule.decides;
      const fields = [
        typeof decision === 'object' ? ('flag' in decision ? decision.flag : decision.field) : null,
        reason,
        statement,
      ].filter((field) => typeof field === 'string');
      for (const field of fields) expect(schemasOf(input, field), `${name}: ${field}`).not.toEqual([]);
    }
  });

  it('are made by every write with a claim but those that leave the case open', () => {
    const without = claims.filter(({ rule }) => !rule.decides).map(({ name }) => name);
    expect(without.sort()).toEqual([
      'cases.ask',
      'cases.mergeTickets',
      'cases.reportToAuthority',
      'chargebacks.answer',
      'payoutReviews.formerPage',
    ]);
  });
});

describe('measureProblem', () => {
  it('accepts each measure in its form', () => {
    const now = new Date('2026-11-21T09:00:00Z');
    const end = addMs(now, dayMs);
    const none = { scope: null, endsAt: null };
    expect(measureProblem({ target: 'job', measure: 'hidden', ...none }, now)).toBeNull();
    expect(measureProblem({ target: 'account', measure: 'warning', ...none }, now)).toBeNull();
    const timed = { measure: 'suspension', scope: 'everything', endsAt: end } as const;
    expect(measureProblem({ target: 'account', ...timed }, now)).toBeNull();
    expect(measureProblem({ target: 'job', ...timed }, now)?.path).toBe('measure');
    const year = addMs(now, 366 * dayMs);
    expect(measureProblem({ target: 'account', ...timed, endsAt: year }, now)?.path).toBe('endsAt');
  });
});
