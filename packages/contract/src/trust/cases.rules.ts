import type { CaseKind } from '../case-kinds.ts';

export const caseLimits = {
  noteMax: 2_000,
  searchMax: 100,
  /** People on the sides of a case that it names. */
  peopleMax: 20,
  /** Hours before and after the work whose messages a case shows, and the maximum number of messages. */
  chatHours: 24,
  chatMax: 100,
  /** The newest notes and steps that a case shows. */
  notesShown: 200,
  /** The days after a decision in which its case keeps the evidence. Appeals are possible for half of them. */
  evidenceDays: 365,
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
  'payout_held',
  'business_verification',
] as const satisfies readonly CaseKind[];
export type AskableKind = (typeof askableKinds)[number];
export const answerHours = [24, 48, 72] as const;

/** Cases with content or behaviour that may be a crime against someone's life or safety (DSA, article 18). */
export const reportableKinds = [
  'report',
  'chat_report',
  'frozen_chat',
  'flagged_review',
  'job_review',
] as const satisfies readonly CaseKind[];
export type ReportableKind = (typeof reportableKinds)[number];

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

type DecisionRow = { decision: string; does: string; templates: readonly string[] };

/**
 * The decisions of each kind. `does` explains the effect in advance; amounts come with the case. Both sides
 * read the reason, so a template never reveals who reported.
 */
export const caseDecisions = {
  dispute: [
    {
      decision: 'decide',
      does: 'Sets the total pay. What is unpaid is released, the rest of the hold goes back to the business, and both sides read your reason. This is final.',
      templates: [
        'The check-in and check-out times show the full shift, so the full pay is due.',
        'The recorded hours are shorter than claimed. The pay covers the hours on record.',
        'The photos show part of the agreed work. The pay covers the part that was done.',
        'Neither side showed evidence for its amount. The pay follows the agreed terms.',
      ],
    },
  ],
  no_show: [
    {
      decision: 'absent',
      does: 'The no-show counts. The worker gets nothing, and the hold goes back to the business. Both sides read your reason.',
      templates: [
        'There is no check-in, and nothing else shows that the worker was there.',
        'The worker wrote that they were not coming after the shift had started.',
      ],
    },
    {
      decision: 'worked',
      does: 'The no-show does not count. The worker gets the amount you set, the rest goes back to the business, and both sides read your reason.',
      templates: [
        'The check-in near the workplace shows that the worker was there.',
        'The messages show that the worker was at the place at the agreed time.',
      ],
    },
  ],
  chat_report: [
    {
      decision: 'dismiss',
      does: 'Changes nothing. Whoever reported reads your reason; the other side learns nothing.',
      templates: ['We read the messages and found nothing against our rules.'],
    },
    {
      decision: 'redact',
      does: 'Removes the reported message for everyone and leaves a note in its place. Both sides read your reason, and the side that wrote it can appeal.',
      templates: [
        'The message insults the other person. Please stay polite.',
        'The message asks to pay or work outside Nearhand, which our rules do not allow.',
      ],
    },
    {
      decision: 'freeze',
      does: 'Stops the conversation: neither side can write until another operator unfreezes it. Both sides read your reason, and the reported side can appeal.',
      templates: [
        'The conversation contains repeated harassment, so we stopped it.',
        'The conversation contains an attempted fraud, so we stopped it.',
      ],
    },
  ],
  frozen_chat: [
    {
      decision: 'unfreeze',
      does: 'Both sides can write again, unless one has blocked the other. Both read your reason.',
      templates: ['We looked at the conversation again and decided that it can continue.'],
    },
  ],
  report: [
    {
      decision: 'dismiss',
      does: 'Changes nothing. Everyone who reported reads your answer; the reported side is not told.',
      templates: [
        'Thank you for reporting this. We looked into it and found nothing against our rules.',
        'Thank you for reporting this. We could not confirm it. Please write to us if you have proof.',
      ],
    },
    {
      decision: 'warning',
      does: 'Sends the reported side your statement of reasons, which they can appeal. Everyone who reported reads your answer.',
      templates: ['Thank you for reporting this. We took action.'],
    },
    {
      decision: 'hidden',
      does: 'Hides the job from everyone but its business and applicants; it hires nobody. The business reads your statement of reasons and can appeal.',
      templates: ['Thank you for reporting this. We hid the job.'],
    },
    {
      decision: 'removed',
      does: 'Removes the review and its reply, and takes it out of the rating. Its author reads your statement of reasons and can appeal; the other side reads it too. Everyone who reported reads your answer.',
      templates: ['Thank you for reporting this. We removed the review.'],
    },
    {
      decision: 'suspension',
      does: 'Keeps the person from what you choose, or the business from hiring, until the end you set. Booked work goes on and earned money can be withdrawn. They read your statement of reasons and can appeal.',
      templates: ['Thank you for reporting this. We took action.'],
    },
  ],
  appeal: [
    {
      decision: 'upheld',
      does: 'The decision stays. Those concerned read your reason.',
      templates: ['We read everything again. The facts are as stated, and the rule applies.'],
    },
    {
      decision: 'overturned',
      does: 'Ends the decision: a hidden job, removed review or message is shown again, a suspension or freeze is over, the bank account of a refused withdrawal is accepted, and a refused business is checked again. Those concerned read your reason.',
      templates: ['You are right: the facts did not support the decision. We are sorry.'],
    },
  ],
  flagged_review: [
    {
      decision: 'keep',
      does: 'Ends the flag. Nobody is notified.',
      templates: [],
    },
    {
      decision: 'remove',
      does: 'Removes the review and its reply, and takes it out of the rating. Its author reads your reason and can appeal; the other side reads it too if the review was published.',
      templates: [
        'The review insults a person. Describe what happened instead.',
        'The review threatens someone, which our rules do not allow.',
      ],
    },
  ],
  job_review: [
    {
      decision: 'open',
      does: 'Workers see the job now, and its recruiters are notified. The check does not stop it for the same findings again.',
      templates: [],
    },
    {
      decision: 'refuse',
      does: 'Nobody but the business sees the job. It reads your reason as a statement of reasons and can appeal.',
      templates: [
        'The job asks applicants to pay before they work. Workers never pay to get a job on Nearhand.',
        'The job sends applicants to a messenger or another site. Please agree and pay on Nearhand.',
        'The pay is far above what this work is paid nearby, and nothing in the job explains it.',
        'The text is copied from a job of another business.',
      ],
    },
  ],
  ticket: [
    {
      decision: 'answer',
      does: 'Sends your answer in the app and by mail, word for word. The request is then pending with its author.',
      templates: [
        'Thank you for writing to us. Could you send a screenshot of what you see?',
        'This is fixed now. Please reload the app, and write to us if it happens again.',
      ],
    },
    {
      decision: 'solve',
      does: 'Closes the request. A reply of its author opens it again.',
      templates: [],
    },
  ],
  referral: [
    {
      decision: 'pay',
      does: 'Pays the reward to both people, within the limits of the person who invited.',
      templates: ['Two different people, and a first job that was done and paid.'],
    },
    {
      decision: 'refuse',
      does: 'Pays nothing. Both people read your reason.',
      templates: [
        'Both accounts belong to the same person.',
        'The first job was for a business of the person who sent the invitation.',
      ],
    },
  ],
  business_verification: [
    {
      decision: 'verify',
      does: 'The business gets the badge, and the limit on open jobs ends. Its owners and managers are notified.',
      templates: [],
    },
    {
      decision: 'request-info',
      does: 'Its owners and managers read what is missing, add it and send the business again. Its jobs stay open.',
      templates: [
        'Please add the registration number and an extract of the company register, not older than three months.',
        'The legal name differs from the name in the company register. Please correct one of them.',
        'Please add a document that shows who owns the business.',
      ],
    },
    {
      decision: 'reject',
      does: 'The business is hidden and cannot hire. Whoever hires for it reads your reason as a statement of reasons, and can appeal or correct it and ask again.',
      templates: [
        'This registration belongs to another company.',
        'The documents are not genuine.',
        'We found no such company in the register, and you did not add another document.',
      ],
    },
  ],
  identity: [
    {
      decision: 'verify',
      does: 'The person gets the badge “Identity document checked” and is notified. The photos are deleted after 30 days.',
      templates: [],
    },
    {
      decision: 'request-info',
      does: 'The person reads what is missing and can send new photos. These ones are deleted after 30 days.',
      templates: [
        'Part of the document is not readable. Please take the photo in daylight, without reflections.',
        'The selfie does not show your whole face. Please take it again, without hat or sunglasses.',
        'The name in your account differs from the name in the document. Please correct it in your profile and send the photos again.',
      ],
    },
    {
      decision: 'refuse',
      does: 'There is no badge. The person reads your reason, keeps their account, and can send another document.',
      templates: [
        'The document has expired. You can send one that is valid.',
        'The person in the selfie is not the person in the document.',
        'The photo shows a copy or a screen, not the document itself.',
      ],
    },
  ],
  certificate: [
    {
      decision: 'confirm',
      does: 'Businesses see the certificate with its last day, and the person is notified. It replaces an earlier one of its kind and ends by itself. The copy is deleted after 30 days.',
      templates: [],
    },
    {
      decision: 'refuse',
      does: 'Businesses see nothing. The person reads your reason and can send it again. The copy is deleted after 30 days.',
      templates: [
        'The last day in the certificate is another one. Please send it again with that day.',
        'The name in the certificate differs from the name in your account.',
        'Part of the certificate is not readable. Please take the photo in daylight.',
      ],
    },
  ],
  second_approval: [
    {
      decision: 'approve',
      does: 'The decision takes effect as it is written here. Those concerned read its reason.',
      templates: [],
    },
    {
      decision: 'refuse',
      does: 'Nothing moves. The operator who asked reads your note, and can decide differently.',
      templates: ['The evidence does not support this amount.', 'The reason names someone who reported.'],
    },
  ],
  correction: [
    {
      decision: 'approve',
      does: 'The payment is reversed. What a business paid is in its balance with our fee; a reward goes back to Nearhand. Those concerned read the reason. The ledger keeps the payment and its reversal.',
      templates: [],
    },
    {
      decision: 'refuse',
      does: 'Nothing moves. The operator who asked reads your note.',
      templates: ['The payment follows the agreed terms.', 'Please ask the worker first.'],
    },
  ],
  authority_report: [
    {
      decision: 'confirm',
      does: 'The report stands and counts in the transparency report. Nobody it concerns is notified.',
      templates: [],
    },
    {
      decision: 'refuse',
      does: 'Marks the report as wrong. What was passed on can’t be taken back, so tell the authority. The operator who made it reads your note.',
      templates: [
        'The facts do not show a danger to life or safety.',
        'More was passed on than the authority needs.',
      ],
    },
  ],
  chargeback: [],
  // Paid out from the facts of the case, which take bank details.
  unclaimed: [],
  // Assigned or sent back from the facts of the case.
  bank_payment: [],
  payout_held: [
    {
      decision: 'release',
      does: 'Sends the money to this bank account. Later withdrawals to it are not held, as long as the verified name stays the same.',
      templates: [
        'The holder is the same person: the bank uses a shorter form of the name.',
        'It is a joint account of the person, who sent a bank statement with both names.',
      ],
    },
    {
      decision: 'refuse',
      does: 'Sends nothing: all of the money is back in the balance. They read your reason as a statement of reasons and can appeal. Another withdrawal to this account is held again.',
      templates: [
        'The bank account belongs to someone else. Please add an account in your own name and withdraw to that one.',
        'The name of the holder is not the name that we verified. If it is your account, verify your identity with your present name.',
      ],
    },
  ],
} as const satisfies Record<CaseKind, readonly DecisionRow[]>;

/** A decision of a kind of case; of any kind by default. */
export type Decision<K extends CaseKind = CaseKind> = (typeof caseDecisions)[K][number]['decision'];
export type CaseDecision = DecisionRow & { decision: Decision };
