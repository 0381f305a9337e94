import { z } from 'zod';
import { operation } from '../operation.ts';
import { helpLimits } from './help.rules.ts';

export const articleSlug = z
  .string()
  .max(helpLimits.slugMax)
  .regex(/^[a-z]+(-[a-z]+)*$/);

const vote = z.object({ article: articleSlug, helpful: z.boolean() });

/** A guest's answer, sent to `PUT /api/guest-help-votes`. `device` is generated on the device. */
export const guestVote = vote.extend({
  device: z
    .string()
    .max(helpLimits.deviceMax)
    .regex(/^[\w-]{16,}$/),
});
export type GuestVote = z.infer<typeof guestVote>;

/** Articles are part of the app; the server counts who found them helpful. */
export const help = {
  vote: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'staff' })
    .route({
      method: 'PUT',
      path: '/help/votes/{article}',
      summary: 'Say whether an article was helpful; the last answer counts',
    })
    .input(vote)
    .output(vote),
};
