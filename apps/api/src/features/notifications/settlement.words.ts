import { facts, type GroupWords, lines, type NoticeText, theyWrote, why } from './notice-text.ts';

const open = ({ forBusiness }: NoticeText): string => (forBusiness ? 'Open the work' : 'Open my work');

/** Mail about hours, deliveries, their approval and disputes: what is paid for the work. */
export const settlementWords: GroupWords<'hours' | 'work' | 'changes' | 'dispute'> = {
  'hours-to-submit': (notice) => ({
    subject: `How long did you work? ${notice.job}`,
    heading: `Submit your hours for ${notice.job}`,
    paragraphs: [
      'You see what was recorded and can correct it. Without an answer the planned hours are put in for you.',
    ],
    facts: facts(['Planned', notice.when], ['Submit by', notice.by]),
    action: 'Submit my hours',
    why: why.work(notice),
  }),
  'hours-submitted': (notice) =>
    notice.forBusiness
      ? {
          subject: `${notice.worker} submitted hours: ${notice.job}`,
          heading: `Please check the hours of ${notice.worker}`,
          paragraphs: lines(
            `They are for ${notice.job}. Approve them, or propose others with a reason. Without an answer they are approved by themselves.`,
            theyWrote(notice),
          ),
          facts: facts(['Hours', notice.hours], ['Pay', notice.money], ['Answer by', notice.by]),
          action: 'Check the hours',
          why: why.hires,
        }
      : {
          subject: `Your hours were put in: ${notice.job}`,
          heading: `The planned hours for ${notice.job} were put in for you`,
          paragraphs: [`You had not submitted any. ${notice.business} now checks them.`],
          facts: facts(['Hours', notice.hours], ['Pay', notice.money], ['They answer by', notice.by]),
          action: 'Open my work',
          why: why.work(notice),
        },
  'hours-countered': (notice) => ({
    subject: `${notice.other} proposes other hours: ${notice.job}`,
    heading: `${notice.other} proposes other hours`,
    paragraphs: lines(
      `They are for ${notice.job}. Agree, or submit your hours again. What is not in question is paid already.`,
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
  'work-approved': (notice) =>
    notice.forBusiness
      ? {
          subject: `Approved: ${notice.job}`,
          heading: `The work of ${notice.worker} is approved`,
          paragraphs: [`It is about ${notice.job}. There is nothing more to do.`],
          facts: facts(['Hours', notice.hours], ['Pay', notice.money]),
          action: 'Open the work',
          why: why.hires,
        }
      : {
          subject: `Approved: ${notice.job}`,
          heading: `Your work for ${notice.business} is approved`,
          paragraphs: [`It is about ${notice.job}. What was paid, and what is not yet, is in the app.`],
          facts: facts(['Hours', notice.hours], ['Pay', notice.money]),
          action: 'Open my work',
          why: why.work(notice),
        },
  'dispute-opened': (notice) => ({
    subject: `Dispute about the pay: ${notice.job}`,
    heading: `There is a dispute about ${notice.job}`,
    paragraphs: lines(
      `It is between you and ${notice.other}. Say what you hold to be right; only the part in question waits.`,
      notice.quote && `What was written: ${notice.quote}`,
    ),
    facts: facts(['Amount put forward', notice.money], ['Answer by', notice.by]),
    action: 'Answer the dispute',
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
      `It is about ${notice.job}. Agree and it is paid, or propose another amount.`,
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
    paragraphs: lines(
      `You and ${notice.other} have an end to it.`,
      notice.quote && `What was written: ${notice.quote}`,
    ),
    facts: facts(['Amount settled', notice.money]),
    action: open(notice),
    why: why.work(notice),
  }),
};
