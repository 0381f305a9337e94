import { facts, type GroupWords, lines, theyWrote, why } from './notice-text.ts';

/** Of a shift; a task has no start to come to. */
const confirmLater = 'Before it begins we ask them to confirm that they come.';

/** Mail about offers and hires. */
export const offerWords: GroupWords<'offer' | 'hired'> = {
  'offer-received': (notice) => ({
    subject: `${notice.business} offers you the job: ${notice.job}`,
    heading: `${notice.business} offers you ${notice.job}`,
    paragraphs: lines(
      'Read the terms, which no longer change, and accept or decline. Without an answer the offer ends by itself.',
      theyWrote(notice),
    ),
    facts: facts(['When', notice.when], ['Pay', notice.money], ['Answer by', notice.by]),
    action: 'See the offer',
    why: why.applied,
  }),
  'offer-reminder': (notice) => ({
    subject: `Your offer soon ends: ${notice.job}`,
    heading: `${notice.business} waits for your answer`,
    paragraphs: [`They offer you ${notice.job}. Without an answer the offer ends by itself.`],
    facts: facts(['When', notice.when], ['Pay', notice.money], ['Answer by', notice.by]),
    action: 'See the offer',
    why: why.applied,
  }),
  'offer-accepted': (notice) => ({
    subject: `${notice.worker} accepted: ${notice.job}`,
    heading: `${notice.worker} accepted your offer`,
    paragraphs: lines(`They are hired for ${notice.job}.`, notice.when && confirmLater),
    facts: facts(['When', notice.when], ['They get', notice.money]),
    action: 'Open the work',
    why: why.hires,
  }),
  'offer-declined': (notice) => ({
    subject: `${notice.worker} declined: ${notice.job}`,
    heading: `${notice.worker} declined your offer`,
    paragraphs: lines(
      `It was for ${notice.job}. The place is free again; you can offer it to somebody else.`,
      theyWrote(notice),
    ),
    facts: facts(['When', notice.when]),
    action: 'See the applicants',
    why: why.hires,
  }),
  'offer-expired': (notice) =>
    notice.forBusiness
      ? {
          subject: `No answer to your offer: ${notice.job}`,
          heading: `${notice.worker} did not answer your offer in time`,
          paragraphs: [
            `It was for ${notice.job}. The place is free again; you can offer it to somebody else.`,
          ],
          facts: facts(['When', notice.when]),
          action: 'See the applicants',
          why: why.hires,
        }
      : {
          subject: `The offer has ended: ${notice.job}`,
          heading: `The offer of ${notice.business} has ended`,
          paragraphs: [
            `It was for ${notice.job} and was not answered in time. Other jobs nearby are waiting.`,
          ],
          facts: facts(['It was for', notice.when]),
          action: 'Open my application',
          why: why.applied,
        },
  'offer-withdrawn': (notice) => ({
    subject: `Offer taken back: ${notice.job}`,
    heading: `${notice.business} took its offer back`,
    paragraphs: lines(
      `It was for ${notice.job} and can no longer be accepted. Other jobs nearby are waiting.`,
      theyWrote(notice),
    ),
    facts: facts(['It was for', notice.when]),
    action: 'Open my application',
    why: why.applied,
  }),
  'hired-at-once': (notice) =>
    notice.forBusiness
      ? {
          subject: `${notice.worker} is hired: ${notice.job}`,
          heading: `${notice.worker} applied and is hired`,
          paragraphs: lines(`${notice.job} hires at once who suits it.`, notice.when && confirmLater),
          facts: facts(['When', notice.when], ['They get', notice.money]),
          action: 'Open the work',
          why: why.hires,
        }
      : {
          subject: `You are hired: ${notice.job}`,
          heading: `You are hired for ${notice.job}`,
          paragraphs: [
            `${notice.business} hires at once who suits this job. Whom to ask for and where to go is in the app.`,
          ],
          facts: facts(['When', notice.when], ['Pay', notice.money]),
          action: 'Open my work',
          why: why.applied,
        },
};
