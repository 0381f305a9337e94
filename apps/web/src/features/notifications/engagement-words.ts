import { t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

const work = ({ job, when }: NoticeFacts): string => (when ? t`${job}, ${when}.` : t`For ${job}.`);

/** The work itself, from the hire to its last hour. */
export const engagementWords: GroupWords<'engagement'> = {
  'engagement-confirm-asked': (notice) => {
    const { job, when, by } = notice;
    return {
      icon: 'calendar-check',
      title: t`Please confirm that you come to ${job}`,
      text: sentences(when && t`${when}.`, by && t`Answer by ${by}.`),
    };
  },
  'engagement-confirmed': (notice) => {
    const { worker } = notice;
    return { icon: 'check-circle', title: t`${worker} confirmed`, text: work(notice) };
  },
  'engagement-not-confirmed': (notice) => {
    const { forBusiness, worker, by } = notice;
    return {
      icon: 'warning-circle',
      title: forBusiness ? t`${worker} has not confirmed yet` : t`You have not confirmed yet`,
      text: sentences(work(notice), by && !forBusiness && t`Answer by ${by}.`),
    };
  },
  'engagement-checked-in': (notice) => {
    const { worker } = notice;
    return { icon: 'map-pin', title: t`${worker} checked in`, text: work(notice) };
  },
  'engagement-cancelled': (notice) => {
    const { forBusiness, worker, business, compensation } = notice;
    return {
      icon: 'calendar-x',
      title: forBusiness ? t`${worker} called it off` : t`${business} called it off`,
      text: sentences(
        work(notice),
        compensation && !forBusiness && t`You get ${compensation} for it.`,
        notice.quote,
      ),
    };
  },
  'engagement-no-show': (notice) => {
    const { forBusiness, worker, business, by } = notice;
    return forBusiness
      ? {
          icon: 'warning',
          title: t`${worker} is reported as not there`,
          text: sentences(work(notice), by && t`They can contest it until ${by}.`),
        }
      : {
          icon: 'warning',
          title: t`${business} reported that you did not come`,
          text: sentences(
            work(notice),
            by ? t`If that is not right, say so by ${by}.` : t`If that is not right, say so.`,
            notice.quote,
          ),
        };
  },
  'engagement-contested': (notice) => {
    const { forBusiness, worker } = notice;
    return {
      icon: 'info',
      title: forBusiness ? t`${worker} says that they were there` : t`You contested the report`,
      text: sentences(work(notice), forBusiness && notice.quote),
    };
  },
  'engagement-no-show-decided': (notice) => {
    const { forBusiness, worker, money, what } = notice;
    const worked = forBusiness ? t`We decided that ${worker} worked` : t`We decided that you worked`;
    return {
      icon: 'shield-check',
      title: what === 'worked' ? worked : t`We decided that the report stands`,
      text: sentences(work(notice), money && t`The pay is ${money}.`, notice.quote),
    };
  },
};
