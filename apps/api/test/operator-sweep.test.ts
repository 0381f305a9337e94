import type { OperationMeta } from '@nearhand/contract/operation';
import {
  type OperatorCapability,
  type OperatorRole,
  operatorCapabilities,
  operatorRoles,
  operatorRoleTable,
} from '@nearhand/contract/operator-roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeOperator } from '../src/trust/operators/operators.fixtures.ts';
import { type ContractOperation, contractOperations, workingHeaders } from './contract-operations.ts';
import { useTestApp } from './harness.ts';

const app = useTestApp();

type Rule = Extract<OperationMeta, { access: 'operator' }>['operator'];
type Entry = ContractOperation & { rule: Rule };
const entries: Entry[] = contractOperations.flatMap((entry) =>
  entry.meta.access === 'operator' ? [{ ...entry, rule: entry.meta.operator }] : [],
);

type Answer = { role: OperatorRole; name: string; rule: Rule; code: string | null };
const answers: Answer[] = [];

beforeAll(async () => {
  for (const role of operatorRoles) {
    const person = await app.person();
    await makeOperator(app.db, app, person, [role]);
    for (const entry of entries) {
      const kind = entry.rule.case === 'input' ? 'dispute' : '01a1fbbc-d019-79f0-8086-994049deb373';
      const path = entry.path.replace('{kind}', kind);
      const response = await app.raw({
        method: entry.method as 'GET',
        url: `/api${path.replace(/\{\w+\}/g, '01a1fbbc-d019-79f0-8086-994049deb373')}`,
        headers: {
          authorization: `Bearer ${person.token}`,
          'idempotency-key': crypto.randomUUID(),
          ...workingHeaders,
        },
        ...(entry.method === 'GET' ? {} : { payload: {} }),
      });
      const code = response.statusCode < 400 ? null : (response.json().code as string);
      answers.push({ role, name: entry.name, rule: entry.rule, code });
    }
  }
}, 120_000);

/** Answers that a table does not foresee. */
const unforeseen = (table: Record<OperatorCapability, readonly OperatorRole[]>) =>
  answers
    .filter(({ role, rule, code }) => (code !== 'operator/role-required') !== table[rule.may].includes(role))
    .map(({ role, name, code }) => `${role} ${name}: ${code}`);

describe('every operator operation', () => {
  it('was called as each role', () => {
    expect(answers.length).toBe(entries.length * operatorRoles.length);
    expect(entries.length).toBeGreaterThan(20);
  });

  it('is open to exactly the roles of its row in the table', () => {
    expect(unforeseen(operatorRoleTable)).toEqual([]);
  });

  it('that is a decision names its case, and is refused without the claim', () => {
    const decisions = answers.filter(({ rule }) => rule.needs === 'claim');
    expect(decisions.filter(({ rule }) => rule.case === undefined)).toEqual([]);
    const inRole = decisions.filter(({ code }) => code !== 'operator/role-required');
    expect([...new Set(inRole.map(({ code }) => code))]).toEqual(['case/claim-required']);
  });

  const used = new Set(entries.map(({ rule }) => rule.may));
  const rows = operatorCapabilities.filter((capability) => used.has(capability));
  it.each(rows.flatMap((row) => operatorRoles.map((role) => [row, role] as const)))(
    'would show a wrong entry for %s and %s',
    (capability, role) => {
      const row: readonly OperatorRole[] = operatorRoleTable[capability];
      const wrong = row.includes(role) ? row.filter((one) => one !== role) : [...row, role];
      expect(unforeseen({ ...operatorRoleTable, [capability]: wrong })).not.toEqual([]);
    },
  );
});
