import { z } from 'zod';

/** The timer of an appeal's deadline. */
export const appealDeadline = { name: 'appeals.escalate', payload: z.object({ appealId: z.uuid() }) };
