import { contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import { operatorHeaders } from '@nearhand/contract/operator-context';
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import type { Pool } from 'pg';
import { commonOf } from '../src/platform/api-document/operation-errors.ts';

export type ContractOperation = {
  name: string;
  operation: AnyContractProcedure;
  meta: OperationMeta;
  path: string;
  method: string;
};

export const contractOperations: ContractOperation[] = Object.entries(contract).flatMap(
  ([slice, operations]) =>
    Object.entries(operations as Record<string, unknown>).flatMap(([verb, operation]) => {
      if (!isContractProcedure(operation)) return [];
      const { route, meta } = operation['~orpc'];
      return [
        {
          name: `${slice}.${verb}`,
          operation,
          meta: meta as OperationMeta,
          path: route.path ?? '',
          method: route.method ?? '',
        },
      ];
    }),
);

/** Paths without parameters first: `/jobs/search` is also a `/jobs/{id}`. */
const declaredErrors = contractOperations
  .map(({ name, method, path, meta }) => ({
    name,
    method,
    parameters: path.split('{').length,
    path: new RegExp(
      `^/api${path.replace(/\{(\w+)\}/g, (_, name) => (name.endsWith('Id') ? '[\\da-f-]{36}' : '[^/]+'))}$`,
    ),
    codes: new Set<string>([
      ...meta.errors,
      ...commonOf(meta.access, method, meta.whileLeaving === true).codes,
    ]),
  }))
  .sort((a, b) => a.parameters - b.parameters);

/** Returns `operation: code` if an operation failed with an undeclared code. */
export function undeclaredError(method: string, url: string, body: string): string | null {
  const [path = ''] = url.split('?');
  const operation = declaredErrors.find((declared) => declared.method === method && declared.path.test(path));
  if (!operation) return null;
  const { code } = JSON.parse(body) as { code: string };
  return operation.codes.has(code) ? null : `${operation.name}: ${code}`;
}

type Decision = { method: string; kind: string; path: RegExp };

const decisions: Decision[] = contractOperations.flatMap(({ method, path, meta }) => {
  const rule = meta.access === 'operator' ? meta.operator : null;
  if (rule?.needs !== 'claim' || rule.case === undefined || rule.case === 'input') return [];
  const { kind, id } = rule.case;
  const shape = path.replace(`{${id}}`, '([0-9a-f-]{36})').replace(/\{\w+\}/g, '[^/]+');
  return [{ method, kind, path: new RegExp(`^/api${shape}$`) }];
});

/** A reason that lets an operator see any record. */
export const workingHeaders = operatorHeaders({ reason: 'A test looks at this record' });

/** Assigns the case of a call to the operator, even if another one has it. */
export async function claimFor(pool: Pool, accountId: string, method: string, path: string): Promise<void> {
  for (const decision of decisions) {
    const subjectId = decision.method === method ? decision.path.exec(path)?.[1] : undefined;
    if (subjectId)
      await pool.query(
        `insert into case_work (kind, subject_id, claimed_by, claimed_at) values ($1, $2, $3, now())
         on conflict (kind, subject_id) do update set claimed_by = excluded.claimed_by, claimed_at = now()`,
        [decision.kind, subjectId, accountId],
      );
  }
}
