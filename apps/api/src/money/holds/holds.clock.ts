import { z } from 'zod';

/** The end of a checkout: the task and the key it is queued under. */
export const checkout = { name: 'holds.checkout', payload: z.object({ holdId: z.uuid() }) };
export const checkoutKey = (holdId: string): string => `${checkout.name}/${holdId}`;
