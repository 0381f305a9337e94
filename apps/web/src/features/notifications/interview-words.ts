import { t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

/** What the interview is about, and when in the zone of the job. */
const about = ({ job, when }: NoticeFacts): string => (when ? t`About ${job}, ${when}.` : t`About ${job}.`);

/** Interviews, for both sides. */
export const interviewWords: GroupWords<'interview'> = {
  'interview-proposed': (notice) => {
    const { other, by } = notice;
    return {
      icon: 'chats-circle',
      title: t`${other} invites you to an interview`,
      text: sentences(about(notice), by ? t`Pick a time by ${by}.` : t`Pick a time.`, notice.quote),
    };
  },
  'interview-scheduled': (notice) => {
    const { other } = notice;
    return { icon: 'calendar-check', title: t`Your interview with ${other} is set`, text: about(notice) };
  },
  'interview-reschedule-asked': (notice) => {
    const { other, by } = notice;
    return {
      icon: 'arrows-clockwise',
      title: t`${other} asks to move your interview`,
      text: sentences(about(notice), by && t`Answer by ${by}.`, notice.quote),
    };
  },
  'interview-kept': (notice) => {
    const { other } = notice;
    return {
      icon: 'calendar-check',
      title: t`Your interview with ${other} stays at its old time`,
      text: about(notice),
    };
  },
  'interview-cancelled': (notice) => {
    const { other } = notice;
    return {
      icon: 'calendar-x',
      title: t`Your interview with ${other} is called off`,
      text: sentences(about(notice), notice.quote),
    };
  },
  'interview-lapsed': (notice) => {
    const { other, forBusiness, job } = notice;
    return {
      icon: 'clock-countdown',
      title: t`The interview with ${other} did not come about`,
      text: sentences(
        t`About ${job}.`,
        forBusiness
          ? t`No time was picked. You can propose others.`
          : t`No time was picked. They can propose others.`,
      ),
    };
  },
  'interview-reminder': (notice) => {
    const { other } = notice;
    return { icon: 'bell-ringing', title: t`Soon: your interview with ${other}`, text: about(notice) };
  },
  'interview-outcome-due': (notice) => {
    const { worker, by } = notice;
    return {
      icon: 'question',
      title: t`What came of the interview with ${worker}?`,
      text: sentences(about(notice), by && t`Answer by ${by}.`),
    };
  },
  'interview-no-show': (notice) => {
    const { other, by } = notice;
    return {
      icon: 'warning',
      title: t`${other} reported that you were not at the interview`,
      text: sentences(
        about(notice),
        by ? t`If that is not right, say so by ${by}.` : t`If that is not right, say so.`,
        notice.quote,
      ),
    };
  },
  'interview-contested': (notice) => {
    const { other } = notice;
    return {
      icon: 'info',
      title: t`${other} contested your report`,
      text: sentences(about(notice), notice.quote),
    };
  },
};
