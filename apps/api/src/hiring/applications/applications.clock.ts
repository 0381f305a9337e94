import { z } from 'zod';

/** The task that watches an application until it is answered, and the key it waits under. */
export const clockTaskName = 'applications.clock';
export const clockKey = (applicationId: string): string => `${clockTaskName}/${applicationId}`;

/** The clock as a task: what is enqueued and what it carries. */
export const clock = { name: clockTaskName, payload: z.object({ applicationId: z.uuid() }) };
