import { t } from '@lingui/core/macro';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { TeamInvitationStatus, TeamMove } from '@nearhand/contract/people/team';
import { type Capability, canBeLimited } from '@nearhand/contract/people/team.rules';
import { joined } from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';
import { roleText } from '../businesses/role.labels.ts';

export function capabilityText(capability: Capability): string {
  switch (capability) {
    case 'view':
      return t`See the business, its branches and its team`;
    case 'jobs':
      return t`See, post, edit and close jobs`;
    case 'applicants':
      return t`See applicants, interview and hire`;
    case 'pools':
      return t`Keep saved workers (not if limited to branches)`;
    case 'messages':
      return t`Message applicants and workers`;
    case 'work':
      return t`Manage shifts: attendance, no-shows and days off`;
    case 'settle':
      return t`Propose other hours, and open and answer disputes`;
    case 'pay':
      return t`Approve hours, release pay and tip`;
    case 'spend':
      return t`Pay for offers`;
    case 'view-money':
      return t`See the balance and saved cards`;
    case 'money':
      return t`Add money, manage cards, and see statements and invoices`;
    case 'figures':
      return t`See the figures of the business`;
    case 'details':
      return t`Edit the business details`;
    case 'team':
      return t`Invite and manage recruiters, coordinators and finance`;
    case 'ownership':
      return t`Manage owners and managers, verify, close or hand over the business`;
  }
}

export function roleMeaning(role: MemberRole): string {
  switch (role) {
    case 'owner':
      return t`Can do everything, including managing owners and closing the business.`;
    case 'manager':
      return t`Runs the business: jobs, people, money and the team.`;
    case 'recruiter':
      return t`Posts jobs, hires, and approves and pays for work.`;
    case 'coordinator':
      return t`Posts jobs, hires and runs the day. Doesn't see the balance or release pay.`;
    case 'finance':
      return t`Approves hours, releases pay, and handles cards, statements and invoices. Doesn't hire or see applicants.`;
  }
}

export function invitationStatusText(status: TeamInvitationStatus): { label: string; tone?: Tone } {
  switch (status) {
    case 'open':
      return { label: t({ message: 'Open', context: 'state' }), tone: 'wait' };
    case 'accepted':
      return { label: t`Accepted`, tone: 'good' };
    case 'declined':
      return { label: t`Declined` };
    case 'expired':
      return { label: t`Expired` };
    case 'revoked':
      return { label: t`Cancelled` };
  }
}

export const branchText = (branches: readonly { name: string }[] | null): string | null =>
  branches && t`Only ${joined(...branches.map(({ name }) => name))}`;

export const branchProblem = (
  role: MemberRole,
  branchIds: readonly string[] | null,
): { branchIds?: string } =>
  canBeLimited(role) && branchIds?.length === 0 ? { branchIds: t`Choose at least one branch.` } : {};

export function teamMoveText({ action, actorName, subject, fromRole, toRole }: TeamMove): string {
  const who = actorName ?? t`Someone`;
  const whom = subject ?? t`someone`;
  const from = fromRole ? roleText(fromRole) : '';
  const to = toRole ? roleText(toRole) : '';
  switch (action) {
    case 'invited':
      return t`${who} invited ${whom} (${to})`;
    case 'link-created':
      return t`${who} created a link to join (${to})`;
    case 'resent':
      return t`${who} resent the invitation to ${whom}`;
    case 'link-renewed':
      return t`${who} replaced a link to join (${to})`;
    case 'revoked':
      return subject === null
        ? t`${who} cancelled a link to join`
        : t`${who} cancelled the invitation to ${whom}`;
    case 'declined':
      return t`${whom} declined the invitation`;
    case 'expired':
      return subject === null ? t`A link to join expired` : t`The invitation to ${whom} expired`;
    case 'joined':
      return t`${whom} joined (${to})`;
    case 'role-changed':
      return t`${who} changed ${whom} from ${from} to ${to}`;
    case 'branches-changed':
      return t`${who} changed the branches of ${whom}`;
    case 'removed':
      return t`${who} removed ${whom}`;
    case 'left':
      return t`${whom} left`;
    case 'ownership-offered':
      return t`${who} offered the business to ${whom}`;
    case 'ownership-withdrawn':
      return t`${who} withdrew the offer to ${whom}`;
    case 'ownership-declined':
      return t`${whom} declined to take over the business`;
    case 'ownership-expired':
      return t`The offer to ${whom} expired`;
    case 'ownership-accepted':
      return t`${whom} took over the business`;
    case 'owners-restored':
      return t`${who} restored the owners from before`;
  }
}
