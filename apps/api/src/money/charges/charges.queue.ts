import { z } from 'zod';
import type { TaskScope } from '../../platform/tasks/tasks.ts';

/** What applying the outcome of a charge needs; requests and tasks both have it. */
export type OutcomeScope = Pick<TaskScope, 'clock' | 'config' | 'sign' | 'unmailed'>;

const ofCharge = z.object({ chargeId: z.uuid() });

/** Tasks by name and payload, so that a service can enqueue what `charges.tasks.ts` runs. Queued tasks carry the name, so it never changes. */
export const askTask = { name: 'payments.charge', payload: ofCharge };
export const cancelTask = { name: 'payments.cancel-charge', payload: ofCharge };
export const refundTask = { name: 'payments.refund', payload: z.object({ refundId: z.uuid() }) };

export const askKey = (chargeId: string): string => `${askTask.name}/${chargeId}`;
export const cancelKey = (chargeId: string): string => `${cancelTask.name}/${chargeId}`;
export const refundKey = (refundId: string): string => `${refundTask.name}/${refundId}`;
