import type { OperationMeta } from '@nearhand/contract/operation';
import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
} from '@orpc/contract';
import { implement } from '@orpc/server';
import type { Db, Tx } from '../db.ts';
import { runIdempotent } from './idempotency.ts';
import type { Actor, CallContext, Scope } from './scope.ts';

type Operation<I extends AnySchema, O extends AnySchema> = ContractProcedure<I, O, ErrorMap, OperationMeta>;

// Whether an actor is there was settled before the input was even read (`access.ts`), from the same contract that the service was written for;
// the service states which of the two scopes it needs.
type AnyScope = Scope<Actor> | Scope<Actor | null>;

/** Binds a GET to a service that reads. */
export function read<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: (db: Db, scope: S, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) {
  return implement(operation)
    .$context<CallContext>()
    .handler(({ context, input }) => service(context.db, context.scope as S, input as InferSchemaOutput<I>));
}

/**
 * Binds a write to a service that changes something: one transaction, with the answer kept under the caller's Idempotency-Key in that same
 * transaction (`idempotency.ts`, ADR 0005).
 */
export function write<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) {
  const { method, path } = operation['~orpc'].route;
  const name = `${method} ${path}`;
  return implement(operation)
    .$context<CallContext>()
    .handler(({ context, input }) =>
      runIdempotent(context, name, input, (tx) =>
        service(tx, context.scope as S, input as InferSchemaOutput<I>),
      ),
    );
}
