import { textsFor } from '@nearhand/contract/hiring/jobs.rules';
import type { ScreeningFinding } from '@nearhand/contract/hiring/screening.rules';
import type { ReadDb, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { hiringHooks } from '../hooks.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import {
  copyProbes,
  payLimits,
  screenCopy,
  screenPay,
  screenWords,
  unclearedFindings,
} from './screening.rules.ts';
import { findCleared, findLocalPay, findOriginals, findUndecided, saveScreening } from './screening.sql.ts';

/**
 * Screens a job before it is shown (ADR 178).
 * @returns findings that send it to review
 */
export async function screenJob(tx: Tx, scope: ClockConfigScope, row: JobRow): Promise<ScreeningFinding[]> {
  if (!scope.config.JOB_SCREENING || (await hiringHooks.needs.isCleanBusiness(tx, scope, row.businessId)))
    return [];
  const local = row.payHourMinor === null ? null : await findLocalPay(tx, row, payLimits.withinM);
  const originals = await findOriginals(tx, row.businessId, copyProbes(row.description));
  const publicTexts = textsFor('everyone').flatMap((name) => row[name] ?? []);
  const findings = [
    ...screenWords({ ...row, requirements: [...row.requirements, ...publicTexts] }),
    ...screenPay(row.payHourMinor, local),
    ...screenCopy(row.description, originals),
  ];
  if (findings.length === 0) return [];
  const openFindings = unclearedFindings(findings, await findCleared(tx, row.id));
  if (openFindings.length > 0) {
    const at = scope.clock.now();
    await saveScreening(tx, { id: newId(at), jobId: row.id, found: openFindings, at });
  }
  return openFindings;
}

/** Returns the findings about a job in review, or null. */
export async function openScreening(
  db: ReadDb,
  jobId: string,
): Promise<{ found: ScreeningFinding[]; at: Date } | null> {
  return (await findUndecided(db, jobId)) ?? null;
}
