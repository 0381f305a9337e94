import { guestVote, help } from '@nearhand/contract/trust/help';
import { parseBody } from '../../platform/app-error.ts';
import { write } from '../../platform/http/bind.ts';
import { callerNetwork } from '../../platform/http/caller-network.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { voteAsGuest, voteOnArticle } from './help.service.ts';

export const helpRoutes = {
  vote: write(help.vote, voteOnArticle),
};

const voteBytes = 1_024;

/** `PUT /guest-help-votes`, outside the contract: its writes need a session (ADR 161). */
export const registerGuestVotes: PlainRoutes = (api, { db, scopeOf, limitWrites }) => {
  api.put('/guest-help-votes', { onRequest: limitWrites, bodyLimit: voteBytes }, async (request, reply) => {
    const input = parseBody(guestVote, request.body);
    const scope = scopeOf(request);
    const network = callerNetwork(request.ip);
    return reply.send(await db.transaction().execute((tx) => voteAsGuest(tx, scope, input, network)));
  });
};
