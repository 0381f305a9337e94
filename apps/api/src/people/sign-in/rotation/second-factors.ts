import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db } from '../../../platform/db.ts';
import type { Log } from '../../../platform/log.ts';
import type { Keys } from '../../../platform/sign.ts';
import { type ProviderSecret, providerSecrets } from './renewed-cookies.ts';

const batch = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/** Re-encrypts with the newest secret; null if no known secret decrypts. */
async function sealedAgain(text: string, secrets: readonly ProviderSecret[]): Promise<string | null> {
  const [newest] = secrets;
  if (!newest) return null;
  const keys = new Map(secrets.map(({ version, value }) => [version, value]));
  if (text.startsWith(`$ba$${newest.version}$`)) return text;
  // Ciphertexts without a version are older than key rotation.
  const tries = text.startsWith('$ba$')
    ? [{ keys, currentVersion: newest.version }]
    : secrets.map(({ value }) => value);
  for (const key of tries) {
    const data = await symmetricDecrypt({ key, data: text }).catch(() => null);
    if (data !== null) return symmetricEncrypt({ key: { keys, currentVersion: newest.version }, data });
  }
  return null;
}

/**
 * Re-encrypts second steps, so that an earlier SECRET can be dropped.
 * @returns how many fail
 */
export async function sealSecondFactors(db: Db, keys: Keys, log: Pick<Log, 'warn'>): Promise<number> {
  const secrets = providerSecrets(keys);
  let after = noId;
  let unknown = 0;
  for (let more = true; more; ) {
    const factors = await listFactors(db, after, batch);
    for (const factor of factors) {
      const secret = await sealedAgain(factor.secret, secrets);
      const backupCodes = await sealedAgain(factor.backupCodes, secrets);
      if (secret === null || backupCodes === null) unknown += 1;
      else if (secret !== factor.secret || backupCodes !== factor.backupCodes)
        await replaceFactor(db, factor, { id: factor.id, secret, backupCodes });
    }
    after = factors.at(-1)?.id ?? after;
    more = factors.length === batch;
  }
  if (unknown > 0)
    log.warn(
      { unknown },
      'second steps are encrypted with a secret that is neither SECRET nor in OTHER_SECRETS; add it and start again',
    );
  return unknown;
}

type SealedFactor = { id: string; secret: string; backupCodes: string };

const listFactors = (db: Db, after: string, limit: number): Promise<SealedFactor[]> =>
  db
    .selectFrom('second_factors')
    .select(['id', 'secret', 'backupCodes'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** A no-op if it changed in the meantime. */
async function replaceFactor(db: Db, from: SealedFactor, to: SealedFactor): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ secret: to.secret, backupCodes: to.backupCodes })
    .where('id', '=', from.id)
    .where('secret', '=', from.secret)
    .where('backupCodes', '=', from.backupCodes)
    .execute();
}
