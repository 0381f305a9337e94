import { joinTeamPath, ownerChangePath, teamPath } from '@nearhand/contract/app-paths';
import { addMs, hourMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { TeamMoveName } from '@nearhand/contract/people/team';
import { teamLimits } from '@nearhand/contract/people/team.rules';
import type { Insertable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { formatsOf } from '../../platform/i18n.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, MailRefusedError, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, type MailText, type Phrase, phrase } from '../../platform/mail/mail-layout.ts';
import type { TeamMoves } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { type LockedTeam, lockTeam } from '../businesses/businesses.ts';
import { peopleHooks } from '../hooks.ts';
import { canUndo } from './invitation-views.ts';
import {
  areOwnersFrozen,
  endOffer,
  findOffer,
  findOwnerMove,
  findPerson,
  insertOwnerMove,
} from './team.sql.ts';
import {
  endInvitation,
  findInvitation,
  findInvitingBusiness,
  markUndelivered,
} from './team-invitations.sql.ts';

const mailPayload = z.object({ invitationId: z.uuid(), token: z.string(), sends: z.number().int() });
const invitationPayload = z.object({ invitationId: z.uuid() });
const ownershipPayload = z.object({ offerId: z.uuid() });
const ownerNews = z.object({ moveId: z.uuid(), accountId: z.uuid() });

export const sendInvitationTask = defineTask({
  name: 'team.send-invitation',
  payload: mailPayload,
  queue: 'messages',
  run: mailInvitation,
});
export const expireInvitationTask = defineTask({
  name: 'team.expire-invitation',
  payload: invitationPayload,
  run: endInvitationInTime,
});
export const expireOwnershipTask = defineTask({
  name: 'team.expire-ownership',
  payload: ownershipPayload,
  run: endOwnershipInTime,
});

export const sendOwnerNewsTask = defineTask({
  name: 'team.send-owner-news',
  payload: ownerNews,
  queue: 'messages',
  run: sendOwnerNews,
});

/**
 * Logs a member change and mails all owners, old and new.
 * @throws team/owners-frozen (ADR 164)
 */
export async function logMemberMove(
  tx: Tx,
  locked: LockedTeam,
  row: Insertable<TeamMoves> & { action: TeamMoveName },
): Promise<void> {
  const owners = [...locked.roles].filter(([, role]) => role === 'owner').map(([accountId]) => accountId);
  const isInvitation = row.action === 'invited' || row.action === 'resent';
  const concernsOwners = (row.fromRole === 'owner') !== (row.toRole === 'owner');
  if (concernsOwners && (await areOwnersFrozen(tx, locked.businessId)))
    throw new AppError('team/owners-frozen');
  const limit = locked.limits.get(row.accountId ?? '') ?? null;
  await insertOwnerMove(tx, {
    ...row,
    fromBranchIds: limit && [...limit],
    ownersBefore: concernsOwners && !isInvitation ? owners : null,
  });
  if (!concernsOwners) return;
  const newOwner = row.toRole === 'owner' && row.accountId ? [row.accountId] : [];
  for (const accountId of new Set([...owners, ...newOwner]))
    await enqueue(tx, sendOwnerNewsTask, { moveId: row.id, accountId });
}

/** A rejected address ends the task, since retrying is pointless. */
async function sendOwnerNews(
  { db, config, mailer, log }: TaskScope,
  { moveId, accountId }: z.infer<typeof ownerNews>,
): Promise<void> {
  const move = await findOwnerMove(db, moveId);
  if (!move) return;
  const { email } = await findPerson(db, accountId);
  const undoBy = (language: Language) =>
    new Intl.DateTimeFormat(formatsOf(language), {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: move.timeZone,
    }).format(undoEnd(move.at));
  const news = {
    to: email,
    move,
    undoBy: canUndo(move, accountId) ? undoBy : null,
    key: `owner-news-${moveId}-${accountId}`,
  };
  await sendUnlessRefused({ mailer, log }, ownerNewsMail(config.PUBLIC_URL, news));
}

/** Until this time, a change to a member can be undone. */
export const undoEnd = (at: Date): Date => addMs(at, teamLimits.undoHours * hourMs);

/** Deduplicates the timer, which is replaced when the invitation is resent. */
export const ownershipExpiryKey = (invitationId: string): string => `team-invitation/${invitationId}`;
export const ownershipKey = (offerId: string): string => `ownership-offer/${offerId}`;

/** Skips an invitation that ended or was resent, since its link would be dead. */
async function mailInvitation(
  { db, clock, config, mailer }: TaskScope,
  { invitationId, token, sends }: z.infer<typeof mailPayload>,
): Promise<void> {
  const row = await findInvitation(db, invitationId);
  if (!row || row.email === null || row.status !== 'open' || row.sends !== sends) return;
  if (row.expiresAt <= clock.now()) return;
  const business = await findInvitingBusiness(db, row.businessId);
  const until = (language: Language) =>
    new Intl.DateTimeFormat(formatsOf(language), { dateStyle: 'full', timeZone: business.timeZone }).format(
      row.expiresAt,
    );
  const mail = teamInvitationMail(config.PUBLIC_URL, {
    to: row.email,
    businessName: business.name,
    inviterName: row.inviterName,
    role: row.role,
    token,
    until,
    key: `team-invitation-${invitationId}-${sends}`,
  });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    await db.transaction().execute((tx) => markUndelivered(tx, invitationId, sends));
  }
}

/** A no-op if the invitation was answered, cancelled or resent. */
async function endInvitationInTime(
  { db, clock }: TaskScope,
  { invitationId }: z.infer<typeof invitationPayload>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await findInvitation(tx, invitationId);
    const now = clock.now();
    if (!row || row.expiresAt > now || !(await endInvitation(tx, row, 'expired'))) return;
    await insertOwnerMove(tx, {
      id: newId(now),
      businessId: row.businessId,
      action: 'expired',
      email: row.email,
      invitationId: row.id,
      toRole: row.role,
      at: now,
    });
  });
}

async function endOwnershipInTime(
  scope: TaskScope,
  { offerId }: z.infer<typeof ownershipPayload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const offer = await findOffer(tx, offerId);
    const now = scope.clock.now();
    if (!offer || offer.expiresAt > now) return;
    const { businessId, name } = await lockTeam(tx, offer.businessId);
    if (!(await endOffer(tx, offer, 'expired'))) return;
    await insertOwnerMove(tx, {
      id: newId(now),
      businessId,
      action: 'ownership-expired',
      accountId: offer.toAccountId,
      at: now,
    });
    await peopleHooks.on.teamChanged(tx, scope, {
      kind: 'ownership-expired',
      to: [offer.fromAccountId],
      business: { id: businessId, name },
      personName: offer.toName,
      role: 'owner',
      event: offer.id,
    });
  });
}

const asRole: Record<MemberRole, MailText> = {
  owner: phrase(
    "You'd be an owner. Owners can do everything, including managing the team and closing the business.",
  ),
  manager: phrase(
    "You'd be a manager. Managers post jobs, hire, pay, and manage recruiters, coordinators and finance members.",
  ),
  recruiter: phrase("You'd be a recruiter. Recruiters post jobs, choose applicants and approve work."),
  coordinator: phrase(
    "You'd be a coordinator. Coordinators post jobs, hire and run the day. They don't see the balance or release pay.",
  ),
  finance: phrase(
    "You'd be a finance member. Finance members manage cards, statements and invoices. They don't see applicants.",
  ),
};

const teamInvitationMail = (
  publicUrl: string,
  invitation: {
    to: string;
    businessName: string;
    inviterName: string;
    role: MemberRole;
    until: Phrase;
    token: string;
    key: string;
  },
): Mail =>
  composeMail(invitation.to, invitation.key, {
    subject: phrase('Join {business} on Nearhand', { business: invitation.businessName }),
    heading: phrase('{inviter} invited you to join {business}', {
      inviter: invitation.inviterName || invitation.businessName,
      business: invitation.businessName,
    }),
    paragraphs: [
      asRole[invitation.role],
      phrase('Log in or create an account with this email address to accept or decline.'),
    ],
    facts: [{ label: phrase('Works until'), value: invitation.until }],
    action: { label: phrase('View invitation'), url: `${publicUrl}${joinTeamPath(invitation.token)}` },
    footnote: phrase(
      "You're receiving this because someone at {business} entered your address. If you don't know them, ignore this email.",
      { business: invitation.businessName },
    ),
  });

type OwnerNews = {
  to: string;
  move: {
    id: string;
    businessId: string;
    businessName: string;
    action: TeamMoveName;
    toRole: string | null;
    actorName: string;
    subject: string;
  };
  undoBy: Phrase | null;
  key: string;
};

/** Sent to every owner, so that an unwanted change is noticed in time. */
function ownerNewsSubject({ action, toRole }: OwnerNews['move'], names: Record<string, string>) {
  if (action === 'invited' || action === 'resent')
    return phrase('{person} was invited to own {business}', names);
  if (action === 'owners-restored') return phrase('The owners of {business} were restored', names);
  return toRole === 'owner'
    ? phrase('{person} is now an owner of {business}', names)
    : phrase('{person} is no longer an owner of {business}', names);
}

function ownerNewsAdvice({ action }: OwnerNews['move'], undoBy: OwnerNews['undoBy']) {
  if (action === 'owners-restored')
    return phrase(
      "We're verifying the business again. Until then its owners can't change; everything else goes on as before.",
    );
  return undoBy === null
    ? phrase("If you don't know about this, check the team.")
    : phrase(
        "If you don't agree, undo it. Everyone who owned the business before is an owner again, and anyone who became one since no longer is.",
      );
}

function ownerNewsMail(publicUrl: string, { to, move, undoBy, key }: OwnerNews): Mail {
  const names = { business: move.businessName, person: move.subject, actor: move.actorName };
  const subject = ownerNewsSubject(move, names);
  const team = { label: phrase('View the team'), url: `${publicUrl}${teamPath(move.businessId)}` };
  return composeMail(to, key, {
    subject,
    heading: subject,
    paragraphs: [
      phrase('An owner can do everything in the business: change the team, pay, and close it.'),
      ownerNewsAdvice(move, undoBy),
    ],
    facts: [
      { label: phrase('Changed by'), value: move.actorName },
      ...(undoBy === null ? [] : [{ label: phrase('Can be undone until'), value: undoBy }]),
    ],
    action:
      undoBy === null
        ? team
        : { label: phrase('Check and undo'), url: `${publicUrl}${ownerChangePath(move.id)}` },
    footnote: phrase("You're receiving this because the owners of {business} changed.", names),
  });
}
