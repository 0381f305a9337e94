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
import { committingRefusals, runIdempotent } from './idempotency.ts';
import { asContracted } from './operations/operations.ts';
import type { Actor, CallContext, Scope } from './scope.ts';

type Operation<I extends AnySchema, O extends AnySchema> = ContractProcedure<I, O, ErrorMap, OperationMeta>;

// `access.ts` has checked whether there is an actor; the service's type declares the scope it needs.
type AnyScope = Scope<Actor> | Scope<Actor | null>;

type Read<I extends AnySchema, O extends AnySchema, S, Database> = (
  db: Database,
  scope: S,
  input: InferSchemaOutput<I>,
) => Promise<InferSchemaInput<O>>;

/**
 * Binds a read. If `recent`, a replica may answer up to a second stale (ADR 260); not for reads refetched on
 * signals.
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
  /** Reads and locks, sent with the idempotency claim (ADR 116). Must not write; may run for a replay. */
  first?: (tx: Tx, scope: S, input: InferSchemaOutput<I>) => Promise<Before>;
  /** Slow work that holds no connection (ADR 31). The transaction may never run: leave nothing behind. */
  prepare?: (scope: S, input: InferSchemaOutput<I>, db: Db) => Promise<Before>;
  /** Cleans up after `prepare` when the call was refused or replayed. */
  abandon?: (scope: S, prepared: Before) => Promise<void>;
  /** `false` for a one-time secret or password: a repeat then runs again (ADR 37). */
  stored?: false;
};

/** Binds a write to one transaction, which also stores the response (`idempotency.ts`, ADR 5). */
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
    const record = await context.scope.watchDecision?.(context.db, context.scope as Scope);
    // Runs in the transaction, so that a contract violation is rolled back.
    const run = async (tx: Tx, before: Before) => {
      const result = asContracted(operation, await service(tx, scope, input, before));
      await record?.(tx);
      return result;
    };
    if (!stored) {
      if (context.idempotencyKey === null) throw new AppError('idempotency/key-required');
      const before = (await prepare?.(scope, input, context.db)) as Before;
      return committingRefusals(context.db, async (tx) => ({ result: await run(tx, before) }));
    }
    const unused = new Set<Before>();
    try {
      return await runIdempotent(
        context,
        name,
        input,
        async (tx, before: Before) => {
          const result = await run(tx, before);
          // If the response to a commit is lost, its outcome is unknown, so the upload may be in use.
          unused.delete(before);
          return result;
        },
        {
          first: first && ((tx) => first(tx, scope, input)),
          prepare:
            prepare &&
            (async () => {
              const before = await prepare(scope, input, context.db);
              unused.add(before);
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
