import { facts, type GroupWords, lines, quoting, theyWrote, why } from './notice-text.ts';

/** Mail about the work itself, from the hire to its last hour. */
export const engagementWords: GroupWords<'engagement'> = {
  'engagement-confirm-asked': (notice) => ({
    subject: `Are you coming? ${notice.job}${notice.when && `, ${notice.when}`}`,
    heading: `Please confirm that you come to ${notice.job}`,
    paragraphs: [
      `${notice.business} counts on you. If you cannot come, call it off now, so that somebody else can take the place.`,
    ],
    facts: facts(['When', notice.when], ['Answer by', notice.by]),
    action: 'Answer',
    why: why.work(notice),
  }),
  'engagement-confirmed': (notice) => ({
    subject: `${notice.worker} comes: ${notice.job}`,
    heading: `${notice.worker} confirmed`,
    paragraphs: [`They come to ${notice.job}. There is nothing to do.`],
    facts: facts(['When', notice.when]),
    action: 'Open the work',
    why: why.hires,
  }),
  'engagement-not-confirmed': (notice) =>
    notice.forBusiness
      ? {
          subject: `Not confirmed: ${notice.worker}, ${notice.job}`,
          heading: `${notice.worker} has not confirmed yet`,
          paragraphs: [`They are still booked for ${notice.job}. Ask them, so that you know in time.`],
          facts: facts(['When', notice.when]),
          action: 'Open the work',
          why: why.hires,
        }
      : {
          subject: `You have not confirmed yet: ${notice.job}`,
          heading: `You have not confirmed that you come to ${notice.job}`,
          paragraphs: [`You are still booked, and ${notice.business} now knows that you have not answered.`],
          facts: facts(['When', notice.when], ['Answer by', notice.by]),
          action: 'Answer',
          why: why.work(notice),
        },
  'engagement-checked-in': (notice) => ({
    subject: `${notice.worker} is there: ${notice.job}`,
    heading: `${notice.worker} checked in`,
    paragraphs: [`They are there for ${notice.job}.`],
    facts: facts(['Planned', notice.when]),
    action: 'Open the work',
    why: why.hires,
  }),
  'engagement-cancelled': (notice) =>
    notice.forBusiness
      ? {
          subject: `${notice.worker} called it off: ${notice.job}`,
          heading: `${notice.worker} does not come to ${notice.job}`,
          paragraphs: lines(
            'Their place is free again and the waitlist, if there is one, is offered it first.',
            theyWrote(notice),
          ),
          facts: facts(['It was to be', notice.when]),
          action: 'Open the work',
          why: why.hires,
        }
      : {
          subject: `${notice.business} called it off: ${notice.job}`,
          heading: `${notice.business} called ${notice.job} off`,
          paragraphs: lines(notice.when ? 'You need not come.' : 'You need not do it.', theyWrote(notice)),
          facts: facts(['It was to be', notice.when], ['You get for it', notice.compensation]),
          action: 'Open my work',
          why: why.work(notice),
        },
  'engagement-no-show': (notice) => ({
    subject: `Reported as not there: ${notice.job}`,
    heading: notice.forBusiness
      ? `${notice.worker} is reported as not there`
      : `${notice.business} reported that you did not come`,
    paragraphs: lines(
      notice.forBusiness
        ? `It is about ${notice.job}. They can still contest it.`
        : `It is about ${notice.job}. If that is not right, say so; without an answer the report stands, nothing is paid and it counts in your reliability.`,
      theyWrote(notice),
    ),
    facts: facts(
      ['Planned', notice.when],
      [notice.forBusiness ? 'They can contest it until' : 'You can contest it until', notice.by],
    ),
    action: notice.forBusiness ? 'Open the work' : 'Answer the report',
    why: why.work(notice),
  }),
  'engagement-contested': (notice) => ({
    subject: `${notice.other} contested the report: ${notice.job}`,
    heading: notice.forBusiness ? `${notice.worker} says that they were there` : 'You contested the report',
    paragraphs: lines(
      notice.forBusiness
        ? `You reported that they did not come to ${notice.job}. We look at what both sides say; until then nothing is decided.`
        : `It is about ${notice.job}. We look at what both sides say; until then nothing is decided.`,
      notice.forBusiness && theyWrote(notice),
    ),
    facts: facts(['Planned', notice.when]),
    action: notice.forBusiness ? 'Open the work' : 'Open my work',
    why: why.work(notice),
  }),
  'engagement-no-show-decided': (notice) => ({
    subject: `Decided: ${notice.job}`,
    heading:
      notice.what === 'worked'
        ? notice.forBusiness
          ? `We decided that ${notice.worker} worked`
          : 'We decided that you worked'
        : 'We decided that the report stands',
    paragraphs: lines(
      notice.what === 'worked'
        ? `It is about ${notice.job}. The report no longer counts, and the pay is settled with the amount below.`
        : `It is about ${notice.job}. Nothing is paid, and it counts in how reliable ${notice.forBusiness ? notice.worker : 'you'} ${notice.forBusiness ? 'is' : 'are'}.`,
      quoting('Why', notice.quote),
    ),
    facts: facts(['Planned', notice.when], ['Pay', notice.money]),
    action: notice.forBusiness ? 'Open the work' : 'Open my work',
    why: why.work(notice),
  }),
};
