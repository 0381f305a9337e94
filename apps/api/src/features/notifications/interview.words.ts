import { facts, type GroupWords, lines, type NoticeText, quoting, theyWrote, why } from './notice-text.ts';

const modes: Record<string, string> = { in_person: 'In person', phone: 'By phone', video: 'By video' };
const places: Record<string, string> = { phone: 'Number', video: 'Link' };
const how = ({ mode }: NoticeText): string => modes[mode] ?? '';

/** Mail about interviews; the times are those of the job's place and say so, for the reader may be elsewhere. */
export const interviewWords: GroupWords<'interview'> = {
  'interview-proposed': (notice) => ({
    subject: `${notice.other} would like to talk to you: ${notice.job}`,
    heading: `${notice.other} invites you to an interview`,
    paragraphs: lines(
      `It is about ${notice.job}. Pick the time that suits you, or say that none does.`,
      theyWrote(notice),
    ),
    facts: facts(
      ['How', how(notice)],
      ['Times to choose from', notice.count > 0 ? String(notice.count) : ''],
      ['Pick a time by', notice.by],
    ),
    action: 'Pick a time',
    why: why.application(notice),
  }),
  'interview-scheduled': (notice) => ({
    subject: `Interview with ${notice.other}${notice.when && `: ${notice.when}`}`,
    heading: `Your interview with ${notice.other} is set`,
    paragraphs: [
      `It is about ${notice.job}. We remind you a day and an hour before; you can put it in your calendar from the app.`,
    ],
    facts: facts(['When', notice.whenThere]),
    action: 'Open the interview',
    why: why.application(notice),
  }),
  'interview-reschedule-asked': (notice) => ({
    subject: `${notice.other} asks for another interview time`,
    heading: `${notice.other} asks to move your interview`,
    paragraphs: lines(
      `It is about ${notice.job}. Take one of the new times or keep the old one, which stands until then.`,
      theyWrote(notice),
    ),
    facts: facts(['The time now', notice.whenThere], ['Answer by', notice.by]),
    action: 'Answer',
    why: why.application(notice),
  }),
  'interview-kept': (notice) => ({
    subject: `The interview stays as it was${notice.when && `: ${notice.when}`}`,
    heading: `Your interview with ${notice.other} stays at its old time`,
    paragraphs: [`It is about ${notice.job}.`],
    facts: facts(['When', notice.whenThere]),
    action: 'Open the interview',
    why: why.application(notice),
  }),
  'interview-cancelled': (notice) => ({
    subject: `Interview called off: ${notice.job}`,
    heading: `Your interview with ${notice.other} is called off`,
    paragraphs: lines(`It was about ${notice.job}.`, quoting('The reason given', notice.quote)),
    facts: facts(['It was to be', notice.whenThere]),
    action: 'Open the interview',
    why: why.application(notice),
  }),
  'interview-lapsed': (notice) => ({
    subject: `No time was picked: interview about ${notice.job}`,
    heading: `The interview with ${notice.other} did not come about`,
    paragraphs: [
      notice.forBusiness
        ? `No time for the interview about ${notice.job} was picked before it ran out. You can propose others.`
        : `No time for the interview about ${notice.job} was picked before it ran out. They can propose others.`,
    ],
    action: 'Open the interview',
    why: why.application(notice),
  }),
  'interview-reminder': (notice) => ({
    subject: `Soon: interview with ${notice.other}${notice.when && `, ${notice.when}`}`,
    heading: `Your interview with ${notice.other} is near`,
    paragraphs: [`It is about ${notice.job}. If you cannot be there, say so in the app before it begins.`],
    facts: facts(
      ['When', notice.whenThere],
      ['How', how(notice)],
      [places[notice.mode] ?? 'Where', notice.where],
    ),
    action: 'Open the interview',
    why: why.application(notice),
  }),
  'interview-outcome-due': (notice) => ({
    subject: `How did the interview with ${notice.worker} go?`,
    heading: `What came of the interview with ${notice.worker}?`,
    paragraphs: [`It was about ${notice.job}. They wait to hear whether it goes on.`],
    facts: facts(['It was', notice.whenThere], ['Answer by', notice.by]),
    action: 'Say what came of it',
    why: why.hires,
  }),
  'interview-no-show': (notice) => ({
    subject: `${notice.other} says that you did not come to the interview`,
    heading: `${notice.other} reported that you were not at the interview`,
    paragraphs: lines(
      `It was about ${notice.job}. If that is not right, say so; without an answer the report stands and counts in your reliability.`,
      theyWrote(notice),
    ),
    facts: facts(['It was', notice.whenThere], ['You can contest it until', notice.by]),
    action: 'Answer the report',
    why: why.application(notice),
  }),
  'interview-contested': (notice) => ({
    subject: `${notice.other} says that they were at the interview`,
    heading: `${notice.other} contested your report`,
    paragraphs: lines(
      `You reported that they did not come to the interview about ${notice.job}. While the two accounts differ it does not count against them.`,
      theyWrote(notice),
    ),
    facts: facts(['It was', notice.whenThere]),
    action: 'Open the interview',
    why: why.application(notice),
  }),
};
