import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import { addFault, type Faults } from './release-faults.ts';
import type { Services } from './services.ts';

type Ended = {
  id: string;
  status: string;
  agreed: number;
  compensation: number;
  hold: string;
  left: number;
  put_in: number;
  taken_out: number;
  paid: number;
  paid_kinds: string[];
  cost: number;
  gets: number;
  ends: number;
  hold_ends: number;
  loose: string[];
  hold_loose: string[];
};

/** Moves whose states do not chain, as when one state overwrites another. */
const looseEnds = (table: string, owner: string, first: string, last: string): string => `array(
  select state || ' ' || sum(way) from (
    select to_status as state, 1 as way from ${table} where ${owner}
    union all select from_status, -1 from ${table} where ${owner} and from_status is not null
    union all select ${first}, 1 union all select ${last}, -1) as ways
  where state is not null group by state having sum(way) <> 0)`;

const ended = `
  select engagement.id, engagement.status, engagement.amount_minor as agreed, coalesce(engagement.compensation_minor, 0) as compensation,
    hold.status as hold,
    (select coalesce(sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR') as left,
    (select coalesce(sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR' and amount > 0) as put_in,
    (select coalesce(-sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR' and amount < 0) as taken_out,
    (select coalesce(sum(amount_minor), 0)::bigint from releases where engagement_id = engagement.id and state = 'released') as paid,
    array(select distinct kind from releases where engagement_id = engagement.id) as paid_kinds,
    (select coalesce(-sum(posting.amount), 0)::bigint from ledger_postings posting join ledger_entries entry on entry.id = posting.entry_id
      where posting.account_id = 'hold:' || hold.id || ':EUR' and entry.kind in ('release', 'compensation')) as cost,
    (select coalesce(sum(amount_minor + fee_minor), 0)::bigint from releases where engagement_id = engagement.id) as gets,
    (select count(*)::int from engagement_moves where engagement_id = engagement.id
      and to_status in ('completed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported')) as ends,
    (select count(*)::int from hold_moves where hold_id = hold.id and to_status in ('released', 'refunded', 'split')) as hold_ends,
    ${looseEnds('engagement_moves', 'engagement_id = engagement.id', 'given.first', 'engagement.status')} as loose,
    ${looseEnds('hold_moves', 'hold_id = hold.id', 'given.hold_first', 'hold.status')} as hold_loose
  from unnest($1::uuid[], $2::text[], $3::text[]) as given (id, first, hold_first)
  join engagements engagement on engagement.id = given.id join holds hold on hold.engagement_id = engagement.id`;

/** The first states of the logs; null where the log has its own start. */
export type Begun = { engagementId: string; first: string | null; holdFirst: string | null };

/**
 * Each engagement and its hold must have one end with chained moves, and the matching payments; the books
 * balance.
 */
export async function endStateFaults(
  services: Services,
  begun: readonly Begun[],
  faults: Faults,
): Promise<Map<string, number>> {
  const { rows } = await services.pool.query<Ended>(ended, [
    begun.map(({ engagementId }) => engagementId),
    begun.map(({ first }) => first),
    begun.map(({ holdFirst }) => holdFirst),
  ]);
  const ends = new Map<string, number>();
  if (rows.length !== begun.length) addFault(faults, 'engagements', `${rows.length}, not ${begun.length}`);
  for (const row of rows) {
    const end = `${row.status}, hold ${row.hold}`;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const owed =
      row.status === 'completed' ? row.agreed : row.status === 'cancelled_by_merchant' ? row.compensation : 0;
    const kinds = row.paid_kinds.some((kind) => (kind === 'compensation') !== (row.status !== 'completed'));
    const must: [string, unknown, unknown][] = [
      ['end states', row.ends, 1],
      ['end states of the hold', row.hold_ends, 1],
      ['paid', row.paid, owed],
      ['pay of another end', kinds, false],
      ['left in the hold', row.left, 0],
      ['in the hold and out of it', row.taken_out, row.put_in],
      ['out of the hold for pay', row.cost, row.gets],
      ['moves that do not follow', row.loose.join('; '), ''],
      ['moves of the hold that do not follow', row.hold_loose.join('; '), ''],
      ['end of the hold', row.hold, holdEnd(row)],
    ];
    for (const [label, is, right] of must)
      if (is !== right) addFault(faults, label, `${row.id} (${row.status}): ${is}, not ${right}`);
  }
  const { rows: sums } = await services.pool.query<{ sum: number }>(
    'select coalesce(sum(amount), 0)::bigint as sum from ledger_postings',
  );
  if (sums[0]?.sum !== 0) addFault(faults, 'sum of the ledger', String(sums[0]?.sum));
  for (const finding of await compareBooks(services.db, services)) addFault(faults, 'books', finding);
  return ends;
}

const holdEnd = ({ paid, hold }: Ended): string => {
  if (paid === 0) return 'refunded';
  return hold === 'split' ? 'split' : 'released';
};
