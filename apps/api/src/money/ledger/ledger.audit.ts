import type { Db, Tx } from '../../platform/db.ts';
import type { Sign } from '../../platform/sign.ts';
import { entryText, type LedgerAccount, mayOverdraw, sealHeadText, sealText } from './ledger.rules.ts';
import {
  type BalanceRow,
  type EntryRow,
  findLastSeal,
  findSeal,
  findSealHead,
  insertSeal,
  listBrokenLinks,
  listEntries,
  listSealable,
  listSeals,
  listUnlikeSeals,
  listWrongBalances,
  lockSeals,
  type SealHead,
} from './ledger-audit.sql.ts';

/** What is wrong, with which entry, account or seal. */
export type Finding = { kind: string; id: string; detail: string };

const batch = 2_000;
const before = '00000000-0000-0000-0000-000000000000';

export type Audit = { entries: number; findings: Finding[] };

/** Recomputes everything from one snapshot. */
export const audit = (db: Db, sign: Sign): Promise<Audit> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => recompute(tx, sign));

/** The same in an open transaction. */
export async function recompute(tx: Tx, sign: Sign): Promise<Audit> {
  const findings: Finding[] = [];
  let entries = 0;
  for (let after = before; ; ) {
    const rows = await listEntries(tx, after, batch);
    for (const row of rows) findings.push(...entryFindings(row, sign));
    entries += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < batch) break;
  }
  for (const { kind, id } of await listBrokenLinks(tx)) findings.push({ kind, id, detail: '' });
  for (const row of await listWrongBalances(tx)) findings.push(...balanceFindings(row));
  findings.push(...(await sealFindings(tx, sign)));
  for (const { kind, id, no } of await listUnlikeSeals(tx))
    findings.push({ kind, id, detail: no === null ? '' : `seal ${no}` });
  return { entries, findings };
}

function balanceFindings({ accountId: id, posted, kept, rowBalance }: BalanceRow): Finding[] {
  const detail = `postings sum to ${posted}, stored is ${kept}, of which ${rowBalance} in its row`;
  const kind = id.split(':')[0] as LedgerAccount['kind'];
  const below = (Number(kept) < 0 || Number(rowBalance) < 0) && !mayOverdraw(kind);
  return [
    ...(posted === kept ? [] : [{ kind: 'balance_differs', id, detail }]),
    ...(below ? [{ kind: 'overdrawn', id, detail }] : []),
  ];
}

function entryFindings(row: EntryRow, sign: Sign): Finding[] {
  const found = (kind: string, detail = '') => [{ kind, id: row.id, detail }];
  if (row.lineNos.length < 2 || row.lineNos.some((no, index) => no !== index + 1))
    return found('lines_missing', `lines ${row.lineNos.join(', ')}`);
  const sum = row.amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const own = row.accountIds.every((id) => id.endsWith(`:${row.currency}`));
  const lines = row.accountIds.map((accountId, index) => ({
    accountId,
    amountMinor: Number(row.amounts[index]),
  }));
  const digest = sign.lasting('ledger entry', entryText({ ...row, lines }));
  return [
    ...(sum === 0n ? [] : found('entry_unbalanced', `sum ${sum}`)),
    ...(own ? [] : found('currency_mixed')),
    ...(row.asPosted ? [] : found('lines_differ', 'its postings differ from the lines it was written with')),
    ...(digest.equals(row.digest) ? [] : found('entry_changed', 'its signature does not match its content')),
  ];
}

async function sealFindings(tx: Tx, sign: Sign): Promise<Finding[]> {
  const seals = await listSeals(tx);
  const head = await findSealHead(tx);
  const findings: Finding[] = [];
  const found = (kind: string, no: number, detail = '') => findings.push({ kind, id: String(no), detail });
  let previous = '';
  let expected = 1;
  for (const seal of seals) {
    for (; expected < seal.no; expected += 1) found('seal_missing', expected);
    expected = seal.no + 1;
    // After a missing seal the chain continues at the one after the next.
    const known = seal.no === 1 || seals.some(({ no }) => no === seal.no - 1);
    const whole = known && (await findSeal(tx, seal.no));
    if (whole && !sign.lasting('ledger seal', sealText({ ...whole, previous })).equals(seal.digest))
      found('seal_changed', seal.no);
    previous = seal.digest.toString('hex');
  }
  if (!head) {
    if (seals.length > 0) found('seal_head_missing', seals.length);
    return findings;
  }
  for (; expected <= head.no; expected += 1) found('seal_missing', expected);
  if (!isHead(head, seals, sign)) found('seal_head_changed', head.no);
  return findings;
}

function isHead(head: { no: number; digest: Buffer }, seals: readonly SealHead[], sign: Sign): boolean {
  const last = seals.find(({ no }) => no === head.no);
  // Without that seal the head cannot be checked; the missing seal is reported on its own.
  if (!last) return head.no >= (seals.at(-1)?.no ?? 0);
  const whole = seals.at(-1)?.no === head.no;
  return (
    whole &&
    sign.lasting('ledger seal head', sealHeadText(head.no, last.digest.toString('hex'))).equals(head.digest)
  );
}

/** Seals all entries of finished transactions. Nothing is sealed after a chain whose end is not the signed one: that would hide what is missing. */
export async function seal(
  db: Db,
  { sign, at }: { sign: Sign; at: Date },
): Promise<{ no: number; digest: string; entries: number } | null> {
  return db.transaction().execute(async (tx) => {
    await lockSeals(tx);
    const last = await findLastSeal(tx);
    const head = await findSealHead(tx);
    if (last ? head?.no !== last.no || !isHead(head, [last], sign) : head !== undefined)
      throw new Error('the seals of the ledger do not end at the signed one');
    const { upto, entries } = await listSealable(tx, last?.upto ?? '0');
    if (entries.length === 0) return null;
    const no = (last?.no ?? 0) + 1;
    const previous = last?.digest.toString('hex') ?? '';
    const digest = sign.lasting('ledger seal', sealText({ no, previous, upto, at, entries }));
    const text = digest.toString('hex');
    await insertSeal(
      tx,
      { no, upto, entries, at, digest },
      sign.lasting('ledger seal head', sealHeadText(no, text)),
    );
    return { no, digest: text, entries: entries.length };
  });
}
