import { addMs, hourMs } from '@nearhand/contract/durations';
import type { HouseRule } from '@nearhand/contract/house-rules';
import type { OperatorRole } from '@nearhand/contract/operator-roles';
import {
  type OperatorChange,
  type OperatorSession,
  type OperatorView,
  operators,
} from '@nearhand/contract/trust/operators';
import { approvalLimits, approvalStateAt } from '@nearhand/contract/trust/second-approvals.rules';
import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { endSessions } from '../../people/sessions/sessions.ts';
import { secondFactorsOf } from '../../people/sign-in/credentials.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';
import type { OperatorChanges, Operators } from '../../platform/tables.gen.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { decideChatReport } from '../../talk/chat-reports/chat-reports.ts';
import { liftFreeze } from '../../talk/chat-reports/frozen.ts';
import { endFreezes, issueAboutChat } from '../sanctions/word-sanctions.ts';
import { endServiceMessage, listServiceMessages, postMessage } from '../service-status/service-status.ts';
import { listMacros, removeMacro, saveMacro } from '../tickets/macros.ts';
import { answerTicket, closeTicket, staffTicket } from '../tickets/staff-tickets.ts';

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

/** Closes a report with a reason. */
async function decideReport(tx: Tx, scope: Scope, input: ChatDecision) {
  const { id, decision, against } = await decideChatReport(tx, scope, input);
  if (against && input.rule !== null)
    await issueAboutChat(tx, scope, against, { rule: input.rule, facts: input.reason });
  return { id, decision };
}

/** Ends a freeze. For operators other than the one who froze the conversation. */
async function unfreeze(tx: Tx, scope: Scope, input: { conversationId: string; reason: string }) {
  const lifted = await liftFreeze(tx, scope, input);
  await endFreezes(tx, scope, input);
  return lifted;
}

export type AppointProblem = 'no-account' | 'not-verified' | 'disabled' | 'is-one' | 'is-none' | 'last-owner';

/** Makes a verified, enabled account an operator, within seconds in open sessions too. For `npm run operator`. */
export function appointOperator(
  db: Db,
  scope: { clock: Clock },
  operator: { email: string; by: string; roles: readonly OperatorRole[] },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, operator.email);
    if (!account) return 'no-account';
    if (account.disabledAt) return 'disabled';
    if (!account.emailVerified) return 'not-verified';
    if ((await rolesOf(tx, account.id)).length > 0) return 'is-one';
    return setRoles(tx, scope, { accountId: account.id, roles: operator.roles, by: operator.by });
  });
}

/** Removes an operator and signs them out everywhere; their decisions stay. For the command line. */
export function removeOperator(
  db: Db,
  scope: { clock: Clock },
  operator: { email: string; by: string },
): Promise<AppointProblem | null> {
  return setOperatorRoles(db, scope, { ...operator, roles: [] });
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
async function setRoles(
  tx: Tx,
  { clock }: { clock: Clock },
  { accountId, roles, by }: { accountId: string; roles: readonly OperatorRole[]; by: string },
): Promise<'last-owner' | null> {
  const now = clock.now();
  const owners = await lockOwners(tx);
  if (!roles.includes('owner') && owners.length === 1 && owners[0] === accountId) return 'last-owner';
  if (roles.length === 0) {
    await endOperator(tx, accountId, by, now);
    await endSessions(tx, accountId);
  } else if (!(await updateRoles(tx, accountId, roles)))
    await insertOperator(tx, { id: newId(now), accountId, addedBy: by, addedAt: now, roles: [...roles] });
  return null;
}

/** Locks the owners, so that two changes at once can't remove the last two owners. */
async function lockOwners(tx: Tx): Promise<string[]> {
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

async function findAppointee(db: Db, email: string) {
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

/** Current operators, with roles and whether they use a second factor. */
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

/** The roles of a current operator; empty for anyone else. */
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

/** Returns whether the account is an active operator, whatever the roles. */
export async function isOperator(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('id')
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

const changesShown = 50;

/** Lists the operators with the latest changes of their roles, pending ones first. */
async function listTeam(
  db: Db,
  { clock }: Scope,
): Promise<{ operators: OperatorView[]; changes: OperatorChange[] }> {
  const rows = await listOperators(db);
  const { rows: changes } = await sql<ChangeRow>`${changeRows}
    order by change.state = 'waiting' desc, change.requested_at desc, change.id desc limit ${changesShown}`.execute(
    db,
  );
  return {
    operators: rows.map((row) => ({ ...row, id: row.accountId, addedAt: row.addedAt.toISOString() })),
    changes: changes.map((row) => toOperatorChange(row, clock.now())),
  };
}

/**
 * Asks another owner to appoint someone, change their roles or end their appointment. Nothing changes until
 * the approval.
 */
async function requestChange(
  tx: Tx,
  scope: Scope,
  input: { email: string; roles: OperatorRole[]; reason: string },
): Promise<OperatorChange> {
  const { accountId: by } = scope.actor;
  const account = await findAppointee(tx, input.email);
  if (!account?.emailVerified || account.disabledAt) throw new AppError('operator/no-account');
  const roles = [...new Set(input.roles)].sort();
  const previousRoles = (await rolesOf(tx, account.id)).sort();
  if (roles.join() === previousRoles.join())
    throw new AppError('request/invalid', {
      issues: [{ path: 'roles', message: 'other roles than they have' }],
    });
  const owners = await lockOwners(tx);
  if (!roles.includes('owner') && owners.every((ownerId) => ownerId === account.id))
    throw new AppError('operator/last-owner');
  const approvers = owners.filter((ownerId) => ownerId !== by && ownerId !== account.id);
  if (approvers.length === 0) throw new AppError('operator/second-owner-required');
  const now = scope.clock.now();
  await tx
    .updateTable('operator_changes')
    .set({ state: 'expired', decidedAt: now })
    .where('accountId', '=', account.id)
    .where('state', '=', 'waiting')
    .where('expiresAt', '<=', now)
    .execute();
  const id = newId(now);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operator_changes')
    .values({
      id,
      accountId: account.id,
      previousRoles,
      roles,
      reason: input.reason,
      requestedBy: by,
      requestedAt: now,
      expiresAt: addMs(now, approvalLimits.hours * hourMs),
    })
    .onConflict((conflict) =>
      conflict.column('accountId').where('state', '=', sql.lit('waiting')).doNothing(),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('approval/waiting');
  for (const to of approvers) await enqueueMail(tx, { changeId: id, to });
  return toOperatorChange(await requireChange(tx, id), now);
}

/**
 * Approves (and so applies) or refuses a change, for an owner who neither requested it nor is affected by it.
 * Approving withdraws it if those roles changed since or its requester is no longer an owner.
 */
async function decideChange(
  tx: Tx,
  scope: Scope,
  { changeId, decision, note }: { changeId: string; decision: 'approve' | 'refuse'; note: string },
): Promise<OperatorChange> {
  const { accountId: by } = scope.actor;
  const row = await requireChange(tx, changeId, { lock: true });
  if (row.requestedBy === by) throw new AppError('operator/own-decision');
  if (row.accountId === by) throw new AppError('operator/own-record');
  const now = scope.clock.now();
  const state = decision === 'approve' ? 'approved' : 'refused';
  if (row.state === state && row.decidedBy === by) return toOperatorChange(row, now);
  requireWaiting(row, now);
  if (decision === 'refuse' && note === '')
    throw new AppError('request/invalid', { issues: [{ path: 'note', message: 'why it is refused' }] });
  if (decision === 'approve' && !(await makeChange(tx, scope, row))) return withdraw(tx, changeId, now);
  await tx
    .updateTable('operator_changes')
    .set({ state, decidedAt: now, decidedBy: by, note: note || null })
    .where('id', '=', changeId)
    .execute();
  await enqueueMail(tx, { changeId, to: row.requestedBy });
  if (decision === 'approve') await enqueueMail(tx, { changeId, to: row.accountId });
  return toOperatorChange(await requireChange(tx, changeId), now);
}

/**
 * Makes the approved change; returns false if its requester is no longer an owner or the roles changed since.
 */
async function makeChange(tx: Tx, scope: Scope, row: ChangeRow): Promise<boolean> {
  // A change that ends the requester or the approver may be made at the same moment.
  const owners = await lockOwners(tx);
  if (!owners.includes(scope.actor.accountId)) throw new AppError('operator/role-required');
  const roles = (await rolesOf(tx, row.accountId)).sort();
  if (!owners.includes(row.requestedBy) || roles.join() !== row.previousRoles.join()) return false;
  const account = await findAppointee(tx, row.email);
  if (row.roles.length > 0 && (!account?.emailVerified || account.disabledAt))
    throw new AppError('operator/no-account');
  const problem = await setRoles(tx, scope, {
    accountId: row.accountId,
    roles: row.roles as OperatorRole[],
    by: 'console',
  });
  if (problem) throw new AppError('operator/last-owner');
  return true;
}

/** Withdraws a pending change. For the owner who asked. */
async function withdrawChange(
  tx: Tx,
  scope: Scope,
  { changeId }: { changeId: string },
): Promise<OperatorChange> {
  const row = await requireChange(tx, changeId, { lock: true });
  if (row.requestedBy !== scope.actor.accountId) throw new AppError('approval/not-found');
  const now = scope.clock.now();
  if (row.state === 'withdrawn') return toOperatorChange(row, now);
  requireWaiting(row, now);
  return withdraw(tx, changeId, now);
}

async function withdraw(tx: Tx, changeId: string, now: Date): Promise<OperatorChange> {
  await tx
    .updateTable('operator_changes')
    .set({ state: 'withdrawn', decidedAt: now })
    .where('id', '=', changeId)
    .execute();
  return toOperatorChange(await requireChange(tx, changeId), now);
}

type ChangeRow = Selectable<OperatorChanges> & {
  name: string;
  email: string;
  requesterName: string;
  deciderName: string | null;
};

const changeRows = sql`select change.*, account.name, account.email, requester.name as requester_name,
    decider.name as decider_name
  from operator_changes change join accounts account on account.id = change.account_id
  join accounts requester on requester.id = change.requested_by
  left join accounts decider on decider.id = change.decided_by`;

/** @throws approval/not-found */
async function requireChange(db: Db, changeId: string, { lock = false } = {}): Promise<ChangeRow> {
  const { rows } = await sql<ChangeRow>`${changeRows} where change.id = ${changeId}
    ${lock ? sql`for update of change` : sql``}`.execute(db);
  if (!rows[0]) throw new AppError('approval/not-found');
  return rows[0];
}

/** @throws approval/over (data: state) */
function requireWaiting(row: ChangeRow, now: Date): void {
  const state = approvalStateAt(row, now);
  if (state !== 'waiting') throw new AppError('approval/over', { state });
}

const toOperatorChange = (row: ChangeRow, now: Date): OperatorChange => ({
  id: row.id,
  account: { id: row.accountId, name: row.name, email: row.email },
  previousRoles: row.previousRoles as OperatorRole[],
  roles: row.roles as OperatorRole[],
  reason: row.reason,
  note: row.note,
  ...toOperatorRequest(row, now),
});

type RequestRow = Pick<
  Selectable<OperatorChanges>,
  'requestedBy' | 'requestedAt' | 'expiresAt' | 'state' | 'decidedBy' | 'decidedAt'
> & { requesterName: string; deciderName: string | null };

/** The people, times and state of a request that another operator approves. */
export const toOperatorRequest = (row: RequestRow, now: Date) => ({
  requestedBy: { id: row.requestedBy, name: row.requesterName },
  requestedAt: row.requestedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  state: approvalStateAt(row, now),
  decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.deciderName ?? '' },
  decidedAt: row.decidedAt?.toISOString() ?? null,
});

/** Removes a former operator's name from the reasons and notes of changes. */
export async function eraseOperatorChanges(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update operator_changes set reason = ${withoutWords('reason', member)}, note = ${withoutWords('note', member)}
    where account_id = ${accountId}`.execute(tx);
}

/** Mails an owner who may approve a change, its requester, or the operator concerned. */
const mailTask = defineTask({
  name: 'operators.mail-change',
  payload: z.object({ changeId: z.uuid(), to: z.uuid(), state: z.string() }),
  queue: 'messages',
  async run({ db, mailer, config }, { changeId, to, state }) {
    const change = await requireChange(db, changeId);
    const reader = await db
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', to)
      .where('disabledAt', 'is', null)
      .executeTakeFirst();
    if (!reader || change.state !== state) return;
    const { heading, text } = mailWords(change, to);
    const isEnded = change.state === 'approved' && change.roles.length === 0 && to === change.accountId;
    await mailer.send(
      // English only, as the console is (ADR 176).
      composeMail(reader.email, `operator-change-${changeId}-${state}-${to}`, {
        subject: heading,
        heading,
        paragraphs: [text],
        action: isEnded
          ? undefined
          : { label: 'Open the console', url: `${config.PUBLIC_URL}/operator/team` },
        footnote: "You're receiving this because operators of Nearhand are changed by two owners.",
      }),
    );
  },
});

async function enqueueMail(tx: Tx, { changeId, to }: { changeId: string; to: string }): Promise<void> {
  const { state } = await requireChange(tx, changeId);
  await enqueue(tx, mailTask, { changeId, to, state }, { key: `operator-change/${changeId}/${state}/${to}` });
}

function mailWords(change: ChangeRow, to: string): { heading: string; text: string } {
  const { name, requesterName, deciderName, roles, note } = change;
  if (change.state === 'waiting')
    return {
      heading: `${requesterName} asks you to approve a change of operators`,
      text: `It's about ${name}. Read the reason in the console, and approve or refuse it within ${approvalLimits.hours} hours.`,
    };
  if (to === change.requestedBy) {
    const outcome = change.state === 'approved' ? 'approved' : 'refused';
    return {
      heading: `${deciderName} ${outcome} your change of operators`,
      text: `It was about ${name}.${note ? ` ${deciderName} wrote: ${note}` : ''}`,
    };
  }
  return roles.length === 0
    ? {
        heading: "You're no longer an operator of Nearhand",
        text: 'You were logged out everywhere. Your own account stays as it is: log in again to use it.',
      }
    : {
        heading: 'Your roles as an operator of Nearhand changed',
        text: `Your roles are now: ${roles.join(', ')}. The console takes a second step: set one up in your account settings if you have none.`,
      };
}

type OperatorMail = { subject: string; heading: string; text: string; path: string };

/** A mail to an operator, in English as the console is (ADR 176). */
export const operatorMail = (
  config: Pick<Config, 'PUBLIC_URL'>,
  to: string,
  key: string,
  mail: OperatorMail,
) =>
  composeMail(to, key.replaceAll('/', '-'), {
    subject: mail.subject,
    heading: mail.heading,
    paragraphs: [mail.text],
    action: { label: 'Open the case', url: `${config.PUBLIC_URL}/operator${mail.path}` },
    footnote: "You're receiving this because you are an operator of Nearhand.",
  });

export const operatorsTasks = [mailTask];

export const operatorsRoutes = {
  session: read(operators.session, ownSession),
  list: read(operators.list, listTeam),
  requestChange: write(operators.requestChange, requestChange),
  decideChange: write(operators.decideChange, decideChange),
  withdrawChange: write(operators.withdrawChange, withdrawChange),
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
