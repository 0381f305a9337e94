import { t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

/** The job, when it is and what it pays, as far as known. */
function terms({ job, when, money }: NoticeFacts): string {
  if (when && money) return t`${job}, ${when}, ${money}.`;
  if (when) return t`${job}, ${when}.`;
  return money ? t`${job}, ${money}.` : t`For ${job}.`;
}

/** Offers and hires. */
export const offerWords: GroupWords<'offer' | 'hired'> = {
  'offer-received': (notice) => {
    const { business, by } = notice;
    return {
      icon: 'briefcase',
      title: t`${business} offers you the job`,
      text: sentences(terms(notice), by && t`Answer by ${by}.`, notice.quote),
    };
  },
  'offer-reminder': (notice) => {
    const { business, by } = notice;
    return {
      icon: 'hourglass',
      title: t`${business} waits for your answer`,
      text: sentences(terms(notice), by ? t`The offer ends ${by}.` : t`The offer soon ends.`),
    };
  },
  'offer-accepted': (notice) => {
    const { worker } = notice;
    return { icon: 'check-circle', title: t`${worker} accepted your offer`, text: terms(notice) };
  },
  'offer-declined': (notice) => {
    const { worker } = notice;
    return {
      icon: 'x-circle',
      title: t`${worker} declined your offer`,
      text: sentences(terms(notice), t`The seat is free again.`, notice.quote),
    };
  },
  'offer-expired': (notice) => {
    const { forBusiness, worker, business } = notice;
    return forBusiness
      ? {
          icon: 'clock-countdown',
          title: t`${worker} did not answer your offer in time`,
          text: sentences(terms(notice), t`The seat is free again.`),
        }
      : {
          icon: 'clock-countdown',
          title: t`The offer of ${business} has ended`,
          text: sentences(terms(notice), t`It was not answered in time.`),
        };
  },
  'offer-withdrawn': (notice) => {
    const { business } = notice;
    return {
      icon: 'arrow-counter-clockwise',
      title: t`${business} took its offer back`,
      text: sentences(terms(notice), notice.quote),
    };
  },
  'hired-at-once': (notice) => {
    const { forBusiness, worker } = notice;
    return {
      icon: 'seal-check',
      title: forBusiness ? t`${worker} applied and is hired` : t`You are hired`,
      text: terms(notice),
    };
  },
};
