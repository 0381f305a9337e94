import { z } from 'zod';
import { id, operation } from '../operation.ts';
import { shortIdPattern } from './public-pages.rules.ts';

/** The app's queries about public pages; the pages themselves are HTML outside the contract. */
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
