import { getMigrations } from 'better-auth/db/migration';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createLog } from '../../platform/log.ts';
import { createProvider } from './provider.ts';

const app = useTestApp();

it('finds its tables as it needs them: our migration has all that the provider’s own would make', async () => {
  const provider = createProvider({
    config: app.config,
    secret: app.secret,
    db: app.db,
    clock: app.clock,
    log: createLog({ LOG_LEVEL: 'silent' }),
    sendVerification: async () => {},
  });
  const wanted = await getMigrations(provider.options, { throwOnUnsafe: false });
  expect({
    ...wanted,
    compiled: (await wanted.compileMigrations()).replaceAll(';', '').trim(),
  }).toMatchObject({
    toBeCreated: [],
    toBeAdded: [],
    toBeAddedIndexes: [],
    compiled: '',
  });
});
