import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import { unhurried } from '../../platform/db.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { verifyLog } from './operator-log.service.ts';

/** Like the ledger's auditor: with a wrong secret every row differs. */
const maxLogged = 100;

/** Verifies the chain once a day (ADR 177). Findings are logged as errors; nothing is fixed. */
const verifyTask = defineTask({
  name: 'operator-log.verify',
  payload: z.object({}),
  daily: true,
  run: (scope) =>
    unhurried(scope.db, async (db) => {
      const { rows, findings } = await verifyLog(db, scope);
      for (const finding of findings.slice(0, maxLogged))
        scope.log.error(finding, `operators' log: ${finding.kind} ${finding.no}`);
      await recordAudit(db, {
        name: 'operators-log',
        at: scope.clock.now(),
        checked: rows,
        findings: findings.length,
        first: findings.map(({ kind, no }) => `${kind} ${no}`),
      });
      scope.log.info({ rows, findings: findings.length }, 'operators log verified');
    }),
});

export const operatorLogTasks = [verifyTask];
