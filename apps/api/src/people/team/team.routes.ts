import { type Team, team } from '@nearhand/contract/people/team';
import type { Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { listInvitations, openedInvitation } from './invitation-views.ts';
import {
  acceptInvitation,
  acceptReceived,
  askForInvitation,
  declineInvitation,
  declineReceived,
  receivedInvitations,
} from './joining.ts';
import { acceptOwnership, declineOwnership, offerOwnership, withdrawOwnership } from './ownership.ts';
import {
  changeMemberRole,
  leaveTeam,
  myRemovals,
  ownerChange,
  removeMember,
  teamLog,
  teamOf,
  undoOwnerChange,
} from './team.ts';
import {
  createLink,
  invite,
  renewInvitationLink,
  resendInvitation,
  revokeInvitation,
} from './team-invitations.ts';
import {
  expireInvitationTask,
  expireOwnershipTask,
  sendInvitationTask,
  sendOwnerNewsTask,
} from './team-timers.ts';

/** Runs a change, which checks access, and returns the team after it. */
const thenTeam =
  <Input extends { businessId: string }>(change: (tx: Tx, scope: Scope, input: Input) => Promise<void>) =>
  async (tx: Tx, scope: Scope, input: Input): Promise<Team> => {
    await change(tx, scope, input);
    return teamOf(tx, scope, { businessId: input.businessId });
  };

export const teamTasks = [sendInvitationTask, sendOwnerNewsTask, expireInvitationTask, expireOwnershipTask];

export const teamRoutes = {
  members: read(team.members, teamOf),
  removals: read(team.removals, myRemovals),
  invitations: read(team.invitations, listInvitations),
  log: read(team.log, teamLog),
  invite: write(team.invite, invite),
  createLink: write(team.createLink, createLink, { stored: false }),
  resend: write(team.resend, resendInvitation),
  renewLink: write(team.renewLink, renewInvitationLink, { stored: false }),
  revoke: write(team.revoke, revokeInvitation),
  opened: read(team.opened, openedInvitation),
  received: read(team.received, receivedInvitations),
  acceptReceived: write(team.acceptReceived, acceptReceived),
  declineReceived: write(team.declineReceived, declineReceived),
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
