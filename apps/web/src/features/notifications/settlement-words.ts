import { t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

/** The job with its hours and pay, as far as known. */
function sum({ job, hours, money }: NoticeFacts): string {
  if (hours && money) return t`For ${job}: ${hours}, ${money}.`;
  if (hours) return t`For ${job}: ${hours}.`;
  return money ? t`For ${job}: ${money}.` : t`For ${job}.`;
}
const answer = ({ by }: NoticeFacts): string | false => by !== '' && t`Answer by ${by}.`;

/** How it came to be approved, where it was not simply the business that did it. */
function approvedHow({ what, forBusiness, worker }: NoticeFacts): string {
  if (what === 'by-itself') return t`Nobody answered in time.`;
  if (what === 'counter-stood') return t`The hours proposed by the business stand.`;
  return what === 'accept-counter' && forBusiness ? t`${worker} agreed to your hours.` : '';
}

/** Hours, deliveries, their approval and disputes: what is paid for the work. */
export const settlementWords: GroupWords<'hours' | 'work' | 'changes' | 'dispute'> = {
  'hours-to-submit': ({ job, by }) => ({
    icon: 'timer',
    title: t`Submit your hours`,
    text: by ? t`For ${job}. By ${by}, or they are put in for you.` : t`For ${job}.`,
  }),
  'hours-submitted': (notice) => {
    const { forBusiness, worker, what } = notice;
    // The clock put them in, as planned or as recorded, because the worker did not.
    if (!forBusiness)
      return {
        icon: 'timer',
        title:
          what === 'recorded'
            ? t`The recorded hours were put in for you`
            : t`The planned hours were put in for you`,
        text: sum(notice),
      };
    const byClock = what === 'planned' || what === 'recorded';
    return {
      icon: 'timer',
      title: byClock ? t`Check the hours of ${worker}, who submitted none` : t`${worker} submitted hours`,
      text: sentences(sum(notice), answer(notice), notice.quote),
    };
  },
  'hours-countered': (notice) => {
    const { other } = notice;
    return {
      icon: 'arrows-clockwise',
      title: t`${other} proposes other hours`,
      text: sentences(sum(notice), answer(notice), notice.quote),
    };
  },
  'work-delivered': (notice) => {
    const { worker } = notice;
    return {
      icon: 'package',
      title: t`${worker} delivered`,
      text: sentences(sum(notice), answer(notice), notice.quote),
    };
  },
  'changes-requested': (notice) => {
    const { business, job, by } = notice;
    return {
      icon: 'note-pencil',
      title: t`${business} asks for changes`,
      text: sentences(t`For ${job}.`, by && t`Deliver again by ${by}.`, notice.quote),
    };
  },
  'work-approved': (notice) => {
    const { forBusiness, worker, business } = notice;
    return {
      icon: 'check-circle',
      title: forBusiness ? t`The work of ${worker} is approved` : t`Your work for ${business} is approved`,
      text: sentences(sum(notice), approvedHow(notice)),
    };
  },
  'dispute-opened': (notice) => {
    const { other, what, by } = notice;
    return {
      icon: 'warning-circle',
      title: t`Dispute about the pay with ${other}`,
      text:
        what === 'rounds'
          ? sentences(sum(notice), by && t`Propose an amount by ${by}.`)
          : sentences(sum(notice), answer(notice), what !== 'no-check-in' && notice.quote),
    };
  },
  'dispute-answered': (notice) => {
    const { other, by } = notice;
    return {
      icon: 'chats-circle',
      title: t`${other} answered your dispute`,
      text: sentences(sum(notice), by && t`Propose an amount by ${by}.`, notice.quote),
    };
  },
  'dispute-proposal': (notice) => {
    const { other } = notice;
    return {
      icon: 'hand-coins',
      title: t`${other} proposes an amount to settle on`,
      text: sentences(sum(notice), answer(notice), notice.quote),
    };
  },
  'dispute-escalated': ({ job, by }) => ({
    icon: 'shield-check',
    title: t`One of us now looks at your dispute`,
    text: sentences(t`For ${job}.`, by && t`It is decided by ${by}.`),
  }),
  'dispute-settled': (notice) => ({
    icon: 'check-circle',
    title: notice.what === 'decided' ? t`We decided your dispute` : t`Your dispute is settled`,
    text: sentences(sum(notice), notice.quote),
  }),
};
