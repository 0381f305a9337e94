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
import { asContracted } from './operations/operations.ts';
import type { Actor, CallContext, Scope } from './scope.ts';

type Operation<I extends AnySchema, O extends AnySchema> = ContractProcedure<I, O, ErrorMap, OperationMeta>;

// `access.ts` has already checked from the contract whether there is an actor; the service's type says which of the two scopes it needs.
type AnyScope = Scope<Actor> | Scope<Actor | null>;

type Read<I extends AnySchema, O extends AnySchema, S, Database> = (
  db: Database,
  scope: S,
  input: InferSchemaOutput<I>,
) => Promise<InferSchemaInput<O>>;

/**
 * Binds a GET to a service that reads. `recent`: the answer may be a second old for everyone but who wrote it, so a replica may give it (ADR 260);
 * not for what signals refetch.
 */
export function read<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: Read<I, O, S, ReadDb>,
  options: { recent: true },
): ReturnType<typeof handle<I, O>>;
export function read<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: Read<I, O, S, Db>,
): ReturnType<typeof handle<I, O>>;
export function read<I extends AnySchema, O extends AnySchema, S extends AnyScope>(
  operation: Operation<I, O>,
  service: Read<I, O, S, Db>,
  { recent = false } = {},
) {
  return handle(operation, async (context, input) =>
    asContracted(
      operation,
      await service((recent ? context.recentDb() : context.db) as Db, context.scope as S, input),
    ),
  );
}

type WriteOptions<I extends AnySchema, S, Before> = {
  /**
   * For a frequent write: its first reads and locks, which take one round trip with the claim of the key (ADR 116). It writes nothing, and may run
   * for a call whose stored response is then replayed.
   */
  first?: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<Before>;
  /**
   * Slow work before the transaction, such as checking a password (ADR 31). It holds no connection; `db` is for a short advisory read. It may run for
   * a call whose transaction never happens, so it leaves nothing behind that counts.
   */
  prepare?: (scope: S, input: InferSchemaOutput<I>, db: Db) => Promise<Before>;
  /** Gets what was prepared when the transaction certainly did not use it: the call was refused or replayed. */
  abandon?: (scope: S, prepared: Before) => Promise<void>;
  /**
   * `false` for a response with a one-time secret or an input with a password: neither is stored, and a repeat runs again, which the service must
   * allow (ADR 37). A POST still needs its key, for uniformity.
   */
  stored?: false;
};

/**
 * Binds a write to a service: one transaction, which also stores the response under the caller's Idempotency-Key (`idempotency.ts`, ADR 5). The
 * service gets what `first` or `prepare` found.
 */
export function write<I extends AnySchema, O extends AnySchema, S extends AnyScope, Before = undefined>(
  operation: Operation<I, O>,
  service: (tx: Tx, scope: S, input: InferSchemaOutput<I>, before: Before) => Promise<InferSchemaInput<O>>,
  options: WriteOptions<I, S, Before> = {},
) {
  const { method, path } = operation['~orpc'].route;
  const name = `${method} ${path}`;
  const { first, prepare, abandon, stored = true } = options;
  return handle(operation, async (context, input) => {
    const scope = context.scope as S;
    // In the transaction: what breaks the contract is undone, and nothing else is stored with the key.
    const run = async (tx: Tx, before: Before) =>
      asContracted(operation, await service(tx, scope, input, before));
    if (!stored) {
      if (context.idempotencyKey === null) throw new AppError('idempotency/key-required');
      const before = (await prepare?.(scope, input, context.db)) as Before;
      return context.db.transaction().execute((tx) => run(tx, before));
    }
    const unused: Before[] = [];
    try {
      return await runIdempotent(
        context,
        name,
        input,
        async (tx, before: Before) => {
          const result = await run(tx, before);
          // From here on it may be in use: if the response to a commit is lost, its outcome is unknown.
          unused.pop();
          return result;
        },
        {
          first: first && ((tx) => first(tx, scope, input)),
          prepare:
            prepare &&
            (async () => {
              const before = await prepare(scope, input, context.db);
              unused.push(before);
              return before;
            }),
        },
      );
    } finally {
      for (const prepared of unused) await abandon?.(scope, prepared);
    }
  });
}

const handle = <I extends AnySchema, O extends AnySchema>(
  operation: Operation<I, O>,
  run: (context: CallContext, input: InferSchemaOutput<I>) => Promise<InferSchemaInput<O>>,
) =>
  implement(operation)
    .$context<CallContext>()
    .handler(({ context, input }) => run(context, input as InferSchemaOutput<I>));
