import { facts, type GroupWords, why } from './notice-text.ts';

/** Mail about jobs and the business itself. */
export const jobWords: GroupWords<'job' | 'business'> = {
  'job-changed': ({ business, job }) => ({
    subject: `Changed: ${job}`,
    heading: `${business} changed ${job}`,
    paragraphs: ['Read it again and decide whether it still suits you. You can take your application back.'],
    action: 'Read the job',
    why: why.applied,
  }),
  'job-expiring': ({ job, expires }) => ({
    subject: `Closing soon: ${job}`,
    heading: `${job} will soon be hidden`,
    paragraphs: ['After that nobody new can find it. You can open it again at any time.'],
    facts: facts(['Open until', expires]),
    action: 'Open the job',
    why: why.hires,
  }),
  'job-expired': ({ job }) => ({
    subject: `No longer shown: ${job}`,
    heading: `${job} is no longer shown`,
    paragraphs: ['Its time ran out, or the work has begun. People who applied still wait for your answer.'],
    action: 'Open the job',
    why: why.hires,
  }),
  'business-verified': ({ business }) => ({
    subject: `${business} is verified`,
    heading: `${business} is verified`,
    paragraphs: ['Your jobs now show that, and you can have as many open as you need.'],
    action: 'Open my business',
    why: why.hires,
  }),
};
