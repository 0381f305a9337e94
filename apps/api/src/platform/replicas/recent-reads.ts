import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import { SnakeCaseCompiler } from '../database/column-names.ts';
import { type Db, openPool, type ReadDb } from '../db.ts';
import type { Log } from '../log.ts';
import type { DB } from '../tables.gen.ts';
import { askPosition, openReplica, type Replica } from './replica.ts';
import type { WalPosition } from './wal-position.ts';

export type RecentReads = {
  /** Returns a database that may be a second stale but contains every commit before `position`. */
  since(position: WalPosition | null): ReadDb;
  latestCommit(): WalPosition | null;
};

export const primaryOnly = (db: Db): RecentReads => ({ since: () => db, latestCommit: () => null });

export type ReplicaOptions = {
  urls: readonly string[];
  primaryUrl: string;
  max: number;
  lagMs: number;
  log: Log;
  metrics: Registry;
};

/** SQLSTATEs about the statement: bad values, recovery conflicts, wrong SQL, timeouts. */
const aboutStatement = /^(22...|40...|42...|57014)$/;

type Reason = 'own write' | 'behind' | 'failed';

/**
 * Uses fresh replicas in turn, otherwise the primary (ADR 260).
 * @returns `note` takes commit positions
 */
export function openReplicas(db: Db, { urls, primaryUrl, max, lagMs, log, metrics }: ReplicaOptions) {
  const primary = openPool(primaryUrl, 1, (error) => log.debug({ err: error }, 'a connection broke'));
  const primaryPosition = async () => {
    const { position } = await askPosition(primary, 'select pg_current_wal_flush_lsn()::text as position');
    if (position === null) throw new Error('the primary does not say where its log is');
    return position;
  };
  const replicas = urls.map((url) => openReplica(url, max, primaryPosition, log));
  const count = countReads(metrics, replicas);
  let latest: WalPosition | null = null;
  let turn = 0;

  function choose(position: WalPosition | null): Replica | Reason {
    let reason: Reason = 'behind';
    turn += 1;
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(turn + step) % replicas.length];
      if (!replica) continue;
      replica.look();
      if (replica.ageMs() > lagMs) continue;
      if (position === null || replica.hasReplayed(position)) return replica;
      reason = 'own write';
    }
    return reason;
  }

  async function execute(query: CompiledQuery, position: WalPosition | null): Promise<QueryResult<never>> {
    const replica = choose(position);
    if (typeof replica === 'string') {
      count('primary', replica);
      return db.executeQuery(query as CompiledQuery<never>);
    }
    try {
      const result = await replica.reads.db.executeQuery(query as CompiledQuery<never>);
      count('replica', '');
      return result;
    } catch (error) {
      // A wrong statement or a recovery conflict doesn't mean that the replica is broken.
      if (!aboutStatement.test(String((error as { code?: unknown }).code))) replica.failed(error);
      count('primary', 'failed');
      return db.executeQuery(query as CompiledQuery<never>);
    }
  }

  const since = (position: WalPosition | null): ReadDb =>
    routed({ executeQuery: (query) => execute(query, position), streamQuery: noStream });
  const forAnyone = since(null);
  const reads: RecentReads = {
    since: (position) => (position === null ? forAnyone : since(position)),
    latestCommit: () => latest,
  };
  return {
    reads,
    note(position: WalPosition): void {
      if (latest === null || position > latest) latest = position;
    },
    pools: Object.fromEntries(replicas.map(({ reads: { pool } }, at) => [`replica ${at + 1}`, pool])),
    close: () => Promise.all([primary.close(), ...replicas.map((replica) => replica.close())]),
  };
}

export type Replicas = ReturnType<typeof openReplicas>;

function noStream(): never {
  throw new Error('streams read the primary');
}

function routed(connection: DatabaseConnection): ReadDb {
  const refuse = async () => {
    throw new Error('recent reads have no transactions');
  };
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new SnakeCaseCompiler(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  });
}

function countReads(metrics: Registry, replicas: readonly Replica[]) {
  const reads = new Counter({
    name: 'database_recent_reads_total',
    help: 'Statements that a replica may answer, by who answered and why the primary did',
    labelNames: ['by', 'reason'],
    registers: [metrics],
  });
  for (const [by, reason] of [
    ['replica', ''],
    ['primary', 'own write'],
    ['primary', 'behind'],
    ['primary', 'failed'],
  ] as const)
    reads.inc({ by, reason }, 0);
  new Gauge({
    name: 'database_replica_age_seconds',
    help: 'How far each replica is behind the primary at most; absent while it is not usable',
    labelNames: ['replica'],
    registers: [metrics],
    async collect() {
      this.reset();
      await Promise.all(replicas.map((replica) => replica.check()));
      for (const [at, replica] of replicas.entries())
        if (Number.isFinite(replica.ageMs())) this.set({ replica: String(at + 1) }, replica.ageMs() / 1_000);
    },
  });
  return (by: 'replica' | 'primary', reason: Reason | '') => reads.inc({ by, reason });
}
