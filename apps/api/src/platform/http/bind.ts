import type { OperationMeta } from '@nearhand/contract/operation';
import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
} from '@orpc/contract';
import { implement } from '@orpc/server';
import { AppError } from '../app-error.ts';
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
  return bindWrite(operation, (context, name, input) =>
    runIdempotent(context, name, input, (tx) =>
      service(tx, context.scope as S, input as InferSchemaOutput<I>),
    ),
  );
}

/**
 * The same for a write with slow work in it: `prepare` does that work before the transaction is opened, and what it returns is handed to the service. It holds
 * no connection while it works; `db` is for a short look beforehand, which decides nothing. It may run for a call whose transaction then does not come about,
 * so it must leave nothing behind that counts (ADR 0031).
 * @param abandon is handed what was prepared for a call whose transaction certainly did not use it: refused, or answered with what was kept
 */
export function writePrepared<I extends AnySchema, O extends AnySchema, S extends AnyScope, Prepared>(
  operation: Operation<I, O>,
  prepare: (scope: S, input: InferSchemaOutput<I>, db: Db) => Promise<Prepared>,
  service: (
    tx: Tx,
    scope: S,
    input: InferSchemaOutput<I>,
    prepared: Prepared,
  ) => Promise<InferSchemaInput<O>>,
  abandon?: (scope: S, prepared: Prepared) => Promise<void>,
) {
  return bindWrite(operation, async (context, name, input) => {
    const scope = context.scope as S;
    const given = input as InferSchemaOutput<I>;
    const unused: Prepared[] = [];
    try {
      return await runIdempotent(
        context,
        name,
        input,
        async (tx, prepared: Prepared) => {
          const result = await service(tx, scope, given, prepared);
          // From here on it may be in use: nobody knows of a commit whose answer was lost.
          unused.pop();
          return result;
        },
        async () => {
          const prepared = await prepare(scope, given, context.db);
          unused.push(prepared);
          return prepared;
        },
      );
    } finally {
      for (const prepared of unused) await abandon?.(scope, prepared);
    }
  });
}

/**
 * For a write whose answer holds a secret that is told once: one transaction, and nothing of the answer is kept. A repeat, with the same key or another,
 * runs again; the service must bear that (ADR 0037). A POST needs its key all the same, so that all are called alike.
 */
export function writeUnkept<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) {
  return bindWrite(operation, (context, _name, input) => {
    if (context.idempotencyKey === null) throw new AppError('idempotency/key-required');
    return context.db
      .transaction()
      .execute((tx) => service(tx, context.scope as S, input as InferSchemaOutput<I>));
  });
}

function bindWrite<I extends AnySchema, O extends AnySchema>(
  operation: Operation<I, O>,
  run: (context: CallContext, name: string, input: unknown) => Promise<InferSchemaInput<O>>,
) {
  const { method, path } = operation['~orpc'].route;
  const name = `${method} ${path}`;
  return implement(operation)
    .$context<CallContext>()
    .handler(({ context, input }) => run(context, name, input));
}
