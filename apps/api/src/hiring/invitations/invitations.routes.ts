import { invitations } from '@nearhand/contract/hiring/invitations';
import { read, write } from '../../platform/http/bind.ts';
import { listCandidates } from './candidates.service.ts';
import { declineInvitation, inviteWorker, myInvitations } from './invitations.service.ts';

export const invitationsRoutes = {
  candidates: read(invitations.candidates, listCandidates),
  send: write(invitations.send, inviteWorker),
  mine: read(invitations.mine, myInvitations),
  decline: write(invitations.decline, declineInvitation),
};
