import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import { addFault, type Faults } from './release-faults.ts';
import type { Services } from './services.ts';

type Facts = {
  id: string;
  status: string;
  account_id: string;
  entries: string[];
  moves: string[];
  worker_has: number;
  paid_minor: number;
  open_again: number;
};

const facts = `
  select withdrawal.id, withdrawal.status, withdrawal.account_id,
    array(select kind from ledger_entries where about = withdrawal.id or reverses in
      (select id from ledger_entries where about = withdrawal.id) order by kind) as entries,
    array(select action from withdrawal_moves where withdrawal_id = withdrawal.id order by action) as moves,
    (select coalesce(sum(balance), 0)::bigint from ledger_accounts where id ^@ 'worker_' and split_part(id, ':', 2) = withdrawal.account_id::text) as worker_has,
    (select coalesce(sum(amount_minor), 0)::bigint from withdrawals other where other.account_id = withdrawal.account_id and other.status = 'paid') as paid_minor,
    (select count(*)::int from withdrawals other where other.account_id = withdrawal.account_id and other.id <> withdrawal.id) as open_again
  from withdrawals withdrawal where withdrawal.id = any($1::uuid[])`;

const ends: Record<string, { entries: string[]; moves: string[] }> = {
  cancelled: { entries: ['reserve', 'unreserve'], moves: ['cancel', 'request'] },
  paid: { entries: ['paid_out', 'reserve'], moves: ['pay', 'request', 'send'] },
  failed: { entries: ['reserve', 'unreserve'], moves: ['fail', 'request', 'send'] },
  returned: {
    entries: ['paid_out', 'payout_returned', 'reserve', 'unreserve'],
    moves: ['pay', 'request', 'return', 'send'],
  },
};

/**
 * Each withdrawal must have one end, with its entries and moves.
 * @returns how many came to which end
 */
export async function cancelledPayoutFaults(
  services: Services,
  { ids, amountMinor }: { ids: readonly string[]; amountMinor: number },
  faults: Faults,
): Promise<Map<string, number>> {
  const { db, pool, provider } = services;
  const counts = new Map<string, number>();
  const { rows } = await pool.query<Facts>(facts, [ids]);
  if (rows.length !== ids.length) addFault(faults, 'withdrawals gone', `${rows.length} of ${ids.length}`);
  for (const row of rows) {
    counts.set(row.status, (counts.get(row.status) ?? 0) + 1);
    const right = ends[row.status];
    if (!right) {
      addFault(faults, 'no end', `${row.id}: ${row.status}`);
      continue;
    }
    // A payout may have ended before the provider's first response is stored.
    const moves = row.moves.filter((move) => move !== 'accept');
    if (moves.join() !== right.moves.join() || row.moves.length > moves.length + 1)
      addFault(faults, 'moves of another end', `${row.id}: ${row.status} by ${row.moves.join(', ')}`);
    if (row.entries.join() !== right.entries.join())
      addFault(faults, 'entries of another end', `${row.id}: ${row.status} with ${row.entries.join(', ')}`);
    if (row.status === 'cancelled' && (await provider.syncPayoutByKey(row.id)))
      addFault(faults, 'cancelled and sent', row.id);
    if (row.worker_has + row.paid_minor !== amountMinor)
      addFault(faults, 'money of a worker', `${row.id}: has ${row.worker_has}, was paid ${row.paid_minor}`);
    if (row.open_again > (row.status === 'paid' ? 0 : 1))
      addFault(faults, 'money requested again', `${row.id}: ${row.status}, ${row.open_again} times`);
  }
  const { rows: sums } = await pool.query<{ sum: number }>(
    'select coalesce(sum(amount), 0)::bigint as sum from ledger_postings',
  );
  if (sums[0]?.sum !== 0) addFault(faults, 'sum of the ledger', String(sums[0]?.sum));
  for (const finding of await compareBooks(db, services)) addFault(faults, 'books', finding);
  return counts;
}
