import { z } from 'zod';

/** The task that watches an application until it is answered, and its key. */
export const clockTaskName = 'applications.clock';
export const clockKey = (applicationId: string): string => `${clockTaskName}/${applicationId}`;

/** The clock task with its payload. */
export const clock = { name: clockTaskName, payload: z.object({ applicationId: z.uuid() }) };
