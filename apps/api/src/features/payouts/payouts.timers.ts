import { z } from 'zod';

/** What the slice has done later: what is enqueued and what it carries. */
export const clear = { name: 'payouts.clear', payload: z.object({ clearingId: z.uuid() }) };
export const send = { name: 'payouts.send', payload: z.object({ withdrawalId: z.uuid() }) };

export const clearKey = (clearingId: string): string => `payouts.clear/${clearingId}`;
export const sendKey = (withdrawalId: string): string => `payouts.send/${withdrawalId}`;
