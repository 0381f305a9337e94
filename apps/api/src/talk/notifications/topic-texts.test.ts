import { notificationTopics } from '@nearhand/contract/talk/notification-topics';
import { cutText, type NoticeData } from '@nearhand/contract/talk/topics/notice-facts';
import { mailTexts, topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { topics } from '@nearhand/contract/talk/topics/topics';
import { describe, expect, it } from 'vitest';
import { notificationsDoc, writtenNotificationsDoc } from '../../../scripts/notifications-doc.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';
import { noticeFormat } from './notice-format.ts';

const full: NoticeData = {
  jobTitle: 'Barista, early shift',
  subject: 'My pay is missing',
  businessName: 'Café Noord',
  workerName: 'Leila Haddad',
  timeZone: 'Europe/Amsterdam',
  startsAt: '2026-12-03T17:40:00Z',
  endsAt: '2026-12-03T21:00:00Z',
  by: '2026-12-02T11:00:00Z',
  decideBy: '2026-12-02T11:00:00Z',
  expiresAt: '2026-12-02T11:00:00Z',
  reason: 'The oven is broken',
  variant: 'experience',
  amountMinor: 5850,
  currency: 'EUR',
  minutes: 200,
  waiting: 3,
  count: 3,
  searchName: 'Barista near Haarlem',
  listed: 'Barista, Café Noord · Waiter, De Kade',
  unlisted: 1,
};
const format = noticeFormat();
const noticeMail = (topic: string, data: NoticeData) => mailTexts(topic, data, format);
const onOneLine = (part: string | { lead: string; quoted: string }): string =>
  typeof part === 'string' ? part : `${part.lead}: ${part.quoted}`;
const sides = ['worker', 'business'] as const;
const mails = (data: NoticeData) =>
  notificationTopics.flatMap((topic) =>
    sides.map((side) => ({ topic, side, words: noticeMail(topic, { ...data, side }) })),
  );
const sentenceOf = (words: ReturnType<typeof noticeMail>) =>
  [words?.subject, words?.heading, ...(words?.paragraphs ?? []), words?.action, words?.why].join('\n');

describe('what someone wrote', () => {
  const invitation = { ...full, reason: 'You know the place.' };
  it.each([
    ['en', '“You know the place.”'],
    ['de', '„You know the place.“'],
    ['fr', '«\u202fYou know the place.\u202f»'],
    ['ar', '«\u2068You know the place.\u2069»'],
  ] as const)('is in the quotation marks of %s', (language, quoted) => {
    const inLanguage = noticeFormat(null, language);
    expect(topicTexts('application-invited', invitation, inLanguage)?.text).toContain(quoted);
    expect(mailTexts('application-invited', invitation, inLanguage)?.paragraphs.join()).toContain(quoted);
  });
});

describe('a change of booked work', () => {
  const change = {
    ...full,
    toStartsAt: '2026-12-03T18:40:00Z',
    toEndsAt: '2026-12-03T22:00:00Z',
    fromPlace: 'Westerstraat 112, Jordaan',
    toPlace: 'Quay 2, Noord',
    fromMinor: 5850,
    toMinor: 5000,
  };

  it('names the new values and what they replace', () => {
    const texts = topicTexts('shift-change-asked', change, format);
    expect(texts?.changes.map(({ after }) => after)).toEqual([
      expect.stringMatching(/19:40.*23:00/),
      'Quay 2, Noord',
      '€50',
    ]);
    expect(texts?.text).toMatch(
      /19:40.*23:00 instead of .*18:40.*22:00\. Quay 2, Noord instead of Westerstraat 112, Jordaan\. €50 instead of €58\.50\./,
    );
    expect(texts?.lead).not.toContain('instead');
    expect(mailTexts('shift-change-asked', change, format)?.paragraphs.join()).toContain(
      '€50 instead of €58.50.',
    );
  });

  it('names the first of several shifts as such', () => {
    const texts = topicTexts(
      'shift-change-asked',
      { ...full, fromMinor: 5850, toMinor: 5000, count: 3 },
      format,
    );
    expect(texts?.text).toMatch(/^€50 instead of €58\.50\. The first shift is .*18:40/);
  });

  it('leaves out what stays', () => {
    const { toPlace: _, ...stayed } = change;
    expect(topicTexts('shift-change-asked', { ...stayed, toMinor: 5850 }, format)?.changes).toHaveLength(1);
    expect(topicTexts('shift-change-asked', full, format)).toMatchObject({ changes: [] });
  });
});

describe('noticeMail', () => {
  const broken = /undefined|null|Invalid|NaN|\[object|!|“”|: *$| {2}|, *$|\(\)/m;
  const nothing = Object.fromEntries(Object.keys(full).map((key) => [key, '']));
  const nonsense = {
    ...nothing,
    startsAt: 'x',
    timeZone: 'Mars/Base',
    amountMinor: Number.NaN,
    currency: 'x',
  };

  it.each([
    ['full', full],
    ['no', {}],
    ['empty', nothing],
    ['nonsensical', nonsense],
    ['partial', { ...full, endsAt: '', currency: '' }],
  ])('is complete for every topic and side with %s data', (_, data: NoticeData) => {
    for (const { topic, side, words } of mails(data)) {
      expect(words, topic).toBeDefined();
      expect(sentenceOf(words), `${topic}, ${side}`).not.toMatch(broken);
      for (const part of [
        words?.subject,
        words?.heading,
        words?.action,
        words?.why,
        ...(words?.paragraphs ?? []).map(onOneLine),
      ])
        expect(part?.trim(), `${topic}, ${side}`).toBeTruthy();
      for (const { label, value } of words?.facts ?? []) {
        expect(label).toBeTruthy();
        expect(value, `${topic}, ${label}`).toBeTruthy();
        expect(value, `${topic}, ${label}`).not.toMatch(broken);
      }
    }
  });

  it('has every part for every topic', () => {
    for (const topic of notificationTopics) {
      const { icon, name, title, text, button, mail, when } = topics[topic];
      expect([topic, icon, name.message, when].every(Boolean), topic).toBe(true);
      for (const part of [title, text, mail.subject]) expect(part, topic).toBeTypeOf('function');
      for (const part of [button, mail.why]) expect(part, topic).toBeDefined();
    }
  });

  it('matches in the inbox, the push and the mail', () => {
    for (const side of sides)
      for (const topic of notificationTopics) {
        const data = { ...full, side, reason: '' };
        const inbox = topicTexts(topic, data, format);
        const mail = mailTexts(topic, data, format);
        expect(mail?.heading, topic).toBe(inbox?.title);
        expect(mail?.paragraphs[0], topic).toBe(inbox?.text);
      }
  });

  it('names the year of pay that was reported', () => {
    const data = { amountMinor: 13_249, currency: 'EUR', year: 2026, side: 'worker' };
    const mail = noticeMail('seller-reported', data);
    expect(mail?.heading).toBe('We reported your pay of 2026 to the tax office');
    expect(mail?.facts).toMatchObject([{ label: 'Year', value: '2026' }, { label: 'Amount' }]);
  });

  it.each([
    ['accepted', 'Leila Haddad accepted your change of 3 shifts: Barista, early shift'],
    ['declined', 'Leila Haddad keeps 3 shifts as you agreed them: Barista, early shift'],
    ['withdrawn', 'Café Noord took its change of 3 shifts back: Barista, early shift'],
  ])('counts the shifts whose change was %s', (variant, heading) => {
    const mail = noticeMail('shift-change-ended', { ...full, variant, side: 'business' });
    expect(mail).toMatchObject({ heading, facts: [] });
  });

  it('is empty for an unknown topic', () => {
    expect(noticeMail('constructor', {})).toBeUndefined();
  });

  it('contains when, how much and until when', () => {
    expect(noticeMail('offer-received', full)?.facts).toEqual([
      { label: 'When', value: 'Thu 3 Dec, 18:40–22:00 (Amsterdam time)' },
      { label: 'Pay', value: '€58.50' },
      { label: 'Reply by', value: 'Wed 2 Dec, 12:00 (Amsterdam time)' },
    ]);
  });

  it('contains the time zone', () => {
    const words = noticeMail('interview-scheduled', { ...full, side: 'worker' });
    expect(words?.facts?.[0]?.value).toBe('Thu 3 Dec, 18:40–22:00 (Amsterdam time)');
  });

  it('addresses each side about the other', () => {
    const heading = (side: string) => noticeMail('engagement-cancelled', { ...full, side })?.heading;
    expect(heading('worker')).toBe('Café Noord cancelled: Barista, early shift');
    expect(heading('business')).toBe('Leila Haddad cancelled: Barista, early shift');
  });

  it('quotes a reason, and words our own codes', () => {
    const say = (data: NoticeData) => noticeMail('application-rejected', data)?.paragraphs.join(' ');
    expect(say({ ...full, variant: '' })).toContain('They wrote: “The oven is broken”');
    expect(say({ reason: 'distance' })).toContain('The distance was too far for this work.');
    expect(say({ reason: 'distance: two ferries' })).toContain('They wrote: “two ferries”');
    expect(say({ reason: 'other' })).toBe('For this job. There are other jobs nearby.');
    const note = noticeMail('application-rejected', { reason: 'distance: two ferries\nand a bus: no' });
    expect(note?.paragraphs).toContainEqual({ lead: 'They wrote', quoted: 'two ferries\nand a bus: no' });
    const refused = { ...full, variant: 'refused', reason: 'December is full.' };
    expect(noticeMail('budget-decided', refused)?.paragraphs.join(' ')).toContain('“December is full.”');
  });
});

describe('texts about hours, approvals and disputes', () => {
  const say = (
    topic: 'hours-submitted' | 'work-approved' | 'dispute-opened',
    side: string,
    variant: string,
  ) => {
    const words = noticeMail(topic, { ...full, side, variant });
    return [words?.heading, ...(words?.paragraphs ?? [])].join(' ');
  };

  it('states which hours were submitted automatically', () => {
    expect(say('hours-submitted', 'worker', 'recorded')).toContain('Your recorded hours were submitted');
    expect(say('hours-submitted', 'business', 'planned')).toContain(
      'submitted none For Barista, early shift: 3 h 20 min, €58.50. These are the planned hours',
    );
    expect(say('hours-submitted', 'business', '')).not.toContain('none');
  });

  it('states what is paid without a reply, or that nothing is', () => {
    const review = { ...full, side: 'business', silence: 'review' };
    const say = (silentMinor: number) =>
      noticeMail('pay-settles-soon', { ...review, silentMinor })?.paragraphs.join(' ');
    expect(say(5_850)).toContain('€58.50 is paid and a dispute opens about the rest');
    expect(say(0)).toContain('nothing is paid and a dispute opens');
    const countered = (amountMinor: number) =>
      noticeMail('pay-settles-soon', {
        ...full,
        side: 'worker',
        silence: 'pay-recorded',
        silentMinor: 5_850,
        amountMinor,
      })?.paragraphs.join(' ');
    expect(countered(5_850)).toMatch(/€58\.50 is paid, as .* proposed/);
    expect(countered(5_000)).toContain('€58.50 is paid for the recorded hours within the planned time');
  });

  it('states how it was approved', () => {
    expect(say('work-approved', 'worker', 'auto-approved')).toContain('nobody replied in time');
    expect(say('work-approved', 'worker', 'pay-recorded')).toContain('so the pay is settled');
    expect(say('work-approved', 'business', 'accept-counter')).toContain('Leila Haddad accepted');
  });

  it('quotes who opened a dispute, and nobody when it opened automatically', () => {
    expect(say('dispute-opened', 'worker', '')).toContain('They wrote: “The oven is broken”');
    expect(say('dispute-opened', 'worker', 'rounds')).not.toContain('“');
  });

  it('promises no pay that a dispute did not release', () => {
    // Hours entirely outside the plan pay nothing.
    expect(say('dispute-opened', 'worker', 'beyond-plan')).toContain('Only hours within the plan are paid');
    expect(say('dispute-opened', 'business', 'counter')).toContain('incomplete or contested');
  });
});

describe('docs/notifications.md', () => {
  it('is up to date (npm run docs)', async () => {
    expect(await writtenNotificationsDoc()).toBe(notificationsDoc());
  });
});

describe('the mail of names that strain the layout', () => {
  const strained: NoticeData = {
    ...full,
    workerName: `أحمد ${'👩🏽‍🍳'.repeat(60)}`,
    businessName: 'Donaudampfschifffahrtsgesellschaft'.repeat(20),
    jobTitle: '<b>Line\r\nbreak & "quotes"</b>',
    reason: `${'שלום '.repeat(300)}`,
  };

  it('stays on one line, well-formed and escaped', () => {
    for (const { topic, words } of mails(strained)) {
      const mail = composeMail('leila@x.test', 'key', {
        ...(words as NonNullable<typeof words>),
        action: { label: words?.action ?? '', url: 'https://nearhand.example/' },
        footnote: words?.why ?? '',
      });
      expect(mail.subject, topic).not.toMatch(/[\r\n]/);
      for (const part of [mail.subject, mail.text, mail.html]) expect(part.isWellFormed(), topic).toBe(true);
      expect(mail.html, topic).not.toContain('<b>');
      expect(mail.html, topic).toContain('overflow-wrap:anywhere');
      const isolates = (sign: string) => mail.text.split(sign).length;
      expect(isolates('\u2068'), topic).toBe(isolates('\u2069'));
    }
  });

  it('isolates a right-to-left name from the sentence', () => {
    expect(noticeMail('application-received', { ...full, count: 1, workerName: 'أحمد' })?.heading).toBe(
      '\u2068أحمد\u2069 applied',
    );
  });

  it('sets multi-line text apart, and treats a message as one', () => {
    const first = (reason: string) => noticeMail('message-received', { ...full, reason })?.paragraphs[0];
    expect(first('One\r\n\r\n\r\n two  \n\u202Eأحمد\n')).toEqual({
      lead: 'They wrote',
      quoted: 'One\n\n two\n\u2068أحمد\u2069',
    });
    expect(noticeMail('message-received', { variant: 'files', reason: '' })?.paragraphs[0]).toBe(
      'They sent files. About this job.',
    );
    expect(first('other')).toBe('They wrote: “other”');
    expect(first('distance: far')).toBe('They wrote: “distance: far”');
    expect(first('x\n'.repeat(2_000))).toMatchObject({ quoted: `${'x\n'.repeat(249)}x…` });
  });

  it('keeps user text from reversing the rest of the mail', () => {
    const paragraphs = (reason: string) => noticeMail('message-received', { ...full, reason })?.paragraphs[0];
    expect(paragraphs('see \u202Efdp.exe')).toBe('They wrote: “see fdp.exe”');
    expect(paragraphs('\u2067\u202Dأحمد')).toBe('They wrote: “\u2068أحمد\u2069”');
    expect(paragraphs('\u202E')).not.toMatch(/They wrote/);
  });
});

describe('in other languages', () => {
  const german = noticeFormat(null, 'de');
  it('ends a sentence once, also behind a short month or a company', () => {
    const withdrawal = { amountMinor: 5850, currency: 'EUR', by: '2026-12-02' };
    expect(topicTexts('withdrawal-sent', withdrawal, german)?.text).toContain('Erwartet bis Mi., 2. Dez.');
    expect(topicTexts('withdrawal-sent', withdrawal, german)?.text).not.toContain('..');
    const late = { ...full, jobTitle: 'Barista at Bakker B.V.', side: 'worker', startsAt: '' };
    expect(topicTexts('offer-withdrawn', { ...late, amountMinor: 0, currency: '' }, format)?.text).toMatch(
      /^For Barista at Bakker B\.V\.(?!\.)/,
    );
  });

  it('writes a duration in the words of the language', () => {
    const hours = (language: 'en' | 'de' | 'ar') =>
      mailTexts('hours-submitted', full, noticeFormat(null, language))?.facts[0]?.value;
    expect([hours('en'), hours('de'), hours('ar')]).toEqual(['3 h 20 min', '3 Std. 20 Min.', '3 س 20 د']);
  });

  it('puts an Arabic comma between day and time', () => {
    expect(noticeFormat(null, 'ar').dateTime('2026-12-03T17:40:00Z', 'Europe/Amsterdam')).toBe(
      'الخميس 3 ديسمبر، 18:40',
    );
  });
});

describe('times, spans and money', () => {
  const inbox = (data: NoticeData) =>
    topicTexts('offer-received', { jobTitle: 'Bar', ...data }, format)?.text;

  it('uses the time zone of the job', () => {
    const at = (by: string, timeZone: string) => inbox({ by, timeZone });
    expect(at('2026-12-03T17:40:00Z', 'America/New_York')).toContain('Reply by Thu 3 Dec, 12:40.');
    expect(at('2026-12-03T23:00:00Z', 'Europe/Amsterdam')).toContain('Reply by Fri 4 Dec, 00:00.');
    expect(inbox({})).toBe('For Bar.');
  });

  it("shows the day a span ends only if it isn't near", () => {
    const span = (startsAt: string, endsAt: string) =>
      inbox({ startsAt, endsAt, timeZone: 'Europe/Amsterdam' });
    expect(span('2026-12-03T21:00:00Z', '2026-12-04T05:00:00Z')).toBe('Bar, Thu 3 Dec, 22:00–06:00.');
    expect(span('2026-12-03T07:00:00Z', '2026-12-05T16:00:00Z')).toBe(
      'Bar, Thu 3 Dec, 08:00–Sat 5 Dec, 17:00.',
    );
    expect(span('2026-12-03T07:00:00Z', '')).toBe('Bar, Thu 3 Dec, 08:00.');
    expect(span('', '2026-12-03T07:00:00Z')).toBe('For Bar.');
  });

  it('formats whole amounts without cents', () => {
    const amount = (amountMinor: number, currency?: string) =>
      inbox({ amountMinor, ...(currency ? { currency } : {}) });
    expect(amount(1800, 'EUR')).toBe('Bar, €18.');
    expect(amount(1720, 'GBP')).toBe('Bar, £17.20.');
    expect(amount(1500, 'JPY')).toBe('Bar, ¥1,500.');
    expect(amount(0, 'EUR')).toBe('Bar, €0.');
    expect(amount(0.5, 'EUR')).toBe('For Bar.');
    expect(amount(1800)).toBe('For Bar.');
  });

  it('cuts between characters', () => {
    expect(cutText('👍👍👍', 2)).toBe('👍…');
    expect(cutText('abc', 3)).toBe('abc');
  });
});
