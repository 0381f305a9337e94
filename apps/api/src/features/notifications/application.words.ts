import type { RejectReason } from '@nearhand/contract/applications';
import { facts, type GroupWords, lines, type NoticeText, theyWrote, why } from './notice-text.ts';

const rejectWords: Record<RejectReason, string> = {
  experience: 'They look for other experience.',
  availability: 'The times did not fit.',
  distance: 'The distance was too far for this work.',
  answers: 'The answers to their questions did not fit.',
  others: 'They went on with other applicants.',
  other: '',
};

/** Why they turned somebody down: one of our reasons in words, a note of their own in quotes, or both. */
const rejection = (notice: NoticeText) =>
  lines(notice.rejectReason !== null && rejectWords[notice.rejectReason], theyWrote(notice));

function waiting({ waiting: count, worker }: NoticeText): string {
  if (count <= 1) return `${worker} waits`;
  return `${worker} and ${count - 1} ${count === 2 ? 'other' : 'others'} wait`;
}

/** Mail about applications, from sending to their end before a hire. */
export const applicationWords: GroupWords<'application' | 'waitlist'> = {
  'application-received': ({ worker, job, by }) => ({
    subject: `${worker} applied: ${job}`,
    heading: `${worker} applied for ${job}`,
    paragraphs: ['Have a look at the application and answer while they are still free.'],
    facts: facts(['Answer by', by]),
    action: 'See the applicants',
    why: why.hires,
  }),
  'application-viewed': ({ business, job, by }) => ({
    subject: `${business} has seen your application`,
    heading: `${business} has seen your application`,
    paragraphs: [`It is for ${job}. It can no longer be changed; you can still take it back.`],
    facts: facts(['They answer by', by]),
    action: 'Open my application',
    why: why.applied,
  }),
  'application-withdrawn': ({ worker, job }) => ({
    subject: `${worker} took an application back`,
    heading: `${worker} took their application back`,
    paragraphs: [`It was for ${job}. There is nothing to do.`],
    action: 'See the applicants',
    why: why.hires,
  }),
  'application-invitation-declined': ({ worker, job }) => ({
    subject: `${worker} said no to your invitation: ${job}`,
    heading: `${worker} said no to your invitation`,
    paragraphs: [`It was for ${job}. You can invite somebody else.`],
    action: 'See the applicants',
    why: why.hires,
  }),
  'application-changed': ({ worker, job }) => ({
    subject: `${worker} changed an application`,
    heading: `${worker} changed their application`,
    paragraphs: [`It is for ${job}. You see the new version when you open it.`],
    action: 'See the applicants',
    why: why.hires,
  }),
  'application-nudge': (notice) => ({
    subject: `${waiting(notice)} for an answer: ${notice.job}`,
    heading: `${waiting(notice)} for your answer`,
    paragraphs: [
      `They applied for ${notice.job}. An application without an answer ends by itself and is shown as not answered.`,
    ],
    facts: facts(['The first ends', notice.by]),
    action: 'See the applicants',
    why: why.hires,
  }),
  'application-no-response': ({ forBusiness, worker, business, job }) =>
    forBusiness
      ? {
          subject: `Not answered in time: ${worker}`,
          heading: `The application of ${worker} ended without an answer`,
          paragraphs: [`It was for ${job}. They were told that no answer came.`],
          action: 'See the applicants',
          why: why.hires,
        }
      : {
          subject: `No answer from ${business}`,
          heading: `${business} did not answer in time`,
          paragraphs: [
            `Your application for ${job} has ended. This says nothing about you; other jobs nearby are waiting.`,
          ],
          action: 'Open my application',
          why: why.applied,
        },
  'application-job-closed': ({ business, job }) => ({
    subject: `Closed: ${job}`,
    heading: `${business} closed the job ${job}`,
    paragraphs: ['Your application ended with it. Other jobs nearby are waiting.'],
    action: 'Open my application',
    why: why.applied,
  }),
  'application-shortlisted': ({ business, job, by }) => ({
    subject: `${business} put you on the shortlist`,
    heading: `You are on the shortlist for ${job}`,
    paragraphs: [`${business} is interested. You hear from them next; there is nothing to do now.`],
    facts: facts(['They answer by', by]),
    action: 'Open my application',
    why: why.applied,
  }),
  'application-rejected': (notice) => ({
    subject: `${notice.business} chose not to go on: ${notice.job}`,
    heading: `${notice.business} does not go on with your application`,
    paragraphs: lines(`It was for ${notice.job}.`, ...rejection(notice), 'Other jobs nearby are waiting.'),
    action: 'Open my application',
    why: why.applied,
  }),
  'application-position-filled': ({ business, job }) => ({
    subject: `All places taken: ${job}`,
    heading: `All places for ${job} are taken`,
    paragraphs: [
      `${business} has hired for it, so your application has ended. Other jobs nearby are waiting.`,
    ],
    action: 'Open my application',
    why: why.applied,
  }),
  'application-invited': (notice) => ({
    subject: `${notice.business} invites you to apply: ${notice.job}`,
    heading: `${notice.business} invites you to apply for ${notice.job}`,
    paragraphs: lines(
      'They found that your profile suits it. Read the job and decide; you need not answer.',
      theyWrote(notice),
    ),
    facts: facts(['When', notice.when], ['Pay', notice.money], ['Apply by', notice.by]),
    action: 'Read the job',
    why: 'You get this because your profile on Nearhand suits this job.',
  }),
  'waitlist-joined': ({ forBusiness, worker, job, when }) =>
    forBusiness
      ? {
          subject: `${worker} is on the waitlist: ${job}`,
          heading: `${worker} asked to stay on the waitlist`,
          paragraphs: [`When a place for ${job} frees, they are offered it in their turn.`],
          facts: facts(['When', when]),
          action: 'See the applicants',
          why: why.hires,
        }
      : {
          subject: `You are on the waitlist: ${job}`,
          heading: `You are on the waitlist for ${job}`,
          paragraphs: [
            'When a place frees you are offered it in your turn. You can leave the list at any time.',
          ],
          facts: facts(['When', when]),
          action: 'Open my application',
          why: why.applied,
        },
};
