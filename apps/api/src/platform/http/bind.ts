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
import type { Db, ReadDb, Tx } from '../db.ts';
import { runIdempotent } from './idempotency.ts';
import type { Actor, CallContext, Scope } from './scope.ts';

type Operation<I extends AnySchema, O extends AnySchema> = ContractProcedure<I, O, ErrorMap, OperationMeta>;

// `access.ts` has already checked from the contract whether there is an actor; the service's type says which of the two scopes it needs.
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

/** The same where the answer may be a second old for everyone but who wrote it: a replica may give it (ADR 260). Not for what signals refetch. */
export function readRecent<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: (db: ReadDb, scope: S, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) {
  return implement(operation)
    .$context<CallContext>()
    .handler(({ context, input }) =>
      service(context.recentDb(), context.scope as S, input as InferSchemaOutput<I>),
    );
}

/** Binds a write to a service: one transaction, which also stores the response under the caller's Idempotency-Key (`idempotency.ts`, ADR 5). */
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
 * The same for a frequent write: `first` has its first reads and locks, which take one round trip with the claim of the key (ADR 116). It writes
 * nothing, and it may run for a call whose stored response is then replayed.
 */
export function writeAfter<I extends AnySchema, O extends AnySchema, S extends AnyScope, Read>(
  operation: Operation<I, O>,
  first: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<Read>,
  service: (tx: Tx, scope: S, input: InferSchemaOutput<I>, read: Read) => Promise<InferSchemaInput<O>>,
) {
  return bindWrite(operation, (context, name, input) => {
    const scope = context.scope as S;
    const given = input as InferSchemaOutput<I>;
    return runIdempotent(context, name, input, (tx, read: Read) => service(tx, scope, given, read), {
      first: (tx) => first(tx, scope, given),
    });
  });
}

/**
 * The same for a write with slow work: `prepare` runs before the transaction opens, and its result is passed to the service. It holds no
 * connection; `db` is for a short advisory read. It may run for a call whose transaction never happens, so it must leave nothing behind
 * that counts (ADR 31).
 * @param abandon receives what was prepared when the transaction certainly did not use it: the call was refused or replayed
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
          // From here on it may be in use: a commit whose answer was lost is unknown.
          unused.pop();
          return result;
        },
        {
          prepare: async () => {
            const prepared = await prepare(scope, given, context.db);
            unused.push(prepared);
            return prepared;
          },
        },
      );
    } finally {
      for (const prepared of unused) await abandon?.(scope, prepared);
    }
  });
}

/**
 * For a write whose response contains a one-time secret: one transaction, and the response is not stored. A repeat runs again, which the
 * service must allow (ADR 37). A POST still needs its key, for uniformity.
 */
export function writeUnkept<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) {
  return writePreparedUnkept(operation, async () => undefined, service);
}

/**
 * The same with slow work before the transaction, such as checking a password. Neither the input nor the response is stored, so a password leaves no trace; a
 * repeat runs again, which the service must allow.
 */
export function writePreparedUnkept<I extends AnySchema, O extends AnySchema, S extends AnyScope, Prepared>(
  operation: Operation<I, O>,
  prepare: (scope: S, input: InferSchemaOutput<I>, db: Db) => Promise<Prepared>,
  service: (
    tx: Tx,
    scope: S,
    input: InferSchemaOutput<I>,
    prepared: Prepared,
  ) => Promise<InferSchemaInput<O>>,
) {
  return bindWrite(operation, async (context, _name, input) => {
    if (context.idempotencyKey === null) throw new AppError('idempotency/key-required');
    const [scope, given] = [context.scope as S, input as InferSchemaOutput<I>];
    const prepared = await prepare(scope, given, context.db);
    return context.db.transaction().execute((tx) => service(tx, scope, given, prepared));
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
