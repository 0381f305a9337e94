import { facts, type GroupWords, lines, type NoticeText, quoting, theyWrote, why } from './notice-text.ts';

const open = ({ forBusiness }: NoticeText): string => (forBusiness ? 'Open the work' : 'Open my work');

/** How it came to be approved, where it was not simply the business that did it. */
function approvedHow({ what, forBusiness, worker, business }: NoticeText): string {
  if (what === 'by-itself') return 'Nobody answered in time, so it was approved by itself.';
  if (what === 'counter-stood')
    return forBusiness
      ? `${worker} did not answer in time, so the hours you proposed stand.`
      : `You did not answer in time, so the hours that ${business} proposed stand.`;
  return what === 'accept-counter' && forBusiness ? `${worker} agreed to the hours you proposed.` : '';
}

/** A dispute that opened by itself says why in our words; what somebody wrote is quoted. */
function openedHow(notice: NoticeText) {
  const { what, other } = notice;
  if (what === 'rounds')
    return [
      `You and ${other} did not agree on the hours in three rounds, so it opened by itself. Either of you can propose an amount to settle on.`,
    ];
  if (what === 'no-check-in')
    return [
      'Nothing was recorded of the work and nobody answered, so it opened by itself. Say what you hold to be right.',
    ];
  return lines(
    `${other} opened it. Say what you hold to be right; only the part in question waits.`,
    theyWrote(notice),
  );
}

function settledHow({ what, other }: NoticeText): string {
  if (what === 'stop') return `You and ${other} did not settle it in time, so it ended by what is on record.`;
  if (what === 'decided') return `You and ${other} did not settle it in time, so one of us decided it.`;
  return `You and ${other} agree on the amount.`;
}

/** Mail about hours, deliveries, their approval and disputes: what is paid for the work. */
export const settlementWords: GroupWords<'hours' | 'work' | 'changes' | 'dispute'> = {
  'hours-to-submit': (notice) => ({
    subject: `How long did you work? ${notice.job}`,
    heading: `Submit your hours for ${notice.job}`,
    paragraphs: ['You see what was recorded and can correct it. Without an answer they are put in for you.'],
    facts: facts(['Planned', notice.when], ['Submit by', notice.by]),
    action: 'Submit my hours',
    why: why.work(notice),
  }),
  'hours-submitted': (notice) => {
    const { forBusiness, worker, business, job, what } = notice;
    // The clock put them in, as planned or as recorded, because the worker did not.
    const byClock = what === 'planned' || what === 'recorded';
    const clockHours = what === 'recorded' ? 'recorded' : 'planned';
    if (!forBusiness)
      return {
        subject: `Your hours were put in: ${job}`,
        heading: `The ${clockHours} hours for ${job} were put in for you`,
        paragraphs: [`You had not submitted any. ${business} now checks them.`],
        facts: facts(['Hours', notice.hours], ['Pay', notice.money], ['They answer by', notice.by]),
        action: 'Open my work',
        why: why.work(notice),
      };
    return {
      subject: byClock ? `Hours to check: ${worker}, ${job}` : `${worker} submitted hours: ${job}`,
      heading: `Please check the hours of ${worker}`,
      paragraphs: lines(
        byClock &&
          `They are for ${job}. ${worker} submitted none, so the ${clockHours} hours were put in. Approve them, or propose others with a reason.`,
        !byClock &&
          `They are for ${job}. Approve them, or propose others with a reason. Without an answer they are approved by themselves.`,
        theyWrote(notice),
      ),
      facts: facts(['Hours', notice.hours], ['Pay', notice.money], ['Answer by', notice.by]),
      action: 'Check the hours',
      why: why.hires,
    };
  },
  'hours-countered': (notice) => ({
    subject: `${notice.other} proposes other hours: ${notice.job}`,
    heading: `${notice.other} proposes other hours`,
    paragraphs: lines(
      `They are for ${notice.job}. Agree, or submit your hours again. Only the part in question waits.`,
      theyWrote(notice),
    ),
    facts: facts(['Hours proposed', notice.hours], ['Pay', notice.money], ['Answer by', notice.by]),
    action: 'Answer',
    why: why.work(notice),
  }),
  'work-delivered': (notice) => ({
    subject: `${notice.worker} delivered: ${notice.job}`,
    heading: `${notice.worker} delivered ${notice.job}`,
    paragraphs: lines(
      'Have a look, and approve it or ask for changes. Without an answer it is approved by itself.',
      theyWrote(notice),
    ),
    facts: facts(['Pay', notice.money], ['Answer by', notice.by]),
    action: 'See the delivery',
    why: why.hires,
  }),
  'changes-requested': (notice) => ({
    subject: `${notice.business} asks for changes: ${notice.job}`,
    heading: `${notice.business} asks for changes`,
    paragraphs: lines(`It is about what you delivered for ${notice.job}.`, theyWrote(notice)),
    facts: facts(['Deliver again by', notice.by]),
    action: 'See what to change',
    why: why.work(notice),
  }),
  'work-approved': (notice) => ({
    subject: `Approved: ${notice.job}`,
    heading: notice.forBusiness
      ? `The work of ${notice.worker} is approved`
      : `Your work for ${notice.business} is approved`,
    paragraphs: lines(
      `It is about ${notice.job}.`,
      approvedHow(notice),
      !notice.forBusiness && 'What was paid, and what is not yet, is in the app.',
    ),
    facts: facts(['Hours', notice.hours], ['Pay', notice.money]),
    action: open(notice),
    why: why.work(notice),
  }),
  'dispute-opened': (notice) => ({
    subject: `Dispute about the pay: ${notice.job}`,
    heading: `There is a dispute about ${notice.job}`,
    paragraphs: openedHow(notice),
    facts: facts(
      ['Amount put forward', notice.money],
      [notice.what === 'rounds' ? 'Propose by' : 'Answer by', notice.by],
    ),
    action: notice.what === 'rounds' ? open(notice) : 'Answer the dispute',
    why: why.work(notice),
  }),
  'dispute-answered': (notice) => ({
    subject: `${notice.other} answered your dispute: ${notice.job}`,
    heading: `${notice.other} answered your dispute`,
    paragraphs: lines(
      `It is about ${notice.job}. Either of you can now propose an amount to settle on.`,
      theyWrote(notice),
    ),
    facts: facts(['Amount put forward', notice.money], ['Propose by', notice.by]),
    action: open(notice),
    why: why.work(notice),
  }),
  'dispute-proposal': (notice) => ({
    subject: `${notice.other} proposes to settle: ${notice.job}`,
    heading: `${notice.other} proposes an amount to settle on`,
    paragraphs: lines(
      `It is about ${notice.job}. Agree and it is settled, or propose another amount.`,
      theyWrote(notice),
    ),
    facts: facts(['Amount proposed', notice.money], ['Answer by', notice.by]),
    action: 'See the proposal',
    why: why.work(notice),
  }),
  'dispute-escalated': (notice) => ({
    subject: `We now look at the dispute: ${notice.job}`,
    heading: `One of us now looks at the dispute about ${notice.job}`,
    paragraphs: [
      `You and ${notice.other} did not settle it in time. A person reads what both sides said and decides.`,
    ],
    facts: facts(['Decided by', notice.by]),
    action: open(notice),
    why: why.work(notice),
  }),
  'dispute-settled': (notice) => ({
    subject: `Dispute settled: ${notice.job}`,
    heading: `The dispute about ${notice.job} is settled`,
    paragraphs: lines(settledHow(notice), notice.what === 'decided' && quoting('Why', notice.quote)),
    facts: facts(['Amount settled', notice.money]),
    action: open(notice),
    why: why.work(notice),
  }),
};
