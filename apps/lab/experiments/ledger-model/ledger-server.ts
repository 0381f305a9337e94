import { accountId, readAccountId } from '@nearhand/api/src/money/ledger/ledger.rules.ts';
import {
  LedgerRefusedError,
  type LedgerScope,
  LedgerShortError,
  type NewEntry,
  postEntry,
  reverseEntry,
} from '@nearhand/api/src/money/ledger/ledger.ts';
import type { Database } from '@nearhand/api/src/platform/db.ts';
import { newId } from '@nearhand/api/src/platform/ids.ts';
import pg from 'pg';
import type { Answer, ModelEntry } from './ledger.model.ts';
import { DivergenceError } from './ledger-divergence.ts';
import { inOrder } from './random-entries.ts';

/** Drives the ledger by its service, and by SQL that bypasses the service's checks. */
export class LedgerServer {
  readonly ids = new Map<string, string>();
  private readonly database: Database;
  private readonly scope: LedgerScope;

  constructor(database: Database, scope: LedgerScope) {
    this.database = database;
    this.scope = scope;
  }

  post(entry: ModelEntry): Promise<Answer> {
    const { scope, ids } = this;
    const work = this.database.db.transaction().execute((tx) =>
      entry.reverses === null
        ? postEntry(tx, scope, toEntry(entry))
        : reverseEntry(tx, scope, {
            key: entry.key,
            entryId: ids.get(entry.reverses) ?? '',
            about: entry.about,
            kind: entry.kind as 'reversal',
          }),
    );
    return this.answerOf(work, entry.key);
  }

  postBySql(client: pg.PoolClient, entry: ModelEntry): Promise<unknown> {
    const now = this.scope.clock.now();
    return client.query('select ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
      newId(now),
      entry.key,
      entry.kind,
      entry.currency,
      entry.about,
      entry.reverses,
      now,
      Buffer.alloc(32),
      inOrder(entry.lines).map((line) => line.account),
      inOrder(entry.lines).map((line) => line.amount),
    ]);
  }

  async tryBySql(statement: (client: pg.PoolClient) => Promise<unknown>): Promise<'done' | 'refused'> {
    const client = await this.database.pool.connect();
    try {
      await client.query('begin');
      await statement(client);
      await client.query('commit');
      return 'done';
    } catch (error) {
      await client.query('rollback');
      if (error instanceof pg.DatabaseError && /^(LG|22|23)/.test(error.code ?? '')) return 'refused';
      throw error;
    } finally {
      client.release();
    }
  }

  async fold(accounts: readonly string[]): Promise<void> {
    await this.database.pool
      .query('delete from ledger_deferred where account_id = any ($1)', [accounts])
      .catch((error) => {
        throw new DivergenceError(`folding fails: ${error}`);
      });
  }

  async balances(accounts: readonly string[]): Promise<{ id: string; balance: number }[]> {
    const { rows } = await this.database.pool.query<{ id: string; balance: number }>({
      name: 'ledger-model-balances',
      text: `select id, (coalesce((select balance from ledger_accounts where id = account.id), 0)
          + coalesce((select sum(amount) from ledger_deferred where account_id = account.id), 0))::bigint as balance
        from unnest($1::text[]) as account (id)`,
      values: [accounts],
    });
    return rows;
  }

  private async answerOf(work: Promise<{ entryId: string; posted: boolean }>, key: string): Promise<Answer> {
    try {
      const { entryId, posted } = await work;
      const id = this.ids.get(key);
      if (!posted && id !== undefined && id !== entryId)
        throw new DivergenceError(`${key} is another entry now`);
      this.ids.set(key, entryId);
      return { is: posted ? 'posted' : 'again' };
    } catch (error) {
      if (error instanceof LedgerShortError)
        return { is: 'short', account: accountId(error.account, error.currency) };
      if (error instanceof LedgerRefusedError) return { is: 'refused' };
      throw error;
    }
  }
}

const toEntry = (entry: ModelEntry): NewEntry =>
  ({
    key: entry.key,
    kind: entry.kind,
    currency: entry.currency,
    about: entry.about,
    lines: entry.lines.map(({ account, amount }) => ({
      account: readAccountId(account).account,
      amountMinor: amount,
    })),
  }) as NewEntry;
