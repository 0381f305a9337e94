import type { HouseRule } from '@nearhand/contract/house-rules';
import type { OperatorRole } from '@nearhand/contract/operator-roles';
import { type OperatorSession, operators } from '@nearhand/contract/trust/operators';
import type { Insertable } from 'kysely';
import { secondFactorsOf } from '../../people/sign-in/credentials.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Operators } from '../../platform/tables.gen.ts';
import { decideChatReport } from '../../talk/chat-reports/chat-reports.ts';
import { liftFreeze } from '../../talk/chat-reports/frozen.ts';
import { endFreezes, issueAboutChat } from '../sanctions/word-sanctions.ts';
import { endServiceMessage, listServiceMessages, postMessage } from '../service-status/service-status.ts';
import { listMacros, removeMacro, saveMacro } from '../tickets/macros.ts';
import { answerTicket, closeTicket, staffTicket } from '../tickets/staff-tickets.ts';

/** Returns the caller's console session. @throws operator/required */
async function ownSession(db: Db, { actor }: Scope): Promise<OperatorSession> {
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

/** Closes a report with a reason. @throws chat/report-not-found, operator/own-record, request/invalid */
async function decideReport(tx: Tx, scope: Scope, input: ChatDecision) {
  const { id, decision, against } = await decideChatReport(tx, scope, input);
  if (against && input.rule !== null)
    await issueAboutChat(tx, scope, against, { rule: input.rule, facts: input.reason });
  return { id, decision };
}

/**
 * Ends a freeze. For operators other than the one who froze the conversation. @throws chat/not-found,
 * operator/own-record, operator/own-decision
 */
async function unfreeze(tx: Tx, scope: Scope, input: { conversationId: string; reason: string }) {
  const lifted = await liftFreeze(tx, scope, input);
  await endFreezes(tx, scope, input);
  return lifted;
}

export type AppointProblem = 'no-account' | 'not-verified' | 'disabled' | 'is-one' | 'is-none';

/** Makes a verified, enabled account an operator, within seconds in open sessions too. Only for `npm run operator`. */
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
    const now = scope.clock.now();
    const row = { id: newId(now), accountId: account.id, addedBy: who.by, addedAt: now };
    const roles = [...who.roles];
    return (await insertOperator(tx, { ...row, roles })) ? null : 'is-one';
  });
}

/** Removes an operator; their decisions stay. Only for the command line. */
export function removeOperator(
  db: Db,
  scope: { clock: Clock },
  who: { email: string; by: string },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, who.email);
    if (!account) return 'no-account';
    return (await endOperator(tx, account.id, who.by, scope.clock.now())) ? null : 'is-none';
  });
}

/** Replaces an operator's roles, within seconds in open sessions too. Only for the command line. */
export function setOperatorRoles(
  db: Db,
  who: { email: string; roles: readonly OperatorRole[] },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, who.email);
    if (!account) return 'no-account';
    return (await updateRoles(tx, account.id, who.roles)) ? null : 'is-none';
  });
}

async function findAppointee(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'emailVerified', 'disabledAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

async function insertOperator(tx: Tx, row: Insertable<Operators>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.column('accountId').where('removedAt', 'is', null).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function endOperator(tx: Tx, accountId: string, by: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ removedBy: by, removedAt: now })
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

type OperatorRow = {
  accountId: string;
  email: string;
  name: string;
  roles: OperatorRole[];
  addedBy: string;
  addedAt: Date;
};

export async function listOperators(db: Db): Promise<OperatorRow[]> {
  const rows = await db
    .selectFrom('operators')
    .innerJoin('accounts', 'accounts.id', 'operators.accountId')
    .select(['accountId', 'accounts.email', 'accounts.name', 'roles', 'addedBy', 'addedAt'])
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

export const operatorsRoutes = {
  session: read(operators.session, ownSession),
  decideReport: write(operators.decideReport, decideReport),
  unfreeze: write(operators.unfreeze, unfreeze),
  ticket: read(operators.ticket, staffTicket),
  answerTicket: write(operators.answerTicket, answerTicket),
  solveTicket: write(operators.solveTicket, closeTicket),
  macros: read(operators.macros, listMacros),
  saveMacro: write(operators.saveMacro, saveMacro),
  removeMacro: write(operators.removeMacro, removeMacro),
  serviceMessages: read(operators.serviceMessages, listServiceMessages),
  postServiceMessage: write(operators.postServiceMessage, postMessage),
  endServiceMessage: write(operators.endServiceMessage, endServiceMessage),
};
