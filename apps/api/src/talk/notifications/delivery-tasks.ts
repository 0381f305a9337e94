import { z } from 'zod';
import { deliverTaskName, digestTaskName } from './notifications.sql.ts';

/** Names and payloads of the tasks, separate from their code, which enqueues them again. */
export const deliverTask = { name: deliverTaskName, payload: z.object({ deliveryId: z.uuid() }) };
/** As `insertNotices` builds it too. */
export const deliverKey = (deliveryId: string): string => `${deliverTaskName}/${deliveryId}`;
export const digestTask = { name: digestTaskName, payload: z.object({ accountId: z.uuid() }) };
