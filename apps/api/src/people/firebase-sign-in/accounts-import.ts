import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { firebaseHash } from '../../platform/passwords/password-hashes.ts';
import { disableAccount, restorePassword, restoreSocial } from '../sign-in/credentials.ts';
import { type AccountInFile, socialProviders } from './accounts-export.ts';
import { lockLinked, updateIdentity } from './firebase-identities.ts';

export type ImportCount = {
  /** Accounts that now sign in with their Firebase password. */
  passwords: number;
  /**
   * Accounts without a password there, or with a password that was never used there, so that ours is still
   * valid.
   */
  unchanged: number;
  /** Accounts with another project's hash; their password here is unchanged. */
  unreadable: number;
  disabled: number;
  /** Accounts that never signed in to this server. */
  unknown: number;
  /** Accounts whose social identity belongs to someone else here. */
  taken: number;
};

type ImportScope = ClockConfigScope;

/** A hash is as long as the project's signer key; the emulator's made-up ones are text. */
const isHash = ({ FIREBASE_HASH_CONFIG: hashing }: ImportScope['config'], hash: string): boolean =>
  hashing !== undefined && Buffer.from(hash, 'base64').length === hashing.signerKey.length;

/** Restores accounts exported by Firebase to the built-in sign-in (ADR 224). Idempotent. */
export async function importAccounts(
  db: Db,
  scope: ImportScope,
  accounts: readonly AccountInFile[],
): Promise<ImportCount> {
  const count: ImportCount = { passwords: 0, unchanged: 0, unreadable: 0, disabled: 0, unknown: 0, taken: 0 };
  for (const account of accounts) {
    const outcome = await db.transaction().execute((tx) => importAccount(tx, scope, account));
    for (const result of outcome) count[result] += 1;
  }
  return count;
}

async function importAccount(
  tx: Tx,
  scope: ImportScope,
  account: AccountInFile,
): Promise<(keyof ImportCount)[]> {
  const linked = await lockLinked(tx, account.localId);
  if (!linked) return ['unknown'];
  const outcome: (keyof ImportCount)[] = [];
  const { passwordHash: hash = '', salt = '' } = account;
  if (isHash(scope.config, hash)) {
    await restorePassword(tx, scope, linked.id, firebaseHash({ hash, salt }));
    await updateIdentity(tx, account.localId, { hasPassword: true });
    outcome.push('passwords');
  } else if (hash !== '') {
    outcome.push('unreadable');
  } else {
    // Firebase exports no hash for an imported password never used there.
    if (!linked.hasPassword) await restorePassword(tx, scope, linked.id, null);
    outcome.push('unchanged');
  }
  for (const { providerId, rawId } of account.providerUserInfo ?? []) {
    const provider = socialProviders[providerId as keyof typeof socialProviders];
    if (provider === undefined || rawId === undefined) continue;
    if (!(await restoreSocial(tx, scope, linked.id, { provider, subject: rawId }))) outcome.push('taken');
  }
  if (account.disabled && linked.disabledAt === null) {
    await disableAccount(tx, scope, linked.id);
    outcome.push('disabled');
  }
  return outcome;
}
