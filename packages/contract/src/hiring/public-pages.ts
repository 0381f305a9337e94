import { z } from 'zod';
import { id, operation } from '../operation.ts';
import { shortIdPattern } from './public-pages.rules.ts';

/** The pages themselves are HTML outside the contract; this is what the app asks about them. */
export const publicPages = {
  job: operation({ access: 'public', errors: ['job/not-found'] })
    .route({
      method: 'GET',
      path: '/public-jobs/{shortId}',
      summary: 'The job behind a public address, for links that open in the app',
    })
    .input(z.object({ shortId: z.string().regex(shortIdPattern) }))
    .output(z.object({ jobId: id })),
};
