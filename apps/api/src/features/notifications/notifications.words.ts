import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import type { MailWords } from '../../platform/mail-layout.ts';

export type NoticeData = Notification['data'];

type Words = Omit<MailWords, 'action' | 'footnote'> & { action: string; why: string };

const text = (data: NoticeData, name: string): string => String(data[name] ?? '');

/** A time in the zone of the job, with its weekday: `Thu 3 Dec, 18:40`. */
export function timeText(data: NoticeData, name: string): string {
  const at = new Date(text(data, name));
  if (Number.isNaN(at.getTime())) return '';
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: text(data, 'timeZone') || 'UTC',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((found) => found.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')}, ${part('hour')}:${part('minute')}`;
}

const deadline = (data: NoticeData, label: string) => ({ label, value: timeText(data, 'decideBy') });
const applied = 'You get this because you applied for this job on Nearhand.';
const hires = 'You get this because you hire for this business on Nearhand.';

/**
 * The words of each notice as mail. The app has its own, translated ones; both read the same `data`:
 * names (`jobTitle`, `businessName`, `workerName`), instants (`decideBy`, `expiresAt`) with `timeZone`, counts (`waiting`).
 */
export const noticeWords: Record<NotificationTopic, (data: NoticeData) => Words> = {
  'application-received': (data) => ({
    subject: `${text(data, 'workerName')} applied: ${text(data, 'jobTitle')}`,
    heading: `${text(data, 'workerName')} applied for ${text(data, 'jobTitle')}`,
    paragraphs: ['Have a look at the application and answer while they are still free.'],
    fact: deadline(data, 'Answer by'),
    action: 'See the applicants',
    why: hires,
  }),
  'application-viewed': (data) => ({
    subject: `${text(data, 'businessName')} has seen your application`,
    heading: `${text(data, 'businessName')} has seen your application`,
    paragraphs: [
      `It is for ${text(data, 'jobTitle')}. It can no longer be changed; you can still take it back.`,
    ],
    fact: deadline(data, 'They answer by'),
    action: 'Open my application',
    why: applied,
  }),
  'application-withdrawn': (data) => ({
    subject: `${text(data, 'workerName')} took an application back`,
    heading: `${text(data, 'workerName')} took their application back`,
    paragraphs: [`It was for ${text(data, 'jobTitle')}. There is nothing to do.`],
    action: 'See the applicants',
    why: hires,
  }),
  'application-changed': (data) => ({
    subject: `${text(data, 'workerName')} changed an application`,
    heading: `${text(data, 'workerName')} changed their application`,
    paragraphs: [`It is for ${text(data, 'jobTitle')}. You see the new version when you open it.`],
    action: 'See the applicants',
    why: hires,
  }),
  'application-nudge': (data) => ({
    subject: `${waiting(data)} for an answer: ${text(data, 'jobTitle')}`,
    heading: `${waiting(data)} for your answer`,
    paragraphs: [
      `They applied for ${text(data, 'jobTitle')}. An application without an answer ends by itself and is shown as not answered.`,
    ],
    fact: deadline(data, 'The first ends'),
    action: 'See the applicants',
    why: hires,
  }),
  'application-no-response': (data) =>
    data.side === 'business'
      ? {
          subject: `Not answered in time: ${text(data, 'workerName')}`,
          heading: `The application of ${text(data, 'workerName')} ended without an answer`,
          paragraphs: [`It was for ${text(data, 'jobTitle')}. They were told that no answer came.`],
          action: 'See the applicants',
          why: hires,
        }
      : {
          subject: `No answer from ${text(data, 'businessName')}`,
          heading: `${text(data, 'businessName')} did not answer in time`,
          paragraphs: [
            `Your application for ${text(data, 'jobTitle')} has ended. This says nothing about you; other jobs nearby are waiting.`,
          ],
          action: 'Open my application',
          why: applied,
        },
  'application-job-closed': (data) => ({
    subject: `Closed: ${text(data, 'jobTitle')}`,
    heading: `${text(data, 'businessName')} closed the job ${text(data, 'jobTitle')}`,
    paragraphs: ['Your application ended with it. Other jobs nearby are waiting.'],
    action: 'Open my application',
    why: applied,
  }),
  'job-changed': (data) => ({
    subject: `Changed: ${text(data, 'jobTitle')}`,
    heading: `${text(data, 'businessName')} changed ${text(data, 'jobTitle')}`,
    paragraphs: ['Read it again and decide whether it still suits you. You can take your application back.'],
    action: 'Read the job',
    why: applied,
  }),
  'job-expiring': (data) => ({
    subject: `Closing soon: ${text(data, 'jobTitle')}`,
    heading: `${text(data, 'jobTitle')} will soon be hidden`,
    paragraphs: ['After that nobody new can find it. You can open it again at any time.'],
    fact: { label: 'Open until', value: timeText(data, 'expiresAt') },
    action: 'Open the job',
    why: hires,
  }),
  'job-expired': (data) => ({
    subject: `No longer shown: ${text(data, 'jobTitle')}`,
    heading: `${text(data, 'jobTitle')} is no longer shown`,
    paragraphs: ['Its time ran out, or the work has begun. People who applied still wait for your answer.'],
    action: 'Open the job',
    why: hires,
  }),
  'business-verified': (data) => ({
    subject: `${text(data, 'businessName')} is verified`,
    heading: `${text(data, 'businessName')} is verified`,
    paragraphs: ['Your jobs now show that, and you can have as many open as you need.'],
    action: 'Open my business',
    why: hires,
  }),
  welcome: () => ({
    subject: 'Welcome to Nearhand',
    heading: 'Welcome to Nearhand',
    paragraphs: ['Work nearby, or people who do it: both are a few steps from here.'],
    action: 'Start',
    why: 'You get this because you opened an account with this address.',
  }),
};

function waiting(data: NoticeData): string {
  const count = Number(data.waiting ?? 1);
  const name = text(data, 'workerName');
  if (count <= 1) return `${name} waits`;
  return `${name} and ${count - 1} ${count === 2 ? 'other' : 'others'} wait`;
}
