import { contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';

/** A contract operation as sweeps see it; `path` has its parameters in braces. */
export type ContractOperation = {
  name: string;
  operation: AnyContractProcedure;
  meta: OperationMeta;
  path: string;
  method: string;
};

/** Every operation of the contract. */
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
