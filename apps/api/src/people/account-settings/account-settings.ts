import { type Language, languageIn } from '@nearhand/contract/languages';
import { type AccountSettings, accountSettings } from '@nearhand/contract/people/account-settings';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';

const neverChosen: AccountSettings = {
  appearance: null,
  units: null,
  clock: null,
  startSide: null,
  language: null,
};

/** The caller's settings, null if never chosen. Needs no verified email. */
async function getAccountSettings(db: Db, { actor }: Scope): Promise<AccountSettings> {
  const row = await findSettings(db, actor.accountId);
  return row ? row : neverChosen;
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

/**
 * Sets the language of a new account to its sign-up's: later sign-ins don't change it. Does nothing for a
 * language we don't support.
 */
export async function setSignUpLanguage(
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  language: Language | null,
): Promise<void> {
  if (language !== null) await upsertSettings(tx, accountId, { language }, clock.now());
}

/** The language for mail and push; English unless chosen. */
export async function languageOfAccount(db: Db, accountId: string): Promise<Language> {
  return languageIn([(await findSettings(db, accountId))?.language ?? '']) ?? 'en';
}

/** Returns the language for a mail to this address: its account's, otherwise English. */
export async function languageOfAddress(db: Db, email: string): Promise<Language> {
  return languageIn([(await findLanguageOf(db, email)) ?? '']) ?? 'en';
}

async function findSettings(db: Db, accountId: string) {
  return db
    .selectFrom('account_settings')
    .select(['appearance', 'units', 'clock', 'startSide', 'language'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** Stores the given settings and emits 'account' to the person's other devices. */
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
  emitAccount(tx, accountId);
}

async function findLanguageOf(db: Db, email: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('account_settings', 'account_settings.accountId', 'accounts.id')
    .select('account_settings.language')
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  return row?.language;
}

export async function deleteAccountSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_settings').where('accountId', '=', accountId).execute();
}

export const accountSettingsRoutes = {
  get: read(accountSettings.get, getAccountSettings),
  update: write(accountSettings.update, updateAccountSettings),
};
