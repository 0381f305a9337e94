import { hourMs } from '@nearhand/contract/durations';
import type { OperatorRole } from '@nearhand/contract/operator-roles';
import type { OperatorChange, OperatorView } from '@nearhand/contract/trust/operators';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';
import type { OperatorChanges } from '../../platform/tables.gen.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { findAppointee, listOperators, lockOwners, rolesOf, setRoles } from './operators.ts';

const changesShown = 50;

/** Lists the operators with the latest changes of their roles, pending ones first. */
export async function listTeam(
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
    changes: changes.map((row) => viewChange(row, clock.now())),
  };
}

/**
 * Asks another owner to appoint someone, change their roles or end their appointment. Nothing changes until
 * the approval.
 */
export async function requestChange(
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
      expiresAt: new Date(now.getTime() + approvalLimits.hours * hourMs),
    })
    .onConflict((conflict) => conflict.column('accountId').where('state', '=', 'waiting').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('approval/waiting');
  for (const to of approvers) await enqueueMail(tx, { changeId: id, to });
  return viewChange(await requireChange(tx, id), now);
}

/**
 * Approves (and so makes) or refuses a change, for another owner than the one who asked and the operator
 * concerned. Approving withdraws it if those roles changed since or its requester is no owner any more.
 */
export async function decideChange(
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
  if (row.state === state && row.decidedBy === by) return viewChange(row, now);
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
  return viewChange(await requireChange(tx, changeId), now);
}

/** Makes the approved change; returns false if its requester is no owner any more or the roles changed since. */
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
export async function withdrawChange(
  tx: Tx,
  scope: Scope,
  { changeId }: { changeId: string },
): Promise<OperatorChange> {
  const row = await requireChange(tx, changeId, { lock: true });
  if (row.requestedBy !== scope.actor.accountId) throw new AppError('approval/not-found');
  const now = scope.clock.now();
  if (row.state === 'withdrawn') return viewChange(row, now);
  requireWaiting(row, now);
  return withdraw(tx, changeId, now);
}

async function withdraw(tx: Tx, changeId: string, now: Date): Promise<OperatorChange> {
  await tx
    .updateTable('operator_changes')
    .set({ state: 'withdrawn', decidedAt: now })
    .where('id', '=', changeId)
    .execute();
  return viewChange(await requireChange(tx, changeId), now);
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

const isOverdue = (row: ChangeRow, now: Date): boolean => row.state === 'waiting' && row.expiresAt <= now;

/** @throws approval/over (data: state) */
function requireWaiting(row: ChangeRow, now: Date): void {
  const state = isOverdue(row, now) ? 'expired' : row.state;
  if (state !== 'waiting') throw new AppError('approval/over', { state });
}

const viewChange = (row: ChangeRow, now: Date): OperatorChange => ({
  id: row.id,
  account: { id: row.accountId, name: row.name, email: row.email },
  previousRoles: row.previousRoles as OperatorRole[],
  roles: row.roles as OperatorRole[],
  reason: row.reason,
  requestedBy: { id: row.requestedBy, name: row.requesterName },
  requestedAt: row.requestedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  state: isOverdue(row, now) ? 'expired' : row.state,
  decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.deciderName ?? '' },
  decidedAt: row.decidedAt?.toISOString() ?? null,
  note: row.note,
});

/** Removes a former operator's name from the reasons and notes of changes. */
export async function eraseOperatorChanges(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update operator_changes set reason = ${withoutWords('reason', member)}, note = ${withoutWords('note', member)}
    where account_id = ${accountId}`.execute(tx);
}

const mailTask = {
  name: 'operators.mail-change',
  payload: z.object({ changeId: z.uuid(), to: z.uuid(), state: z.string() }),
};

async function enqueueMail(tx: Tx, { changeId, to }: { changeId: string; to: string }): Promise<void> {
  const { state } = await requireChange(tx, changeId);
  await enqueue(tx, mailTask, { changeId, to, state }, { key: `operator-change/${changeId}/${state}/${to}` });
}

/** Mails an owner who may approve a change, the one who asked, or the operator concerned. */
export const sendChangeMail = defineTask({
  ...mailTask,
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
