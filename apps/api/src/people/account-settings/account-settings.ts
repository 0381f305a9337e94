import { type Language, languageIn } from '@nearhand/contract/languages';
import { type AccountSettings, accountSettings } from '@nearhand/contract/people/account-settings';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

const neverChosen: AccountSettings = {
  appearance: null,
  units: null,
  clock: null,
  startSide: null,
  language: null,
};

/** The caller's settings; null for those never chosen. Also before the email is verified. */
async function getAccountSettings(db: Db, { actor }: Scope): Promise<AccountSettings> {
  const row = await findSettings(db, actor.accountId);
  return row ? (row as AccountSettings) : neverChosen;
}

/** Changes the caller's settings; absent ones stay. */
async function updateAccountSettings(
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

async function findSettings(db: Db, accountId: string) {
  return db
    .selectFrom('account_settings')
    .select(['appearance', 'units', 'clock', 'startSide as startSide', 'language'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** Stores the given settings; the others stay. Emits 'account' to the person's other devices. */
async function upsertSettings(
  tx: Tx,
  accountId: string,
  change: { [Setting in keyof AccountSettings]?: AccountSettings[Setting] | undefined },
  now: Date,
): Promise<void> {
  const { startSide, ...same } = change;
  const columns = { ...same, ...(startSide === undefined ? {} : { startSide }), updatedAt: now };
  await tx
    .insertInto('account_settings')
    .values({ accountId, ...columns })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(columns))
    .execute();
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** The language of the account with this address; undefined if it chose none or there is no such account. */
async function findLanguageOf(db: Db, email: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('account_settings', 'account_settings.accountId', 'accounts.id')
    .select('account_settings.language')
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  return row?.language;
}

/** For an account that is removed. */
async function deleteSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_settings').where('accountId', '=', accountId).execute();
}

export const accountSettingsRoutes = {
  get: read(accountSettings.get, getAccountSettings),
  update: write(accountSettings.update, updateAccountSettings),
};
