import { z } from 'zod';
import { id, operation } from '../operation.ts';
import { applicationMove, myApplication } from './applications.ts';

/** The waitlist of a filled job: freed spots are offered in order. */
export const waitlist = {
  join: operation({
    access: 'verified',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'application/not-waiting',
    ],
    effects: ['apply'],
  })
    .route(applicationMove('waitlist', 'Join the waitlist of a filled job'))
    .input(z.object({ applicationId: id }))
    .output(myApplication),
  leave: operation({
    access: 'verified',
    errors: ['application/not-found', 'application/not-allowed', 'application/wrong-state'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'DELETE',
      path: '/applications/{applicationId}/waitlist',
      summary: 'Leave the waitlist',
    })
    .input(z.object({ applicationId: id }))
    .output(myApplication),
};
