import { z } from 'zod';

const at = z.object({ interviewId: z.uuid(), startsAt: z.iso.datetime() });

/** The timers of an interview, with their payloads. */
export const lapse = { name: 'interviews.lapse', payload: z.object({ interviewId: z.uuid() }) };
export const reminder = { name: 'interviews.remind', payload: at.extend({ hours: z.number().int() }) };
export const outcomeDue = { name: 'interviews.ask-outcome', payload: at };

export const lapseKey = (interviewId: string): string => `interviews.lapse/${interviewId}`;
export const reminderKey = (interviewId: string, hours: number): string =>
  `interviews.remind/${interviewId}/${hours}`;
export const outcomeKey = (interviewId: string): string => `interviews.ask-outcome/${interviewId}`;
