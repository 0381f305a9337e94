import { z } from 'zod';
import type { TaskScope } from '../../platform/tasks.ts';

/** What the outcome of a charge needs; calls and tasks both have it. */
export type OutcomeScope = Pick<TaskScope, 'clock' | 'config' | 'sign' | 'unmailed'>;

const ofCharge = z.object({ chargeId: z.uuid() });

/** The tasks of the slice by name and payload, so that a service can enqueue what `payments.tasks.ts` runs. */
export const askTask = { name: 'payments.charge', payload: ofCharge };
export const cancelTask = { name: 'payments.cancel-charge', payload: ofCharge };
export const refundTask = { name: 'payments.refund', payload: z.object({ refundId: z.uuid() }) };
export const eventTask = { name: 'payments.event', payload: z.object({ eventId: z.string() }) };
export const reconcileTask = { name: 'payments.reconcile', payload: z.object({}).loose() };

export const askKey = (chargeId: string): string => `${askTask.name}/${chargeId}`;
export const cancelKey = (chargeId: string): string => `${cancelTask.name}/${chargeId}`;
export const refundKey = (refundId: string): string => `${refundTask.name}/${refundId}`;
export const eventKey = (eventId: string): string => `${eventTask.name}/${eventId}`;
