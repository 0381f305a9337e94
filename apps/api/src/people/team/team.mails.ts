import { joinTeamPath } from '@nearhand/contract/app-paths';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';

const roleWords: Record<MemberRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  recruiter: 'a recruiter',
  finance: 'a finance member',
};

const whatTheyDo: Record<MemberRole, string> = {
  owner: 'Owners can do everything, including managing the team and closing the business.',
  manager: 'Managers post jobs, hire, pay, and manage recruiters and finance members.',
  recruiter: 'Recruiters post jobs, choose applicants and approve work.',
  finance: "Finance members manage cards, statements and invoices. They don't see applicants.",
};

/** The link opens the invitation, where they sign in or create an account and then accept or decline. */
export const teamInvitationMail = (
  publicUrl: string,
  invitation: {
    to: string;
    businessName: string;
    inviterName: string;
    role: MemberRole;
    until: string;
    token: string;
    key: string;
  },
): Mail =>
  composeMail(invitation.to, invitation.key, {
    subject: `Join ${invitation.businessName} on Nearhand`,
    heading: `${invitation.inviterName || invitation.businessName} invited you to join ${invitation.businessName}`,
    paragraphs: [
      `You'd be ${roleWords[invitation.role]}. ${whatTheyDo[invitation.role]}`,
      'Log in or create an account with this email address to accept or decline.',
    ],
    facts: [{ label: 'Works until', value: invitation.until }],
    action: { label: 'View invitation', url: `${publicUrl}${joinTeamPath(invitation.token)}` },
    footnote: `You're receiving this because someone at ${invitation.businessName} entered your address. If you don't know them, ignore this email.`,
  });
