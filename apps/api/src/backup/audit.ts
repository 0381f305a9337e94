import { auditLedger } from '../money/ledger/ledger.service.ts';
import { findCarryingFaults } from '../money/statements/carrying.sql.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, unhurried } from '../platform/db.ts';
import type { Sign } from '../platform/sign.ts';
import { verifyLog } from '../trust/operator-log/operator-log.service.ts';

/** Whether the database has digests that a server made. */
export async function hasDigests(db: Db): Promise<boolean> {
  const entry = await db.selectFrom('ledger_entries').select('id').limit(1).executeTakeFirst();
  const call = await db.selectFrom('operator_log').select('no').limit(1).executeTakeFirst();
  return entry !== undefined || call !== undefined;
}

/** Findings that are printed of each check. */
const printed = 20;

/**
 * The daily checks by hand, without changing anything: the ledger, the statements' lines and the operators' log.
 * @returns whether they found nothing
 */
export async function auditAll(
  db: Db,
  scope: { clock: Clock; sign: Sign },
  say: (line: string) => void,
): Promise<boolean> {
  const { entries, findings } = await unhurried(db, (one) => auditLedger(one, scope));
  const faults = await unhurried(db, (one) => findCarryingFaults(one, printed));
  const log = await unhurried(db, (one) => verifyLog(one, scope));
  const checks: [what: string, found: string[]][] = [
    [`ledger: ${entries} entries`, findings.map(({ kind, id, detail }) => `${kind} ${id} ${detail}`)],
    ['statements', faults.map(({ holder }) => `a line of ${holder} differs from the ledger`)],
    [`operators' log: ${log.rows} rows`, log.findings.map(({ kind, no }) => `${kind} ${no}`)],
  ];
  for (const [what, found] of checks) {
    say(`${what}, ${found.length === 0 ? 'no findings' : `${found.length} FINDINGS`}`);
    for (const line of found.slice(0, printed)) say(`  ${line.trim()}`);
  }
  return checks.every(([, found]) => found.length === 0);
}
