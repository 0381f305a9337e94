import { team } from '@nearhand/contract/people/team';
import { read, write, writeUnkept } from '../../platform/http/bind.ts';
import { listInvitations, openedInvitation } from './invitation-views.service.ts';
import { acceptInvitation, askForInvitation, declineInvitation } from './joining.service.ts';
import { ownerChange, undoOwnerChange } from './owner-changes.service.ts';
import { acceptOwnership, declineOwnership, offerOwnership, withdrawOwnership } from './ownership.service.ts';
import { changeMemberRole, leaveTeam, removeMember, teamLog, teamOf, thenTeam } from './team.service.ts';
import {
  createLink,
  invite,
  renewLink,
  resendInvitation,
  revokeInvitation,
} from './team-invitations.service.ts';

export const teamRoutes = {
  members: read(team.members, teamOf),
  invitations: read(team.invitations, listInvitations),
  log: read(team.log, teamLog),
  invite: write(team.invite, invite),
  createLink: writeUnkept(team.createLink, createLink),
  resend: write(team.resend, resendInvitation),
  renewLink: writeUnkept(team.renewLink, renewLink),
  revoke: write(team.revoke, revokeInvitation),
  opened: read(team.opened, openedInvitation),
  accept: write(team.accept, acceptInvitation),
  decline: write(team.decline, declineInvitation),
  ask: write(team.ask, askForInvitation),
  changeRole: write(team.changeRole, changeMemberRole),
  remove: write(team.remove, removeMember),
  leave: write(team.leave, leaveTeam),
  offerOwnership: write(team.offerOwnership, thenTeam(offerOwnership)),
  withdrawOwnership: write(team.withdrawOwnership, thenTeam(withdrawOwnership)),
  acceptOwnership: write(team.acceptOwnership, thenTeam(acceptOwnership)),
  declineOwnership: write(team.declineOwnership, thenTeam(declineOwnership)),
  ownerChange: read(team.ownerChange, ownerChange),
  undoOwnerChange: write(team.undoOwnerChange, undoOwnerChange),
};
