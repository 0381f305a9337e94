import { z } from 'zod';

/** The end of a checkout, and the end of the time in which a no-show can be contested: what is enqueued and under which key it waits. */
export const checkout = { name: 'holds.checkout', payload: z.object({ holdId: z.uuid() }) };
export const checkoutKey = (holdId: string): string => `${checkout.name}/${holdId}`;

export const noShowEnd = { name: 'holds.no-show-end', payload: z.object({ engagementId: z.uuid() }) };
export const noShowEndKey = (engagementId: string): string => `${noShowEnd.name}/${engagementId}`;
