import { getMigrations } from 'better-auth/db/migration';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createLog } from '../../platform/log.ts';
import { keysOf } from '../../platform/sign.ts';
import { createProvider } from './provider.ts';

const app = useTestApp();

it('matches its tables: our migration contains the provider’s own', async () => {
  const provider = createProvider({
    config: app.config,
    keys: keysOf(app.secret),
    db: app.db,
    clock: app.clock,
    log: createLog({ LOG_LEVEL: 'silent' }),
    sendVerification: async () => {},
    passwordReset: async () => {},
  });
  const database = { db: app.db, type: 'postgres' as const };
  const migrations = await getMigrations({ ...provider.options, database }, { throwOnUnsafe: false });
  expect({
    ...migrations,
    compiled: (await migrations.compileMigrations()).replaceAll(';', '').trim(),
  }).toMatchObject({
    toBeCreated: [],
    toBeAdded: [],
    toBeAddedIndexes: [],
    compiled: '',
  });
});
