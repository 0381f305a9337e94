import { joinTeamPath } from '@nearhand/contract/app-paths';
import type { MemberRole } from '@nearhand/contract/operation';
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
