import { type Account, type SignInOptions, termsInForce } from '@nearhand/contract/accounts';
import { fileContentPath } from '@nearhand/contract/files';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Intent } from '@nearhand/contract/profile-choices';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { showsMailbox } from '../../platform/http/dev-mailbox.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { socialOptions } from './accounts.social.ts';
import {
  deleteSessions,
  findAccount,
  insertAcceptance,
  insertAccount,
  insertPassword,
  listMemberships,
  markDisabled,
  updateAccount,
} from './accounts.sql.ts';

/** Which ways to sign in are configured, and where development mail can be read. Anyone may ask. */
export async function accountSignInOptions(_db: Db, { config }: Scope<Actor | null>): Promise<SignInOptions> {
  return {
    provider: 'built-in',
    ...socialOptions(config),
    mailboxPath: showsMailbox(config) ? '/dev/mailbox' : null,
  };
}

/** The caller's own account with its memberships; also before the email is verified. */
export async function ownAccount(db: Db, { actor }: Scope): Promise<Account> {
  const row = await findAccount(db, actor.accountId);
  if (!row) throw new AppError('session/expired');
  const memberships = await listMemberships(db, actor.accountId);
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    name: row.name,
    intent: row.intent as Intent | null,
    createdAt: new Date(row.created_at).toISOString(),
    termsAccepted: row.terms_accepted,
    termsInForce,
    memberships: memberships.map((member) => ({
      businessId: member.business_id,
      name: member.name,
      role: member.role as MemberRole,
      status: member.status,
      logoPath: filePath(member.logo_file_id),
    })),
    unreadNotifications: row.unread ?? 0,
    photoPath: filePath(row.photo_file_id),
  };
}

const filePath = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));

/** Changes the caller's name or what brings them here; what is absent stays. */
export async function updateOwnAccount(
  tx: Tx,
  scope: Scope,
  input: { name?: string | undefined; intent?: Intent | undefined },
): Promise<Account> {
  await updateAccount(tx, scope.actor.accountId, input, scope.clock.now());
  return ownAccount(tx, scope);
}

/**
 * Records that the caller accepts the terms in force; repeated it changes nothing.
 * @throws request/invalid for any other version: what was not shown cannot be accepted
 */
export async function acceptTerms(tx: Tx, scope: Scope, input: { version: string }): Promise<Account> {
  if (input.version !== termsInForce)
    throw new AppError('request/invalid', { issues: [{ path: 'version', message: termsInForce }] });
  await insertAcceptance(tx, scope.actor.accountId, input.version, scope.clock.now());
  return ownAccount(tx, scope);
}

/** For other slices: gives an account its name. */
export async function renameAccount(tx: Tx, scope: Pick<Scope, 'clock'>, accountId: string, name: string) {
  await updateAccount(tx, accountId, { name }, scope.clock.now());
}

/**
 * Disables an account and ends its sessions: every token of it is refused within 5 seconds, and only a right password is told
 * `auth/user-disabled`. For operators, whose screens are yet to come; repeated it changes nothing.
 */
export async function disableAccount(tx: Tx, scope: Pick<Scope, 'clock'>, accountId: string): Promise<void> {
  await markDisabled(tx, accountId, scope.clock.now());
  await deleteSessions(tx, accountId);
}

/**
 * Opens an account with a password, as a sign-up does, in the caller's transaction and without mail: for the demo town.
 * @returns its id
 */
export async function openAccount(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  input: { email: string; name: string; passwordHash: string; emailVerified: boolean },
): Promise<string> {
  const now = scope.clock.now();
  const { passwordHash, ...facts } = input;
  const id = newId(now);
  await insertAccount(tx, { id, ...facts, now });
  await insertPassword(tx, { id: newId(now), accountId: id, passwordHash, now });
  return id;
}
