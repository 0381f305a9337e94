import type { NotificationTopic } from '@nearhand/contract/notifications';

const links = {
  application: 'the worker’s application',
  applicants: 'the applicants of the job',
  job: 'the job',
  business: 'the business',
  interview: 'the interview',
  work: 'the engagement',
  statement: 'the statement',
  balance: 'the balance',
};

/** Who is told of a topic, on what occasion, and where a tap leads. `docs/notifications.md` is made from it. */
export type NoticeTopic = {
  to: 'worker' | 'business' | 'either side' | 'both sides';
  when: string;
  link: keyof typeof links;
};

export const linkText = ({ link, to }: NoticeTopic): string =>
  link === 'application' && to !== 'worker' ? `${links.application}; ${links.applicants}` : links[link];

/** "Either side" is told what the other did; "both sides" are told what a clock or we did, or whoever did not do it. */
export const noticeTopics: Record<NotificationTopic, NoticeTopic> = {
  'application-received': { to: 'business', when: 'a worker applied', link: 'applicants' },
  'application-viewed': {
    to: 'worker',
    when: 'the business opened the application first',
    link: 'application',
  },
  'application-withdrawn': { to: 'business', when: 'the worker took it back', link: 'applicants' },
  'application-changed': {
    to: 'business',
    when: 'the worker changed it before it was seen',
    link: 'applicants',
  },
  'application-nudge': { to: 'business', when: 'days 3, 7 and 12 without an answer', link: 'applicants' },
  'application-no-response': { to: 'both sides', when: 'its decide-by passed', link: 'application' },
  'application-job-closed': { to: 'worker', when: 'the business closed the job', link: 'application' },
  'application-shortlisted': {
    to: 'worker',
    when: 'the business put it on the shortlist',
    link: 'application',
  },
  'application-rejected': { to: 'worker', when: 'the business turned it down', link: 'application' },
  'application-position-filled': { to: 'worker', when: 'the last seat went to others', link: 'application' },
  'application-invited': { to: 'worker', when: 'a business invites them to apply', link: 'job' },
  'waitlist-joined': { to: 'either side', when: 'an applicant is on the waitlist', link: 'application' },
  'job-changed': { to: 'worker', when: 'pay, hours, place or seats changed after applying', link: 'job' },
  'job-expiring': { to: 'business', when: '5 days before the job is no longer shown', link: 'job' },
  'job-expired': { to: 'business', when: 'the job is no longer shown', link: 'job' },
  'business-verified': { to: 'business', when: 'the business was verified', link: 'business' },
  'interview-proposed': { to: 'worker', when: 'an interview was proposed', link: 'interview' },
  'interview-scheduled': { to: 'either side', when: 'the other picked a time', link: 'interview' },
  'interview-reschedule-asked': { to: 'either side', when: 'the other asks to move it', link: 'interview' },
  'interview-kept': { to: 'either side', when: 'the other keeps the old time', link: 'interview' },
  'interview-cancelled': {
    to: 'both sides',
    when: 'it was called off, or its application ended',
    link: 'interview',
  },
  'interview-lapsed': { to: 'both sides', when: 'nobody picked a time in time', link: 'interview' },
  'interview-reminder': { to: 'both sides', when: '24 hours and 1 hour before', link: 'interview' },
  'interview-outcome-due': { to: 'business', when: 'it is over and has no outcome', link: 'interview' },
  'interview-no-show': {
    to: 'either side',
    when: 'the other reported that they did not come',
    link: 'interview',
  },
  'interview-contested': { to: 'either side', when: 'the other objects to the report', link: 'interview' },
  'offer-received': { to: 'worker', when: 'an offer was sent', link: 'application' },
  'offer-reminder': { to: 'worker', when: 'an offer soon ends', link: 'application' },
  'offer-accepted': { to: 'business', when: 'the worker accepted', link: 'work' },
  'offer-declined': { to: 'business', when: 'the worker declined', link: 'applicants' },
  'offer-expired': { to: 'both sides', when: 'an offer was not answered in time', link: 'application' },
  'offer-withdrawn': { to: 'worker', when: 'the business took the offer back', link: 'application' },
  'hired-at-once': { to: 'both sides', when: 'an instant-hire job hired whoever applied', link: 'work' },
  'engagement-confirm-asked': { to: 'worker', when: '36 hours before the start', link: 'work' },
  'engagement-confirmed': { to: 'business', when: 'the worker confirmed', link: 'work' },
  'engagement-not-confirmed': { to: 'business', when: 'the worker did not confirm in time', link: 'work' },
  'engagement-checked-in': { to: 'business', when: 'the worker checked in', link: 'work' },
  'engagement-cancelled': { to: 'either side', when: 'the other called the work off', link: 'work' },
  'engagement-no-show': { to: 'worker', when: 'the business reported that they did not come', link: 'work' },
  'engagement-contested': { to: 'business', when: 'the worker objects to the report', link: 'work' },
  'engagement-no-show-decided': {
    to: 'both sides',
    when: 'an operator decided about the objection',
    link: 'work',
  },
  'hours-to-submit': { to: 'worker', when: 'the shift is over', link: 'work' },
  'hours-submitted': {
    to: 'both sides',
    when: 'hours were submitted; the worker when a clock did it',
    link: 'work',
  },
  'hours-countered': { to: 'worker', when: 'the business proposes other hours', link: 'work' },
  'work-delivered': { to: 'business', when: 'the worker delivered a task', link: 'work' },
  'changes-requested': { to: 'worker', when: 'the business asks for changes', link: 'work' },
  'work-approved': { to: 'both sides', when: 'hours or a delivery were approved', link: 'work' },
  'dispute-opened': {
    to: 'either side',
    when: 'the other opened one; both when it opened by itself',
    link: 'work',
  },
  'dispute-answered': { to: 'either side', when: 'the other answered it', link: 'work' },
  'dispute-proposal': { to: 'either side', when: 'the other proposes an amount', link: 'work' },
  'dispute-escalated': { to: 'both sides', when: 'it was not settled in time', link: 'work' },
  'dispute-settled': { to: 'both sides', when: 'it has an amount', link: 'work' },
  'hold-unpaid': { to: 'business', when: 'an offer was not funded within 15 minutes', link: 'applicants' },
  'payment-failed': { to: 'business', when: 'a card was refused', link: 'applicants' },
  'payment-missing': { to: 'business', when: 'agreed pay was not covered by its hold', link: 'work' },
  'chargeback-opened': { to: 'business', when: 'a card’s owner disputes a payment', link: 'statement' },
  'chargeback-closed': { to: 'business', when: 'the bank decided about it', link: 'statement' },
  'payment-released': {
    to: 'worker',
    when: 'undisputed, owed or compensation pay was released',
    link: 'balance',
  },
  'tip-received': { to: 'worker', when: 'a tip or bonus was paid', link: 'balance' },
  'money-cleared': { to: 'worker', when: 'pay became available', link: 'balance' },
  'withdrawal-sent': { to: 'worker', when: 'a withdrawal is on its way', link: 'balance' },
  'withdrawal-paid': { to: 'worker', when: 'a withdrawal arrived', link: 'balance' },
  'withdrawal-failed': { to: 'worker', when: 'a withdrawal failed', link: 'balance' },
  'withdrawal-returned': { to: 'worker', when: 'the bank sent a withdrawal back', link: 'balance' },
  'payout-method-added': { to: 'worker', when: 'a bank account was added', link: 'balance' },
  'identity-checked': { to: 'worker', when: 'the payout identity was decided', link: 'balance' },
};
