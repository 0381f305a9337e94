import { z } from 'zod';

/** The tasks of the slice: name and payload. */
export const clear = { name: 'payouts.clear', payload: z.object({ clearingId: z.uuid() }) };
export const send = { name: 'payouts.send', payload: z.object({ withdrawalId: z.uuid() }) };

export const clearKey = (clearingId: string): string => `payouts.clear/${clearingId}`;
export const sendKey = (withdrawalId: string): string => `payouts.send/${withdrawalId}`;
