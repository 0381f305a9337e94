import type { MemberRole } from '@nearhand/contract/operation';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { type Account, accounts } from '@nearhand/contract/people/accounts';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Intent } from '@nearhand/contract/people/profile-choices';
import { termsInForce } from '@nearhand/contract/people/terms-of-use.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { peopleHooks } from '../hooks.ts';

/** The caller's own account with its memberships; also before the email is verified. */
export async function ownAccount(db: Db, { actor }: Scope): Promise<Account> {
  const row = await findAccount(db, actor.accountId);
  if (!row) throw new AppError('session/expired');
  const memberships = await listMemberships(db, actor.accountId);
  return {
    ...row,
    intent: row.intent as Intent | null,
    createdAt: new Date(row.createdAt).toISOString(),
    termsInForce,
    memberships: memberships.map((member) => ({
      businessId: member.businessId,
      name: member.name,
      role: member.role as MemberRole,
      status: member.status,
      logoPath: filePath(member.logoFileId),
    })),
    unreadNotifications: await peopleHooks.on.countUnread(db, actor.accountId),
    photoPath: filePath(row.photoFileId),
  };
}

const filePath = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));

/** Changes the caller's name, intent or return path, also before the email is verified (ADR 14). Absent fields stay. */
export async function updateOwnAccount(tx: Tx, scope: Scope, input: AccountChange): Promise<Account> {
  await updateAccount(tx, scope.actor.accountId, input, scope.clock.now());
  return ownAccount(tx, scope);
}

/** Sets an account's name. */
export async function renameAccount(tx: Tx, scope: Pick<Scope, 'clock'>, accountId: string, name: string) {
  await updateAccount(tx, accountId, { name }, scope.clock.now());
}

/** Adds an account without a way to sign in yet. @returns its id */
export async function addAccount(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  account: { email: string; name: string; emailVerified: boolean },
): Promise<string> {
  const now = clock.now();
  const id = newId(now);
  await insertAccount(tx, { id, ...account, now });
  return id;
}

/** For the checks of a person: what staff compares a document with; undefined without such an account. */
export async function accountToCheck(db: Db, accountId: string) {
  const row = await findIdentity(db, accountId);
  return row && { id: row.id, name: row.name, email: row.email, createdAt: row.createdAt.toISOString() };
}

/**
 * The address of an account was proven. For `confirmMailbox` only, which decides what the account keeps (ADR 364). Verifies nothing if the
 * account has another address by now.
 * @returns whether it was unverified until now
 */
export const confirmAccountEmail = (
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  { id, email }: { id: string; email: string },
): Promise<boolean> => proveMailbox(tx, { id, known: email, proven: email }, clock.now());

/**
 * Changes an account's address to one that its own person proved, for changes that both mailboxes confirmed or that are undone (ADR 157).
 * The caller has checked that nobody else has it.
 */
export async function changeAccountEmail(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  email: string,
): Promise<void> {
  await proveMailbox(tx, { id: accountId, known: null, proven: email }, clock.now());
}

/**
 * Another address for an account that has verified none; it stays unverified. The caller has checked that nobody else has it.
 * @returns false if the account has verified its address by now
 */
export const correctUnverifiedEmail = (
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  email: string,
): Promise<boolean> => updateEmail(tx, { id: accountId, email, ofUnverified: true }, clock.now());

/** Another address that nobody proved to us, of any account: it is unverified from now on. The caller has checked that nobody else has it. */
export async function replaceAccountEmail(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  email: string,
): Promise<void> {
  await updateEmail(tx, { id: accountId, email, ofUnverified: false }, clock.now());
}

/** Marks an account as disabled; the caller ends its sessions. */
export const markAccountDisabled = (
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
): Promise<void> => markDisabled(tx, accountId, clock.now());

/** For an account that is removed: it keeps its id, which other records need, and nothing that names the person. */
export const makeAnonymous = (
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  accountId: string,
  address: string,
): Promise<void> => updateAsFormer(tx, accountId, { name: formerMemberName, email: address }, clock.now());

/** The row behind `accounts.me`, its newest accepted terms and photo. */
async function findAccount(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
    .select(['accounts.id', 'email', 'emailVerified', 'name', 'intent', 'returnTo', 'createdAt'])
    .select('photoFileId')
    .select((eb) =>
      eb
        .selectFrom('terms_acceptances')
        .select('terms_acceptances.version')
        .whereRef('terms_acceptances.accountId', '=', 'accounts.id')
        .orderBy('acceptedAt', 'desc')
        .limit(1)
        .as('termsAccepted'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** Who an account says it is. */
async function findIdentity(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** Businesses the account is a member of, by name; closed ones are left out. */
async function listMemberships(db: Db, accountId: string) {
  return db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.businessId')
    .select(['businessId', 'role', 'name', 'status', 'logoFileId'])
    .where('accountId', '=', accountId)
    .where('status', '<>', 'closed')
    .orderBy('name')
    .orderBy('businessId')
    .limit(100)
    .execute();
}

/** What an account may change of itself; absent fields stay. */
type AccountChange = {
  name?: string | undefined;
  intent?: Intent | undefined;
  returnTo?: string | null | undefined;
};

async function updateAccount(tx: Tx, accountId: string, change: AccountChange, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.intent === undefined ? {} : { intent: change.intent }),
      ...(change.returnTo === undefined ? {} : { returnTo: change.returnTo }),
      updatedAt: now,
    })
    .where('id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/**
 * Sets a verified address: `proven`, if the account still has the address `known` (null for any). Nothing else can (`0124_proven_mailboxes.sql`).
 * @returns whether that changed anything
 */
async function proveMailbox(
  tx: Tx,
  account: { id: string; known: string | null; proven: string },
  now: Date,
): Promise<boolean> {
  const { id, known, proven } = account;
  const { rows } = await sql<{ changed: boolean }>`
    select prove_mailbox(${id}::uuid, ${known}, ${proven}, ${now}) as changed`.execute(tx);
  const changed = rows[0]?.changed === true;
  if (changed) emitRecord(tx, 'account', { id, workerId: id });
  return changed;
}

/** Sets another address, which is unverified. `ofUnverified`: of an account that has verified none. @returns whether it did */
async function updateEmail(
  tx: Tx,
  account: { id: string; email: string; ofUnverified: boolean },
  now: Date,
): Promise<boolean> {
  const { id } = account;
  let query = tx
    .updateTable('accounts')
    .set({ email: account.email.toLowerCase(), emailVerified: false, updatedAt: now })
    .where('id', '=', id);
  if (account.ofUnverified) query = query.where('emailVerified', '=', false);
  const { numUpdatedRows } = await query.executeTakeFirst();
  emitRecord(tx, 'account', { id, workerId: id });
  return numUpdatedRows === 1n;
}

async function markDisabled(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ disabledAt: now, updatedAt: now })
    .where('id', '=', accountId)
    .where('disabledAt', 'is', null)
    .execute();
}

async function insertAccount(
  tx: Tx,
  row: { id: string; email: string; name: string; emailVerified: boolean; now: Date },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: row.id,
      email: row.email.toLowerCase(),
      name: row.name,
      emailVerified: row.emailVerified,
      createdAt: row.now,
      updatedAt: row.now,
    })
    .execute();
}

async function updateAsFormer(
  tx: Tx,
  accountId: string,
  former: { name: string; email: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      ...former,

      emailVerified: false,
      image: null,
      intent: null,
      returnTo: null,
      disabledAt: now,
      updatedAt: now,
    })
    .where('id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

export const accountsRoutes = {
  me: read(accounts.me, ownAccount),
  update: write(accounts.update, updateOwnAccount),
};
