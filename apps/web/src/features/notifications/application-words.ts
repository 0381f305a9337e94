import { plural, t } from '@lingui/core/macro';
import type { RejectReason } from '@nearhand/contract/applications';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

/** Why they turned somebody down: one of our reasons in words, a note of their own in quotes, or both. */
function rejection({ rejectReason, quote }: NoticeFacts): string {
  const words: Record<RejectReason, string> = {
    experience: t`They look for other experience.`,
    availability: t`The times did not fit.`,
    distance: t`The distance was too far for this work.`,
    answers: t`The answers to their questions did not fit.`,
    others: t`They went on with other applicants.`,
    other: '',
  };
  return sentences(rejectReason !== null && words[rejectReason], quote);
}

function waitingWho({ waiting, worker }: NoticeFacts): string {
  const others = waiting - 1;
  return others > 0
    ? t`${worker} and ${plural(others, { one: '# other wait', other: '# others wait' })} for your answer`
    : t`${worker} waits for your answer`;
}

/** Applications, from sending to their end before a hire. */
export const applicationWords: GroupWords<'application' | 'waitlist'> = {
  'application-received': ({ worker, job, by }) => ({
    icon: 'user-plus',
    title: t`${worker} applied`,
    text: by ? t`For ${job}. Answer by ${by}.` : t`For ${job}.`,
  }),
  'application-viewed': ({ business, job, by }) => ({
    icon: 'eye',
    title: t`${business} has seen your application`,
    text: by ? t`For ${job}. They answer by ${by}.` : t`For ${job}.`,
  }),
  'application-withdrawn': ({ worker, job }) => ({
    icon: 'arrow-counter-clockwise',
    title: t`${worker} took an application back`,
    text: t`For ${job}.`,
  }),
  'application-invitation-declined': ({ worker, job }) => ({
    icon: 'x-circle',
    title: t`${worker} said no to your invitation`,
    text: t`For ${job}.`,
  }),
  'application-changed': ({ worker, job }) => ({
    icon: 'note-pencil',
    title: t`${worker} changed an application`,
    text: t`For ${job}.`,
  }),
  'application-nudge': (notice) => {
    const { job, by } = notice;
    return {
      icon: 'hourglass',
      title: waitingWho(notice),
      text: by ? t`For ${job}. The first ends ${by}.` : t`For ${job}.`,
    };
  },
  'application-no-response': ({ forBusiness, worker, business, job }) =>
    forBusiness
      ? {
          icon: 'clock-countdown',
          title: t`Not answered in time: ${worker}`,
          text: t`For ${job}. They were told.`,
        }
      : {
          icon: 'clock-countdown',
          title: t`No answer from ${business}`,
          text: t`Your application for ${job} has ended.`,
        },
  'application-job-closed': ({ business, job }) => ({
    icon: 'prohibit',
    title: t`${business} closed a job`,
    text: t`Your application for ${job} ended with it.`,
  }),
  'application-shortlisted': ({ business, job }) => ({
    icon: 'star',
    title: t`${business} put you on the shortlist`,
    text: t`For ${job}. There is nothing to do now.`,
  }),
  'application-rejected': (notice) => {
    const { business, job } = notice;
    return {
      icon: 'x-circle',
      title: t`${business} does not go on with your application`,
      text: sentences(t`For ${job}.`, rejection(notice)),
    };
  },
  'application-position-filled': ({ business, job }) => ({
    icon: 'users-three',
    title: t`All seats are taken: ${job}`,
    text: t`${business} has hired; your application has ended.`,
  }),
  'application-invited': ({ business, job, when, by, quote }) => ({
    icon: 'megaphone',
    title: t`${business} invites you to apply`,
    text: sentences(when ? t`For ${job}, ${when}.` : t`For ${job}.`, by && t`Apply by ${by}.`, quote),
  }),
  'waitlist-joined': ({ forBusiness, worker, job }) =>
    forBusiness
      ? {
          icon: 'hourglass',
          title: t`${worker} is on the waitlist`,
          text: t`For ${job}. They are offered a seat that frees, in their turn.`,
        }
      : {
          icon: 'hourglass',
          title: t`You are on the waitlist`,
          text: t`For ${job}. You are offered a seat that frees, in your turn.`,
        },
};
