import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import { withoutTimeLimits } from '../../platform/db.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { auditLedger, foldBalances, sealLedger } from './ledger.ts';

/** Limits the logged findings: with a wrong secret every entry differs. */
const maxLogged = 100;

/** Folds, audits and seals once a day (ADR 64). Findings are logged as errors; nothing is fixed automatically. */
const auditTask = defineTask({
  name: 'ledger.audit',
  payload: z.object({}),
  daily: true,
  run: (scope) => withoutTimeLimits(scope.db, (db) => auditAndSeal({ ...scope, db })),
});

async function auditAndSeal(scope: TaskScope): Promise<void> {
  await foldBalances(scope.db);
  const { entries, findings } = await auditLedger(scope.db, scope);
  for (const finding of findings.slice(0, maxLogged))
    scope.log.error(finding, `ledger: ${finding.kind} ${finding.id}`);
  if (findings.length > maxLogged)
    scope.log.error({ findings: findings.length }, 'ledger: more findings than are listed');
  await recordAudit(scope.db, {
    name: 'ledger',
    at: scope.clock.now(),
    checked: entries,
    findings: findings.length,
    first: findings.map(({ kind, id }) => `${kind} ${id}`),
  });
  if (findings.some(({ kind }) => kind.startsWith('seal_'))) return;
  const sealed = await sealLedger(scope.db, scope);
  // The log is stored outside the database, so a logged seal cannot be removed unnoticed.
  scope.log.info({ entries, findings: findings.length, seal: sealed }, 'ledger audited');
}

export const ledgerTasks = [auditTask];
