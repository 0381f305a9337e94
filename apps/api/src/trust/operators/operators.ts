import type { HouseRule } from '@nearhand/contract/house-rules';
import type { OperatorRole } from '@nearhand/contract/operator-roles';
import type { OperatorSession } from '@nearhand/contract/trust/operators';
import { type Insertable, sql } from 'kysely';
import { endAllSessions } from '../../people/sessions/sessions.ts';
import { secondFactorsOf } from '../../people/sign-in/credentials.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Operators } from '../../platform/tables.gen.ts';
import { decideChatReport } from '../../talk/chat-reports/chat-reports.ts';
import { liftFreeze } from '../../talk/chat-reports/frozen.ts';
import { endFreezes, issueAboutChat } from '../sanctions/word-sanctions.ts';

/** Returns the caller's console session. */
export async function ownSession(db: Db, { actor }: Scope): Promise<OperatorSession> {
  const { operator = false, operatorOutside = false, operatorAway = false } = actor;
  const present = operator || operatorOutside;
  if (!present && !operatorAway) throw new AppError('operator/required');
  const { name, email } = await findOwnName(db, actor.accountId);
  const roles = await rolesOf(db, actor.accountId);
  return { name, email, roles, secondFactors: await secondFactorsOf(db, actor.accountId), present };
}

type ChatDecision = {
  reportId: string;
  decision: 'dismiss' | 'redact' | 'freeze';
  reason: string;
  rule: HouseRule | null;
};

/** Closes a report with a reason. */
export async function decideReport(tx: Tx, scope: Scope, input: ChatDecision) {
  const { id, decision, against } = await decideChatReport(tx, scope, input);
  if (against && input.rule !== null)
    await issueAboutChat(tx, scope, against, { rule: input.rule, facts: input.reason });
  return { id, decision };
}

/** Ends a freeze. For operators other than the one who froze the conversation. */
export async function unfreeze(tx: Tx, scope: Scope, input: { conversationId: string; reason: string }) {
  const lifted = await liftFreeze(tx, scope, input);
  await endFreezes(tx, scope, input);
  return lifted;
}

export type AppointProblem = 'no-account' | 'not-verified' | 'disabled' | 'is-one' | 'is-none' | 'last-owner';

/** Makes a verified, enabled account an operator, within seconds in open sessions too. For `npm run operator`. */
export function appointOperator(
  db: Db,
  scope: { clock: Clock },
  who: { email: string; by: string; roles: readonly OperatorRole[] },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, who.email);
    if (!account) return 'no-account';
    if (account.disabledAt) return 'disabled';
    if (!account.emailVerified) return 'not-verified';
    if ((await rolesOf(tx, account.id)).length > 0) return 'is-one';
    return setRoles(tx, scope, { accountId: account.id, roles: who.roles, by: who.by });
  });
}

/** Removes an operator and signs them out everywhere; their decisions stay. For the command line. */
export function removeOperator(
  db: Db,
  scope: { clock: Clock },
  who: { email: string; by: string },
): Promise<AppointProblem | null> {
  return setOperatorRoles(db, scope, { ...who, roles: [] });
}

/** Replaces an operator's roles, within seconds in open sessions too. For the command line. */
export function setOperatorRoles(
  db: Db,
  scope: { clock: Clock },
  { email, by, roles }: { email: string; by: string; roles: readonly OperatorRole[] },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, email);
    if (!account) return 'no-account';
    if ((await rolesOf(tx, account.id)).length === 0) return 'is-none';
    return setRoles(tx, scope, { accountId: account.id, roles, by });
  });
}

/**
 * Appoints an account, replaces its roles or, with no roles, ends its appointment and signs it out everywhere.
 * The last owner stays one.
 */
export async function setRoles(
  tx: Tx,
  { clock }: { clock: Clock },
  { accountId, roles, by }: { accountId: string; roles: readonly OperatorRole[]; by: string },
): Promise<'last-owner' | null> {
  const now = clock.now();
  const owners = await lockOwners(tx);
  if (!roles.includes('owner') && owners.length === 1 && owners[0] === accountId) return 'last-owner';
  if (roles.length === 0) {
    await endOperator(tx, accountId, by, now);
    await endAllSessions(tx, accountId);
  } else if (!(await updateRoles(tx, accountId, roles)))
    await insertOperator(tx, { id: newId(now), accountId, addedBy: by, addedAt: now, roles: [...roles] });
  return null;
}

/** Locks the owners, so that two changes at once can't end the last two. */
export async function lockOwners(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('operators')
    .select('accountId')
    .where('removedAt', 'is', null)
    .where(sql<boolean>`'owner' = any (roles)`)
    .orderBy('accountId')
    .forUpdate()
    .execute();
  return rows.map(({ accountId }) => accountId);
}

export async function findAppointee(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'emailVerified', 'disabledAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

async function insertOperator(tx: Tx, row: Insertable<Operators>): Promise<void> {
  await tx
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.column('accountId').where('removedAt', 'is', null).doNothing())
    .execute();
}

async function endOperator(tx: Tx, accountId: string, by: string, now: Date): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ removedBy: by, removedAt: now })
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .execute();
}

type OperatorRow = {
  accountId: string;
  email: string;
  name: string;
  roles: OperatorRole[];
  addedBy: string;
  addedAt: Date;
  hasSecondFactor: boolean;
};

export async function listOperators(db: Db): Promise<OperatorRow[]> {
  const rows = await db
    .selectFrom('operators')
    .innerJoin('accounts', 'accounts.id', 'operators.accountId')
    .select(['operators.accountId', 'accounts.email', 'accounts.name', 'roles', 'addedBy', 'addedAt'])
    .select(
      sql<boolean>`coalesce(two_factor_enabled, false)
        or exists (select from passkeys where passkeys.account_id = accounts.id)`.as('hasSecondFactor'),
    )
    .where('operators.removedAt', 'is', null)
    .orderBy('operators.addedAt')
    .orderBy('operators.id')
    .execute();
  return rows as OperatorRow[];
}

export async function rolesOf(db: Db, accountId: string): Promise<OperatorRole[]> {
  const row = await db
    .selectFrom('operators')
    .select('roles')
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return (row?.roles ?? []) as OperatorRole[];
}

async function updateRoles(tx: Tx, accountId: string, roles: readonly OperatorRole[]): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ roles: [...roles] })
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const findOwnName = (db: Db, accountId: string) =>
  db.selectFrom('accounts').select(['name', 'email']).where('id', '=', accountId).executeTakeFirstOrThrow();

export async function isOperator(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('id')
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
