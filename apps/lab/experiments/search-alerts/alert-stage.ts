import '@nearhand/api/src/register-hooks.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import type pg from 'pg';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import type { AlertStage } from './search-alerts-run.ts';

const secret = 'the secret of the experiments, thirty-two and more';

export async function onAlertStage<Result>(
  work: (stage: AlertStage, pool: pg.Pool) => Promise<Result>,
  settings?: Record<string, string>,
): Promise<Result> {
  let result: { is: Result } | undefined;
  await onThrowAwayDatabase(async (url) => {
    const { db, pool, close } = openPool(url, 4, () => {});
    try {
      const { accountId } = await makeAccount(db, systemClock, secret);
      const absent = { mailer: undefined, fileStore: undefined, provider: undefined } as never as Pick<
        AlertStage['taskScope'],
        'mailer' | 'fileStore' | 'provider'
      >;
      const shared = {
        clock: systemClock,
        log: createLog({ LOG_LEVEL: 'silent' }),
        sign: createSign(secret),
        config: readConfig({ NODE_ENV: 'test', SECRET: secret }),
        ...absent,
      };
      const is = await work(
        {
          db,
          owner: { accountId },
          taskScope: { ...shared, db, unmailed: true },
          scopeOf: (id) => ({
            ...shared,
            requestId: 'experiment',
            actor: { accountId: id, sessionId: id, emailVerified: true },
          }),
        },
        pool,
      );
      result = { is };
    } finally {
      await close();
    }
  }, settings);
  if (!result) throw new Error('no result');
  return result.is;
}
