import type { CaseKind } from '../case-kinds.ts';

export const caseLimits = {
  noteMax: 2_000,
  searchMax: 200,
  /** People on the sides of a case that it names. */
  peopleMax: 20,
  /** Hours before and after the work whose messages a case shows, and the maximum number of messages. */
  chatHours: 24,
  chatMax: 100,
  /** The newest notes and steps that a case shows. */
  notesShown: 200,
  /** The days after a decision in which its case keeps the evidence. Appeals are possible for half of them. */
  evidenceDays: 365,
  /** The seconds after which the page of an open case asks again who else looks at it. */
  viewedSeconds: 20,
  /** The days for which closed cases list those that ended without an operator. */
  endedDays: 90,
  viewNameMax: 40,
  viewsMax: 20,
} as const;

/** "A1B2C3": distinguishes cases with the same title in lists and conversations. The random end of the id. */
export const caseNumber = ({ subjectId }: { subjectId: string }): string => subjectId.slice(-6).toUpperCase();

/** The case number in typed text, such as "No. a1b2c3"; null if it can't be one. */
export const readCaseNumber = (text: string): string | null =>
  /^(?:no\.?\s*|#)?([0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toUpperCase() ?? null;

/**
 * `team`: open cases of the operator's roles; `waiting`: cases that wait for an answer; `all`: both;
 * `solved`: cases that the operator decided.
 */
export const queueShows = ['mine', 'team', 'waiting', 'solved', 'closed', 'all'] as const;
export type QueueShow = (typeof queueShows)[number];

/** Cases in which a side can be asked, with the hours it has to answer. */
export const askableKinds = [
  'no_show',
  'dispute',
  'report',
  'chat_report',
  'appeal',
  'payout_held',
  'business_verification',
] as const satisfies readonly CaseKind[];
export type AskableKind = (typeof askableKinds)[number];
export const answerHours = [24, 48, 72] as const;

/** Cases with work whose messages the operator can open. */
export const chatKinds = [
  'dispute',
  'no_show',
  'report',
  'payout_held',
  'appeal',
  'flagged_review',
] as const satisfies readonly CaseKind[];
export type ChatKind = (typeof chatKinds)[number];

/** Cases with content or behaviour that may be a crime against someone's life or safety (DSA, article 18). */
export const reportableKinds = [
  'report',
  'chat_report',
  'frozen_chat',
  'flagged_review',
  'job_review',
] as const satisfies readonly CaseKind[];
export type ReportableKind = (typeof reportableKinds)[number];

/** Returns whether operators can report cases of this kind to an authority. */
export const isReportable = (kind: CaseKind): kind is ReportableKind =>
  reportableKinds.some((reportable) => reportable === kind);

/** Facts that an operator can pass on to an authority. */
export const authorityFacts = [
  'name',
  'contact-details',
  'content',
  'messages',
  'reports',
  'places-and-times',
  'sign-ins',
] as const;
export type AuthorityFact = (typeof authorityFacts)[number];

export const authorityReportStates = ['waiting', 'confirmed', 'refused'] as const;

export const authorityReportLimits = {
  authorityMax: 120,
  referenceMax: 80,
  passedOnMin: 10,
  passedOnMax: 20_000,
  reasonMin: 10,
  reasonMax: 2_000,
  noteMax: 1_000,
  /** The newest reports that a case shows. */
  shown: 20,
  /** Minutes in which the second factor must have been confirmed. */
  secondFactorMinutes: 10,
} as const;

type DecisionRow = { decision: string; does: string };

/** The decisions of each kind. `does` explains the effect in advance; amounts come with the case. */
export const caseDecisions = {
  dispute: [
    {
      decision: 'decide',
      does: 'Sets the total pay. What is unpaid is released, the rest of the hold goes back to the business, and both sides read your reason. This is final.',
    },
  ],
  no_show: [
    {
      decision: 'absent',
      does: 'The no-show counts. The worker gets nothing, and the hold goes back to the business. Both sides read your reason.',
    },
    {
      decision: 'worked',
      does: 'The no-show does not count. The worker gets the amount you set, the rest goes back to the business, and both sides read your reason.',
    },
  ],
  chat_report: [
    {
      decision: 'dismiss',
      does: 'Changes nothing. Whoever reported reads your reason; the other side learns nothing.',
    },
    {
      decision: 'redact',
      does: 'Removes the reported message for everyone and leaves a note in its place. Both sides read your reason, and the side that wrote it can appeal.',
    },
    {
      decision: 'freeze',
      does: 'Stops the conversation: neither side can write until another operator unfreezes it. Both sides read your reason, and the reported side can appeal.',
    },
  ],
  frozen_chat: [
    {
      decision: 'unfreeze',
      does: 'Both sides can write again, unless one has blocked the other. Both read your reason.',
    },
  ],
  report: [
    {
      decision: 'dismiss',
      does: 'Changes nothing. Everyone who reported reads your answer; the reported side is not told.',
    },
    {
      decision: 'warning',
      does: 'Sends the reported side your statement of reasons, which they can appeal. Everyone who reported reads your answer.',
    },
    {
      decision: 'hidden',
      does: 'Hides the job from everyone but its business and applicants; it hires nobody. The business reads your statement of reasons and can appeal.',
    },
    {
      decision: 'removed',
      does: 'Removes the review and its reply, and takes it out of the rating. Its author reads your statement of reasons and can appeal; the other side reads it too. Everyone who reported reads your answer.',
    },
    {
      decision: 'suspension',
      does: 'Keeps them from what you choose until the end you set. Booked work goes on and earned money can be withdrawn. They read your statement of reasons and can appeal.',
    },
  ],
  appeal: [
    {
      decision: 'upheld',
      does: 'The decision stays. Those concerned read your reason.',
    },
    {
      decision: 'overturned',
      does: 'Ends the decision: a hidden job, removed review or message is shown again, a suspension or freeze is over, the bank account of a refused withdrawal is accepted, a refused document is confirmed while we still have it, and a refused business is checked again. Those concerned read your reason.',
    },
  ],
  flagged_review: [
    {
      decision: 'keep',
      does: 'Ends the flag. Nobody is notified.',
    },
    {
      decision: 'remove',
      does: 'Removes the review and its reply, and takes it out of the rating. Its author reads your reason and can appeal; the other side reads it too if the review was published.',
    },
  ],
  job_review: [
    {
      decision: 'open',
      does: 'Workers see the job now, and its recruiters are notified. The check does not stop it for the same findings again.',
    },
    {
      decision: 'refuse',
      does: 'Nobody but the business sees the job. It reads your reason as a statement of reasons and can appeal.',
    },
  ],
  ticket: [
    {
      decision: 'answer',
      does: 'Sends your answer word for word. The request is then pending with its author.',
    },
    {
      decision: 'solve',
      does: 'Closes the request. A reply of its author opens it again.',
    },
  ],
  referral: [
    {
      decision: 'pay',
      does: 'Pays the reward to both people, within the limits of the person who invited.',
    },
    {
      decision: 'refuse',
      does: 'Pays nothing. Both people read your reason.',
    },
  ],
  business_verification: [
    {
      decision: 'verify',
      does: 'The business gets the badge, and the limit on open jobs ends. Its owners and managers are notified.',
    },
    {
      decision: 'request-info',
      does: 'Its owners and managers read what is missing, add it and send the business again. Its jobs stay open.',
    },
    {
      decision: 'reject',
      does: 'The business is hidden and cannot hire. Whoever hires for it reads your reason as a statement of reasons, and can appeal or correct it and ask again.',
    },
  ],
  identity: [
    {
      decision: 'verify',
      does: 'The person gets the badge “Identity document checked” and is notified. The photos are deleted after 30 days.',
    },
    {
      decision: 'request-info',
      does: 'The person reads what is missing and can send new photos. These ones are deleted after 30 days.',
    },
    {
      decision: 'refuse',
      does: 'There is no badge. The person reads your reason as a statement of reasons, keeps their account, and can appeal or send another document. The photos are deleted after 30 days.',
    },
  ],
  certificate: [
    {
      decision: 'confirm',
      does: 'Businesses see the certificate with its last day, and the person is notified. It replaces an earlier one of its kind and ends by itself. The copy is deleted after 30 days.',
    },
    {
      decision: 'refuse',
      does: 'Businesses see nothing. The person reads your reason as a statement of reasons, and can appeal or send it again. The copy is deleted after 30 days.',
    },
  ],
  second_approval: [
    {
      decision: 'approve',
      does: 'The decision takes effect as it is written here. Those concerned read its reason.',
    },
    {
      decision: 'refuse',
      does: 'Nothing moves. The operator who asked reads your note, and can decide differently.',
    },
  ],
  correction: [
    {
      decision: 'approve',
      does: 'The payment is reversed. What a business paid is in its balance with our fee; a reward goes back to Nearhand. Those concerned read the reason. The ledger keeps the payment and its reversal.',
    },
    {
      decision: 'refuse',
      does: 'Nothing moves. The operator who asked reads your note.',
    },
  ],
  authority_report: [
    {
      decision: 'confirm',
      does: 'The report stands and counts in the transparency report. Nobody it concerns is notified.',
    },
    {
      decision: 'refuse',
      does: 'Marks the report as wrong. What was passed on can’t be taken back, so tell the authority. The operator who made it reads your note.',
    },
  ],
  chargeback: [],
  // The button to pay out is in the case's facts, next to the fields for bank details.
  unclaimed: [],
  // The buttons to assign the money or send it back are in the case's facts.
  bank_payment: [],
  payout_held: [
    {
      decision: 'release',
      does: 'Sends the money to this bank account. Later withdrawals to it are not held, as long as the verified name stays the same.',
    },
    {
      decision: 'refuse',
      does: 'Sends nothing: all of the money is back in the balance. They read your reason as a statement of reasons and can appeal. Another withdrawal to this account is held again.',
    },
  ],
} as const satisfies Record<CaseKind, readonly DecisionRow[]>;

/** A decision of a kind of case; of any kind by default. */
export type Decision<K extends CaseKind = CaseKind> = (typeof caseDecisions)[K][number]['decision'];
export type CaseDecision = DecisionRow & { decision: Decision };
