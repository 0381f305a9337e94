import { referrals } from '@nearhand/contract/work/referrals';
import { readReferralCode } from '@nearhand/contract/work/referrals.rules';
import type { FastifyInstance } from 'fastify';
import { read, write } from '../../platform/http/bind.ts';
import { claimReferral, listReferrals, myInvitations, viewInvitation } from './referrals.service.ts';
import { decideReferral } from './rewards.service.ts';

export const referralsRoutes = {
  mine: read(referrals.mine, myInvitations),
  list: read(referrals.list, listReferrals),
  claim: write(referrals.claim, claimReferral),
  invitation: read(referrals.invitation, viewInvitation),
  decide: write(referrals.decide, decideReferral),
};

/** `/r/CODE`: an invite link. Leads to the start of the app, which keeps the code until there is an account to claim it. */
export function registerInviteLinks(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>('/r/:code', (request, reply) => {
    const code = readReferralCode(request.params.code);
    return reply
      .header('cache-control', 'no-cache')
      .redirect(code === null ? '/getting-started' : `/getting-started?ref=${code}`, 302);
  });
}
