import { z } from 'zod';
import { operation } from '../operation.ts';
import { account } from './accounts.ts';

const versionMax = 40;

/** The terms and conditions that an account accepts. */
export const termsOfUse = {
  accept: operation({ access: 'verified', errors: ['request/invalid'] })
    .route({ method: 'POST', path: '/accounts/me/terms', summary: 'Accept the terms in force' })
    .input(z.object({ version: z.string().max(versionMax) }))
    .output(account),
};
