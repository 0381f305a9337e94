import { type Language, languageIn } from '@nearhand/contract/languages';
import type { AccountSettings } from '@nearhand/contract/people/account-settings';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { deleteSettings, findLanguageOf, findSettings, upsertSettings } from './account-settings.sql.ts';

const neverChosen: AccountSettings = {
  appearance: null,
  units: null,
  clock: null,
  startSide: null,
  language: null,
};

/** The caller's settings; null for those never chosen. Also before the email is verified. */
export async function getAccountSettings(db: Db, { actor }: Scope): Promise<AccountSettings> {
  const row = await findSettings(db, actor.accountId);
  return row ? (row as AccountSettings) : neverChosen;
}

/** Changes the caller's settings; absent ones stay. */
export async function updateAccountSettings(
  tx: Tx,
  scope: Scope,
  input: { [Setting in keyof AccountSettings]?: NonNullable<AccountSettings[Setting]> | undefined },
): Promise<AccountSettings> {
  await upsertSettings(tx, scope.actor.accountId, input, scope.clock.now());
  return getAccountSettings(tx, scope);
}

/** The language that an account reads: what it chose, otherwise English. */
export async function languageOfAccount(db: Db, accountId: string): Promise<Language> {
  return languageIn([(await findSettings(db, accountId))?.language ?? '']) ?? 'en';
}

/** The language of mail to an address: what its account chose, otherwise English. */
export async function languageOfAddress(db: Db, email: string): Promise<Language> {
  return languageIn([(await findLanguageOf(db, email)) ?? '']) ?? 'en';
}

/** For an account that is removed (ADR 160). */
export const deleteAccountSettings = (tx: Tx, accountId: string): Promise<void> =>
  deleteSettings(tx, accountId);
