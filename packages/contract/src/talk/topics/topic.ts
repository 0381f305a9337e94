import type { Channel, NotificationTopic, TopicGroup } from '../notification-topics.ts';
import type { NoticeFacts } from './notice-facts.ts';
import { type Text, type Texts, text } from './text.ts';

/** A labelled value of a mail, such as the time of the work; omitted if it has no value. */
export type Fact = readonly [label: Text, value: string | Text | false];

/** The link's target, in words for docs/notifications.md. */
export const links = {
  application: "the worker's application",
  applicants: "the job's applicants",
  job: 'the job',
  search: 'the job, or the list of several',
  business: 'the business',
  team: 'the team',
  invitations: 'the business tab, with the invitation',
  verification: 'the verification of the business',
  checks: 'the checks of the person',
  interview: 'the interview',
  work: 'the engagement',
  giveaway: 'the giveaway',
  finished: 'the finished work',
  statement: 'the statement',
  invoices: 'the invoices',
  taxOffice: 'the report to the tax office',
  balance: 'the balance',
  conversation: 'the conversation',
  payment: 'the payment',
  settings: 'the notification settings',
  referrals: 'the invite page',
  request: 'the request to Nearhand',
  reports: 'their reports',
  reported: 'the conversation, or their reports after a dismissal',
  decision: 'the decision',
  reviews: 'the reviews',
};

/** Everything about one notification topic, for the inbox, pushes, mails, settings and docs. */
export type Topic<Name extends NotificationTopic = NotificationTopic> = {
  group: TopicGroup;
  /** "Either side" is notified of the other's action; "both sides" of an action by the clock or by us. */
  to: 'worker' | 'business' | 'either side' | 'both sides' | 'the person concerned' | 'the addressee';
  /** The occasion in words, printed in docs/notifications.md. */
  when: string;
  link: keyof typeof links;
  /** True if it ignores quiet hours. */
  urgent?: true;
  locked?: readonly Channel[];
  /** True if the notice requests an action from its reader, or only from the named side. */
  waiting?: true | 'worker' | 'business';
  /** True if notices that lead to the same screen are shown as one. */
  gathers?: true;

  /** An icon of the web app (`ui/art/icon-names.ts`). */
  icon: string;
  name: Text;
  /** The line in the inbox, the title of the push and the heading of the mail. */
  title(notice: NoticeFacts<Name>): Text;
  /** Below the title in the inbox, in the push, and first in the mail. */
  text(notice: NoticeFacts<Name>): Texts;
  /**
   * The quoted text: `note` is the note next to a reason, `all` the whole text. With `whole` the mail doesn't
   * cut it.
   */
  quote?: {
    part: 'note' | 'all';
    lead: Text;
    first?: true;
    whole?: true;
    only?: (notice: NoticeFacts) => boolean;
  };
  /** The button of the mail, and of the inbox while it requests an action. */
  button: Text | ((notice: NoticeFacts) => Text);
  mail: {
    subject(notice: NoticeFacts<Name>): Text;
    details?(notice: NoticeFacts<Name>): Texts;
    facts?(notice: NoticeFacts<Name>): readonly Fact[];
    /** The reason for sending it to its reader. */
    why: Text | ((notice: NoticeFacts) => Text);
  };
};

export type Topics = { [Name in NotificationTopic]?: Topic<Name> };

const applied = text("You're receiving this because you applied for this job on Nearhand.");
const hires = text("You're receiving this because you hire for this business on Nearhand.");
const works = text("You're receiving this because you were hired for this job on Nearhand.");

export const why = {
  applied,
  hires,
  application: ({ forBusiness }: NoticeFacts): Text => (forBusiness ? hires : applied),
  work: ({ forBusiness }: NoticeFacts): Text => (forBusiness ? hires : works),
  balance: text("You're receiving this because it's about your balance on Nearhand."),
};

export const theyWrote = { part: 'note', lead: text('They wrote') } as const;
export const contestOnce = text(
  "If you disagree, you can ask once for another review. Someone who didn't make this decision answers.",
);
export const reviewedAgain = text('We reviewed your report again');
export const stillDismissed = text(
  "Another person reviewed it and didn't find a breach of our rules. We won't review it again.",
);
/** Digital Services Act, article 21. */
export const settlement = text(
  'If you still disagree, you can ask a certified out-of-court settlement body to settle the dispute, or go to court.',
);
/** Says whether the spot of an ended offer or booking can be taken again; nothing if the work is over. */
export function spotAfter({ spotProblem }: NoticeFacts): Text | false {
  if (spotProblem === 'over') return false;
  if (spotProblem === 'offered') return text('The next person has an offer for the spot.');
  if (spotProblem === 'hidden')
    return text('The shift is paused, so nobody can apply. Open it, or offer it to someone else.');
  return spotProblem === 'in-review'
    ? text("We're checking the shift before workers see it, so nobody can apply yet.")
    : text('The spot is open again.');
}
/** True if recruiters have to find someone for the spot of an ended offer or booking. */
export const needsSomeone = ({ spotProblem }: NoticeFacts): boolean =>
  spotProblem === '' || spotProblem === 'hidden';
export const hireOnceFunded = text('Someone can be hired for it once the pay is set aside.');
export const otherJobsNearby = text('There are other jobs nearby.');
export const noAction = text('No action needed.');
export const forJob = text('For {job}.');
export const aboutJob = text('About {job}.');
export const replyBy = text('Reply by {by}.');

export const labels = {
  when: text('When'),
  pay: text('Pay'),
  amount: text('Amount'),
  hours: text('Hours'),
  planned: text('Planned'),
  replyBy: text('Reply by'),
  theyReplyBy: text("They'll reply by"),
};

export const workText = ({ when }: NoticeFacts): Text => (when ? text('{job}, {when}.') : forJob);

export const openWork = ({ forBusiness }: NoticeFacts): Text =>
  forBusiness ? text('View shift') : text('View my work');
