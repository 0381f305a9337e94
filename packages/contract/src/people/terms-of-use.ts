import { z } from 'zod';
import { instant, line, operation } from '../operation.ts';
import { account } from './accounts.ts';

const versionMax = 40;

const acceptance = z.object({ version: z.string(), acceptedAt: instant, inForce: z.boolean() });

export const termsOfUse = {
  accepted: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/accounts/me/terms',
      summary: 'Versions of the terms you accepted, newest first (at most 100)',
    })
    .output(z.array(acceptance)),
  accept: operation({
    access: 'signed-in',
    errors: ['request/invalid'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({ method: 'POST', path: '/accounts/me/terms', summary: 'Accept the terms in force' })
    .input(z.object({ version: line(versionMax) }))
    .output(account),
};
