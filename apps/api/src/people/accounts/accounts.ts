import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { type Account, accounts, type Restriction } from '@nearhand/contract/people/accounts';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { type Intent, termsInForce } from '@nearhand/contract/people/profile-choices';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { emitAccount, emitRecord } from '../../platform/realtime/publish-records.ts';
import { peopleHooks } from '../hooks.ts';

/** The caller's account with its memberships. Needs no verified email. */
export async function ownAccount(db: Db, { actor, clock }: Scope): Promise<Account> {
  const row = await findAccount(db, actor.accountId);
  if (!row) throw new AppError('session/expired');
  const memberships = await listMemberships(db, actor.accountId);
  return {
    ...row,
    intent: row.intent,
    createdAt: new Date(row.createdAt).toISOString(),
    termsInForce,
    memberships: memberships.map((member) => ({
      businessId: member.businessId,
      name: member.name,
      role: member.role,
      status: member.status,
      logoPath: filePath(member.logoFileId),
    })),
    restrictions: await findRestrictions(db, actor.accountId, clock.now()),
    unreadNotifications: await peopleHooks.needs.countUnread(db, actor.accountId),
    photoPath: filePath(row.photoFileId),
  };
}

const filePath = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));

/** Changes the caller's name, intent or return path. Needs no verified email (ADR 14). */
export async function updateOwnAccount(tx: Tx, scope: Scope, input: AccountChange): Promise<Account> {
  await updateAccount(tx, scope.actor.accountId, input, scope.clock.now());
  return ownAccount(tx, scope);
}

/** Changes the name of an account, for the platform: the caller has checked access. */
export async function renameAccount(tx: Tx, scope: ClockScope, accountId: string, name: string) {
  await updateAccount(tx, accountId, { name }, scope.clock.now());
}

/**
 * Adds an account without a password, for imports and identities from outside.
 * @returns its id
 */
export async function addAccount(
  tx: Tx,
  { clock }: ClockScope,
  account: { email: string; name: string; emailVerified: boolean },
): Promise<string> {
  const now = clock.now();
  const id = newId(now);
  await insertAccount(tx, { id, ...account, now });
  return id;
}

/** Returns what staff see of an account whose identity they check. */
export async function accountToCheck(db: Db, accountId: string) {
  const row = await findIdentity(db, accountId);
  return row && { id: row.id, name: row.name, email: row.email, createdAt: row.createdAt.toISOString() };
}

/** Verifies a proven address that is still the account's; for `confirmMailbox` only (ADR 364). */
export const confirmAccountEmail = (
  tx: Tx,
  { clock }: ClockScope,
  { id, email }: { id: string; email: string },
): Promise<boolean> => proveMailbox(tx, { id, current: email, proven: email }, clock.now());

/** Changes an address that its owner proved (ADR 157). The caller has checked that it is not taken. */
export async function changeAccountEmail(
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  email: string,
): Promise<void> {
  await proveMailbox(tx, { id: accountId, current: null, proven: email }, clock.now());
}

/**
 * Changes an address never verified, which the caller checked is free.
 * @returns false if it has been verified in the meantime
 */
export const correctUnverifiedEmail = (
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  email: string,
): Promise<boolean> => updateEmail(tx, { id: accountId, email, ofUnverified: true }, clock.now());

/** Sets an unproven address, which unverifies the account. The caller has checked that it is free. */
export async function replaceAccountEmail(
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  email: string,
): Promise<void> {
  await updateEmail(tx, { id: accountId, email, ofUnverified: false }, clock.now());
}

/** Disables an account; the caller ends its sessions. */
export const markAccountDisabled = (tx: Tx, { clock }: ClockScope, accountId: string): Promise<void> =>
  markDisabled(tx, accountId, clock.now());

/** Removes personal data but keeps the id, which other records reference. */
export const makeAnonymous = (
  tx: Tx,
  { clock }: ClockScope,
  accountId: string,
  address: string,
): Promise<void> => updateAsFormer(tx, accountId, { name: formerMemberName, email: address }, clock.now());

async function findRestrictions(db: Db, accountId: string, now: Date): Promise<Restriction[]> {
  const { rows } = await sql<Restriction>`
    select sanction.id as sanction_id, case when business.id is not null
        then jsonb_build_object('id', business.id, 'name', business.name) end as business, sanction.scope, sanction.rule,
      ${isoText(sql`sanction.ends_at`)} as ends_at
    from sanctions sanction left join businesses business on business.id = sanction.business_id
    where (sanction.account_id = ${accountId} or sanction.business_id in (select member.business_id
        from business_members member where member.account_id = ${accountId} and member.role in ${recruiters}))
      and sanction.measure in ('suspension', 'verification_refused') and sanction.ended_at is null
      and (sanction.ends_at is null or sanction.ends_at > ${now})
    order by sanction.decided_at desc limit 20`.execute(db);
  return rows;
}

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

async function findIdentity(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}

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

type AccountChange = {
  name?: string;
  intent?: Intent;
  returnTo?: string | null;
};

async function updateAccount(tx: Tx, accountId: string, change: AccountChange, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      name: change.name,
      intent: change.intent,
      returnTo: change.returnTo,
      updatedAt: now,
    })
    .where('id', '=', accountId)
    .execute();
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

/**
 * Sets a verified address if the account still has `current`. A trigger refuses every other way
 * (`accounts_refuse_unproven` in `0002_people.sql`).
 */
async function proveMailbox(
  tx: Tx,
  account: { id: string; current: string | null; proven: string },
  now: Date,
): Promise<boolean> {
  const { id, current, proven } = account;
  const { rows } = await sql<{ changed: boolean }>`
    select prove_mailbox(${id}::uuid, ${current}, ${proven}, ${now}) as changed`.execute(tx);
  const hasChanged = rows[0]?.changed === true;
  if (hasChanged) emitAccount(tx, id);
  return hasChanged;
}

/**
 * Sets an unverified address; with `ofUnverified` only if none was verified.
 * @returns whether it did
 */
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
  emitAccount(tx, id);
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
