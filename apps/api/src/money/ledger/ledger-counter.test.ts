import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { clearing, line, makeEntry, someAccount } from './ledger.fixtures.ts';
import { sealLedger, warnOfYoungCounter } from './ledger.ts';

const app = useLedger();

const warnings = async () => {
  const said: string[] = [];
  await warnOfYoungCounter(app.db, { warn: (message) => said.push(message) });
  return said;
};
/** Simulates a dump loaded into a new cluster. */
const ahead = '(pg_current_xact_id()::text::bigint + 700)::text::xid8';
const entriesAhead = `alter table ledger_entries disable trigger user; update ledger_entries set xact = ${ahead};
  alter table ledger_entries enable trigger user`;
const sealAhead = `insert into ledger_seals (no, upto, entries, at, digest) values (1000, ${ahead}, '{}', now(), '')`;
const documented = async () => {
  const text = await readFile(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
  const block = /^ {4}do \$\$.*?^ {4}end \$\$;/ms.exec(text)?.[0];
  if (!block) throw new Error('docs/operations.md has no block that moves the counter on');
  return block;
};

beforeEach(async () => {
  await makeEntry(app.db, app.scope, [line(clearing, -5), line(someAccount('business_balance'), 5)]);
});

describe('the transaction counter', () => {
  it('passes when the ledger was written in this cluster', async () => {
    await sealLedger(app.db, app.scope);
    expect(await warnings()).toEqual([]);
  });

  it.each([
    ['entries', entriesAhead],
    ['seals', sealAhead],
  ])('warns while it is behind the %s, until it is advanced as documented', async (_what, restore) => {
    await app.pool.query(restore);
    expect(await warnings()).toEqual([expect.stringContaining('docs/operations.md')]);
    await app.pool.query(await documented());
    expect(await warnings()).toEqual([]);
  });
});
