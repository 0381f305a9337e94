import { joinTeamPath, ownerChangePath, teamPath } from '@nearhand/contract/app-paths';
import type { MemberRole } from '@nearhand/contract/operation';
import type { TeamMoveName } from '@nearhand/contract/people/team';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, type Phrase, type Said, say } from '../../platform/mail/mail-layout.ts';

const asRole: Record<MemberRole, Said> = {
  owner: say(
    "You'd be an owner. Owners can do everything, including managing the team and closing the business.",
  ),
  manager: say(
    "You'd be a manager. Managers post jobs, hire, pay, and manage recruiters and finance members.",
  ),
  recruiter: say("You'd be a recruiter. Recruiters post jobs, choose applicants and approve work."),
  finance: say(
    "You'd be a finance member. Finance members manage cards, statements and invoices. They don't see applicants.",
  ),
};

/** The link opens the invitation, where they sign in or create an account and then accept or decline. */
export const teamInvitationMail = (
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
    subject: say('Join {business} on Nearhand', { business: invitation.businessName }),
    heading: say('{inviter} invited you to join {business}', {
      inviter: invitation.inviterName || invitation.businessName,
      business: invitation.businessName,
    }),
    paragraphs: [
      asRole[invitation.role],
      say('Log in or create an account with this email address to accept or decline.'),
    ],
    facts: [{ label: say('Works until'), value: invitation.until }],
    action: { label: say('View invitation'), url: `${publicUrl}${joinTeamPath(invitation.token)}` },
    footnote: say(
      "You're receiving this because someone at {business} entered your address. If you don't know them, ignore this email.",
      { business: invitation.businessName },
    ),
  });

export type OwnerNews = {
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
  /** Until when the reader can undo it; null if they can't. */
  undoBy: Phrase | null;
  key: string;
};

/** Sent to every owner, so that an unwanted owner, or an unwanted end of one, is noticed in time. */
export function ownerNewsMail(publicUrl: string, { to, move, undoBy, key }: OwnerNews): Mail {
  const names = { business: move.businessName, person: move.subject, actor: move.actorName };
  const subject =
    move.action === 'invited' || move.action === 'resent'
      ? say('{person} was invited to own {business}', names)
      : move.action === 'owners-restored'
        ? say('The owners of {business} were restored', names)
        : move.toRole === 'owner'
          ? say('{person} is now an owner of {business}', names)
          : say('{person} is no longer an owner of {business}', names);
  const team = { label: say('View the team'), url: `${publicUrl}${teamPath(move.businessId)}` };
  return composeMail(to, key, {
    subject,
    heading: subject,
    paragraphs: [
      say('An owner can do everything in the business: change the team, pay, and close it.'),
      undoBy === null
        ? say("If you don't know about this, check the team.")
        : say(
            "If you don't agree, undo it. Everyone who owned the business before is an owner again, and anyone who became one since no longer is.",
          ),
    ],
    facts: [
      { label: say('Changed by'), value: move.actorName },
      ...(undoBy === null ? [] : [{ label: say('Can be undone until'), value: undoBy }]),
    ],
    action:
      undoBy === null
        ? team
        : { label: say('Check and undo'), url: `${publicUrl}${ownerChangePath(move.id)}` },
    footnote: say("You're receiving this because the owners of {business} changed.", names),
  });
}
