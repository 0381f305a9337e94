import { auditLedger } from '@nearhand/api/src/money/ledger/ledger.ts';
import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import type { Work } from './prepared-work.ts';
import type { Stream } from './release-stream.ts';
import type { Services } from './services.ts';

export type Faults = Map<string, { times: number; first: string }>;

export const newFaults = (): Faults => new Map();

export function addFault(faults: Faults, kind: string, detail: string): void {
  const count = faults.get(kind);
  if (count) count.times += 1;
  else faults.set(kind, { times: 1, first: detail });
}

export const signalFaults = (faults: Faults): string[] =>
  [...faults].map(([kind, { times, first }]) => `  ${times} x ${kind}; the first: ${first}`);

type Facts = {
  id: string;
  status: string;
  version: number;
  amount: number;
  hold_status: string;
  releases: number;
  released: number;
  entries: number;
  hold_left: number;
  hold_paid: number;
};

/** All work is complete and paid once as claimed, acknowledged calls included, and the books balance. */
export async function releaseFaults(
  services: Services,
  works: readonly Work[],
  stream: Stream,
): Promise<Faults> {
  const { db, pool } = services;
  const faults = newFaults();
  for (const refusal of stream.refusals) addFault(faults, 'call refused', refusal);
  for (const lost of stream.lost) addFault(faults, 'acknowledged and lost', lost);
  for (const unlike of stream.unlike) addFault(faults, 'answer unlike the first', unlike);
  const { rows } = await pool.query<Facts>(
    `select engagement.id, engagement.status, engagement.version, engagement.amount_minor as amount, hold.status as hold_status,
       count(release.id)::int as releases, count(*) filter (where release.state = 'released' and release.amount_minor = engagement.amount_minor)::int as released,
       (select count(*)::int from ledger_entries entry where entry.kind = 'release' and entry.about in
         (select id from releases where engagement_id = engagement.id)) as entries,
       (select coalesce(sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR') as hold_left,
       (select coalesce(-sum(posting.amount), 0)::bigint from ledger_postings posting join ledger_entries entry on entry.id = posting.entry_id
         where posting.account_id = 'hold:' || hold.id || ':EUR' and entry.kind = 'release') as hold_paid
     from engagements engagement join holds hold on hold.engagement_id = engagement.id left join releases release on release.engagement_id = engagement.id
     where engagement.id = any($1) group by engagement.id, hold.id`,
    [works.map(({ engagementId }) => engagementId)],
  );
  const factsOf = new Map(rows.map((row) => [row.id, row]));
  for (const work of works) {
    const facts = factsOf.get(work.engagementId);
    const answer = stream.answers.get(work.engagementId);
    if (!answer) addFault(faults, 'never answered', work.engagementId);
    if (!facts) {
      addFault(faults, 'engagement gone', work.engagementId);
      continue;
    }
    const notified = answer ? (JSON.parse(answer.body) as { status: string; version: number }) : null;
    if (notified && (notified.status !== facts.status || notified.version !== facts.version))
      addFault(
        faults,
        'acknowledged and not so',
        `${work.engagementId} told ${notified.status} v${notified.version}, is ${facts.status} v${facts.version}`,
      );
    const must: [string, unknown, unknown][] = [
      ['state of the engagement', facts.status, 'completed'],
      ['pay agreed', facts.amount, work.payMinor],
      ['releases', facts.releases, 1],
      ['paid releases', facts.released, 1],
      ['release entries', facts.entries, 1],
      ['state of the hold', facts.hold_status, 'released'],
      ['left in the hold', facts.hold_left, 0],
      ['paid out of the hold', facts.hold_paid, work.payMinor + work.feeMinor],
    ];
    for (const [label, is, right] of must)
      if (is !== right) addFault(faults, label, `${work.engagementId}: ${is}, not ${right}`);
  }
  await workerFaults(services, works, faults);
  await documentFaults(services, faults);
  const { rows: sums } = await pool.query<{ sum: number }>(
    'select coalesce(sum(amount), 0)::bigint as sum from ledger_postings',
  );
  if (sums[0]?.sum !== 0) addFault(faults, 'sum of the ledger', String(sums[0]?.sum));
  for (const finding of await compareBooks(db, services)) addFault(faults, 'books', finding);
  return faults;
}

async function workerFaults({ pool }: Services, works: readonly Work[], faults: Faults): Promise<void> {
  const gets = new Map<string, number>();
  for (const { workerId, getsMinor } of works) gets.set(workerId, (gets.get(workerId) ?? 0) + getsMinor);
  const { rows } = await pool.query<{ worker: string; has: number }>(
    `select split_part(id, ':', 2) as worker, sum(balance)::bigint as has from ledger_accounts where id ^@ 'worker_' group by 1`,
  );
  const balances = new Map(rows.map((row) => [row.worker, row.has]));
  for (const [worker, right] of gets)
    if (balances.get(worker) !== right)
      addFault(faults, 'balance of a worker', `${worker}: ${balances.get(worker)}, not ${right}`);
}

/** Documents that exist are numbered from 1, one per release. */
async function documentFaults({ pool }: Services, faults: Faults): Promise<void> {
  const { rows } = await pool.query<{ documents: number; last: number; unfounded: number }>(
    `select count(*)::int as documents, coalesce(max(number), 0) as last,
       count(*) filter (where not exists (select from ledger_entries entry where entry.id = invoice.entry_id))::int as unfounded
     from pay_receipts invoice group by business_id`,
  );
  for (const { documents, last, unfounded } of rows) {
    if (documents !== last) addFault(faults, 'numbers of documents', `${documents}, and the last is ${last}`);
    if (unfounded > 0) addFault(faults, 'documents of nothing', String(unfounded));
  }
}

export async function audited({ db, clock, sign }: Services): Promise<{ entries: number; findings: number }> {
  const { entries, findings } = await auditLedger(db, { clock, sign });
  return { entries, findings: findings.length };
}
