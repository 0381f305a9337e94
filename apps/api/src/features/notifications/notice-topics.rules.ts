import {
  type Channel,
  type NotificationTopic,
  notificationTopics,
  type TopicGroup,
} from '@nearhand/contract/notifications';

const links = {
  application: 'the worker’s application',
  applicants: 'the applicants of the job',
  job: 'the job',
  business: 'the business',
  interview: 'the interview',
  work: 'the engagement',
  statement: 'the statement',
  balance: 'the balance',
  conversation: 'the conversation',
  payment: 'where it is paid',
  settings: 'the notification settings',
};

/** Who is told of a topic, on what occasion, by which ways and where a tap leads. `docs/notifications.md` is made from it. */
export type NoticeTopic = {
  /** The settings are arranged by it; some groups escalate. */
  group: TopicGroup;
  to: 'worker' | 'business' | 'either side' | 'both sides' | 'whoever asked';
  when: string;
  link: keyof typeof links;
  /** Passes quiet hours. */
  urgent?: true;
  /** Ways that cannot be turned off: money that moves, and what one's account is safe by. */
  locked?: readonly Channel[];
  /** Whether it asks its reader for something; of one side only where so named. */
  waiting?: true | 'worker' | 'business';
  /** Notices of it that lead to the same screen are shown as one. */
  gathers?: true;
};

export const linkText = ({ link, to }: NoticeTopic): string =>
  link === 'application' && to !== 'worker' ? `${links.application}; ${links.applicants}` : links[link];

/** Groups whose notices follow a push by mail when nobody saw it (product.md, Notification). */
const escalating: readonly TopicGroup[] = ['shift', 'money', 'interview', 'offers'];
export const escalates = ({ group }: NoticeTopic): boolean => escalating.includes(group);

const soon: readonly TopicGroup[] = ['interview', 'offers', 'shift'];
/** Whether its mail can wait for the daily one: nothing that is about times or an answer that runs out. */
export const canBeDaily = ({ group, urgent, locked }: NoticeTopic): boolean =>
  !urgent && !locked?.includes('email') && !soon.includes(group);

export const isLocked = ({ locked }: NoticeTopic, channel: Channel): boolean =>
  locked?.includes(channel) ?? false;

/** Which sides of the marketplace it concerns; nobody chooses about what concerns neither. */
export const sidesOf = ({ to }: NoticeTopic): ('work' | 'hire')[] =>
  to === 'worker' ? ['work'] : to === 'business' ? ['hire'] : to === 'whoever asked' ? [] : ['work', 'hire'];

/** The topics of a newer server may be in the database after a step back; nothing is known of them. */
export const knownTopic = (topic: string): NoticeTopic | undefined =>
  notificationTopics.some((known) => known === topic) ? noticeTopics[topic as NotificationTopic] : undefined;

type More = Omit<NoticeTopic, 'group' | 'to' | 'when' | 'link'>;
const about = (
  group: TopicGroup,
  to: NoticeTopic['to'],
  when: string,
  link: NoticeTopic['link'],
  more: More = {},
): NoticeTopic => ({ group, to, when, link, ...more });

/** "Either side" is told what the other did; "both sides" are told what a clock or we did, or whoever did not do it. */
export const noticeTopics: Record<NotificationTopic, NoticeTopic> = {
  'application-received': about('applications', 'business', 'a worker applied', 'applicants', {
    waiting: true,
    gathers: true,
  }),
  'application-viewed': about(
    'applications',
    'worker',
    'the business opened the application first',
    'application',
  ),
  'application-withdrawn': about('applications', 'business', 'the worker took it back', 'applicants', {
    gathers: true,
  }),
  'application-changed': about(
    'applications',
    'business',
    'the worker changed it before it was seen',
    'applicants',
    { gathers: true },
  ),
  'application-nudge': about('applications', 'business', 'days 3, 7 and 12 without an answer', 'applicants', {
    waiting: true,
  }),
  'application-no-response': about('applications', 'both sides', 'its decide-by passed', 'application'),
  'application-job-closed': about('applications', 'worker', 'the business closed the job', 'application'),
  'application-shortlisted': about(
    'applications',
    'worker',
    'the business put it on the shortlist',
    'application',
  ),
  'application-rejected': about('applications', 'worker', 'the business turned it down', 'application'),
  'application-position-filled': about(
    'applications',
    'worker',
    'the last seat went to others',
    'application',
  ),
  'application-invitation-declined': about(
    'applications',
    'business',
    'a worker said no to an invitation',
    'applicants',
    { gathers: true },
  ),
  'application-invited': about('applications', 'worker', 'a business invites them to apply', 'job', {
    waiting: true,
  }),
  'waitlist-joined': about('applications', 'either side', 'an applicant is on the waitlist', 'application'),
  'job-changed': about('jobs', 'worker', 'pay, hours, place or seats changed after applying', 'job'),
  'job-expiring': about('jobs', 'business', '5 days before the job is no longer shown', 'job'),
  'job-expired': about('jobs', 'business', 'the job is no longer shown', 'job'),
  'business-verified': about('account', 'business', 'the business was verified', 'business'),
  'interview-proposed': about('interview', 'worker', 'an interview was proposed', 'interview', {
    waiting: true,
  }),
  'interview-scheduled': about('interview', 'either side', 'the other picked a time', 'interview'),
  'interview-reschedule-asked': about('interview', 'either side', 'the other asks to move it', 'interview', {
    waiting: true,
  }),
  'interview-kept': about('interview', 'either side', 'the other keeps the old time', 'interview'),
  'interview-cancelled': about(
    'interview',
    'both sides',
    'it was called off, or its application ended',
    'interview',
    { urgent: true },
  ),
  'interview-lapsed': about('interview', 'both sides', 'nobody picked a time in time', 'interview'),
  'interview-reminder': about('interview', 'both sides', '24 hours and 1 hour before', 'interview', {
    urgent: true,
  }),
  'interview-outcome-due': about('interview', 'business', 'it is over and has no outcome', 'interview', {
    waiting: true,
  }),
  'interview-no-show': about(
    'interview',
    'either side',
    'the other reported that they did not come',
    'interview',
    { waiting: true },
  ),
  'interview-contested': about('interview', 'either side', 'the other contested the report', 'interview'),
  'offer-received': about('offers', 'worker', 'an offer was sent', 'application', { waiting: true }),
  'offer-reminder': about('offers', 'worker', 'an offer soon ends', 'application', {
    urgent: true,
    waiting: true,
  }),
  'offer-accepted': about('offers', 'business', 'the worker accepted', 'work'),
  'offer-declined': about('offers', 'business', 'the worker declined', 'applicants'),
  'offer-expired': about('offers', 'both sides', 'an offer was not answered in time', 'application'),
  'offer-withdrawn': about('offers', 'worker', 'the business took the offer back', 'application'),
  'hired-at-once': about('offers', 'both sides', 'an instant-hire job hired whoever applied', 'work', {
    urgent: true,
  }),
  'engagement-confirm-asked': about('shift', 'worker', '36 hours before the start', 'work', {
    waiting: true,
  }),
  'engagement-confirmed': about('shift', 'business', 'the worker confirmed', 'work'),
  'engagement-not-confirmed': about('shift', 'business', 'the worker did not confirm in time', 'work', {
    urgent: true,
  }),
  'engagement-checked-in': about('shift', 'business', 'the worker checked in', 'work'),
  'engagement-cancelled': about('shift', 'either side', 'the other called the work off', 'work', {
    urgent: true,
  }),
  'engagement-no-show': about('shift', 'worker', 'the business reported that they did not come', 'work', {
    waiting: true,
  }),
  'engagement-contested': about('shift', 'business', 'the worker contested the report', 'work'),
  'engagement-no-show-decided': about(
    'shift',
    'both sides',
    'an operator decided about what was contested',
    'work',
  ),
  'hours-to-submit': about('hours', 'worker', 'the shift is over', 'work', { waiting: true }),
  'hours-submitted': about(
    'hours',
    'both sides',
    'hours were submitted; the worker when a clock did it',
    'work',
    { waiting: 'business' },
  ),
  'hours-countered': about('hours', 'worker', 'the business proposes other hours', 'work', { waiting: true }),
  'work-delivered': about('hours', 'business', 'the worker delivered a task', 'work', { waiting: true }),
  'changes-requested': about('hours', 'worker', 'the business asks for changes', 'work', { waiting: true }),
  'work-approved': about('hours', 'both sides', 'hours or a delivery were approved', 'work'),
  'dispute-opened': about(
    'hours',
    'either side',
    'the other opened one; both when it opened by itself',
    'work',
    { waiting: true },
  ),
  'dispute-answered': about('hours', 'either side', 'the other answered it', 'work'),
  'dispute-proposal': about('hours', 'either side', 'the other proposes an amount', 'work', {
    waiting: true,
  }),
  'dispute-escalated': about('hours', 'both sides', 'it was not settled in time', 'work'),
  'dispute-settled': about('hours', 'both sides', 'it has an amount', 'work'),
  'hold-unpaid': about('money', 'business', 'an offer was not funded within 15 minutes', 'applicants', {
    locked: ['app'],
  }),
  'payment-failed': about('money', 'business', 'a card was refused', 'applicants', {
    urgent: true,
    locked: ['app'],
    waiting: true,
  }),
  'payment-missing': about('money', 'business', 'agreed pay was not covered by its hold', 'work', {
    locked: ['app', 'email'],
    waiting: true,
  }),
  'payment-needs-confirmation': about(
    'money',
    'business',
    'the bank of a card asks its owner to confirm a payment',
    'payment',
    { urgent: true, locked: ['app'], waiting: true },
  ),
  'seat-unfunded': about('money', 'business', 'a freed seat of an instant hire could not be funded', 'job', {
    locked: ['app'],
    waiting: true,
  }),
  'payment-refunded': about('money', 'business', 'money of the balance went back to a card', 'statement', {
    locked: ['app'],
    gathers: true,
  }),
  'payment-refund-failed': about(
    'money',
    'business',
    'it could not go back to the card, and is in the balance again',
    'statement',
    { locked: ['app', 'email'] },
  ),
  'chargeback-opened': about('money', 'business', 'a card’s owner disputes a payment', 'statement', {
    locked: ['app', 'email'],
  }),
  'chargeback-closed': about('money', 'business', 'the bank decided about it', 'statement', {
    locked: ['app'],
  }),
  'payment-released': about(
    'money',
    'worker',
    'undisputed, owed or compensation pay was released',
    'balance',
    { locked: ['app'] },
  ),
  'tip-received': about('money', 'worker', 'a tip or bonus was paid', 'balance', { locked: ['app'] }),
  'money-cleared': about('money', 'worker', 'pay became available', 'balance', { locked: ['app'] }),
  'withdrawal-requested': about('money', 'worker', 'a withdrawal was asked for', 'balance', {
    urgent: true,
    locked: ['app', 'email'],
  }),
  'withdrawal-sent': about('money', 'worker', 'a withdrawal is on its way', 'balance', {
    locked: ['app', 'email'],
  }),
  'withdrawal-paid': about('money', 'worker', 'a withdrawal arrived', 'balance', { locked: ['app'] }),
  'withdrawal-failed': about('money', 'worker', 'a withdrawal failed', 'balance', {
    locked: ['app', 'email'],
    waiting: true,
  }),
  'withdrawal-returned': about('money', 'worker', 'the bank sent a withdrawal back', 'balance', {
    locked: ['app', 'email'],
    waiting: true,
  }),
  'payout-method-added': about('account', 'worker', 'a bank account was added', 'balance', {
    urgent: true,
    locked: ['app', 'email'],
  }),
  'identity-checked': about('account', 'worker', 'the payout identity was decided', 'balance'),
  'message-received': about(
    'messages',
    'either side',
    'the other wrote; told anew in place while unread',
    'conversation',
  ),
  'report-decided': about(
    'account',
    'both sides',
    'an operator decided about a report of a conversation, or lets both write again',
    'conversation',
    { locked: ['app', 'email'] },
  ),
  'test-notice': about('account', 'whoever asked', 'they asked for a test', 'settings', {
    urgent: true,
    locked: ['app', 'push', 'email'],
  }),
};
