import { z } from 'zod';

/** Tasks by name and payload; queued tasks carry the name, so it never changes. */
export const eventTask = { name: 'payments.event', payload: z.object({ eventId: z.string() }) };
export const reconcileTask = { name: 'payments.reconcile', payload: z.object({}).loose() };

export const eventKey = (eventId: string): string => `${eventTask.name}/${eventId}`;
