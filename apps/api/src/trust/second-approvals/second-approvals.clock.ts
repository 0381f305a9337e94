import { z } from 'zod';

/** The timer that ends what nobody approved. */
export const approvalExpiry = {
  name: 'second-approvals.expire',
  payload: z.object({ approvalId: z.uuid() }),
};
