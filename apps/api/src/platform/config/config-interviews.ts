import { limits } from '@nearhand/contract/limits';
import { hoursBefore, whole } from './config-shapes.ts';

/** Settings for interviews; part of `settings` in config.ts. */
export const interviewSettings = {
  INTERVIEW_ANSWER_HOURS: {
    shape: whole(1, 720).default(limits.interviewAnswerHours),
    doc: 'Hours until an unanswered interview proposal lapses.',
  },
  INTERVIEW_RESCHEDULES_MAX: {
    shape: whole(0, 20).default(limits.interviewReschedulesMax),
    doc: 'Maximum reschedule requests per interview.',
  },
  INTERVIEW_RESCHEDULE_CLOSES_HOURS: {
    shape: whole(0, 168).default(limits.interviewRescheduleClosesHours),
    doc: 'Hours before an interview from which it can no longer be rescheduled.',
  },
  INTERVIEW_REMINDER_HOURS: {
    shape: hoursBefore.default([...limits.interviewReminderHours]),
    doc: 'Hours before an interview at which both sides are reminded, separated by commas.',
  },
  INTERVIEW_NO_SHOW_MINUTES: {
    shape: whole(0, 240).default(limits.interviewNoShowMinutes),
    doc: 'Minutes after the start of an interview from which a no-show can be reported.',
  },
} as const;
