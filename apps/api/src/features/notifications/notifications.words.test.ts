import { notificationTopics } from '@nearhand/contract/notifications';
import { describe, expect, it } from 'vitest';
import { notificationsDoc, writtenNotificationsDoc } from '../../../scripts/notifications-doc.ts';
import { composeMail } from '../../platform/mail-layout.ts';
import { cutText, moneyText, type NoticeData, onOneLine, spanText, timeText } from './notice-text.ts';
import { noticeMail } from './notifications.words.ts';

const full: NoticeData = {
  jobTitle: 'Barista, early shift',
  businessName: 'Café Noord',
  workerName: 'Leila Haddad',
  timeZone: 'Europe/Amsterdam',
  startsAt: '2026-12-03T17:40:00Z',
  endsAt: '2026-12-03T21:00:00Z',
  by: '2026-12-02T11:00:00Z',
  decideBy: '2026-12-02T11:00:00Z',
  expiresAt: '2026-12-02T11:00:00Z',
  reason: 'The oven is broken',
  what: 'experience',
  amountMinor: 5850,
  currency: 'EUR',
  hours: '3 h 20 min',
  waiting: 3,
  count: 3,
};
const sides = ['worker', 'business'] as const;
const mails = (data: NoticeData) =>
  notificationTopics.flatMap((topic) =>
    sides.map((side) => ({ topic, side, words: noticeMail(topic, { ...data, side }) })),
  );
const sentenceOf = (words: ReturnType<typeof noticeMail>) =>
  [words?.subject, words?.heading, ...(words?.paragraphs ?? []), words?.action, words?.why].join('\n');

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
      expect(words?.paragraphs.length, topic).toBeGreaterThan(0);
      for (const { label, value } of words?.facts ?? []) {
        expect(label).toBeTruthy();
        expect(value, `${topic}, ${label}`).toBeTruthy();
        expect(value, `${topic}, ${label}`).not.toMatch(broken);
      }
    }
  });

  it('says nothing for a topic it does not know', () => {
    expect(noticeMail('constructor' as never, {})).toBeUndefined();
  });

  it('says when, how much and until when', () => {
    expect(noticeMail('offer-received', full)?.facts).toEqual([
      { label: 'When', value: 'Thu 3 Dec, 18:40–22:00' },
      { label: 'Pay', value: '€58.50' },
      { label: 'Answer by', value: 'Wed 2 Dec, 12:00' },
    ]);
  });

  it('names the zone of an interview', () => {
    const words = noticeMail('interview-scheduled', { ...full, side: 'worker' });
    expect(words?.facts?.[0]?.value).toBe('Thu 3 Dec, 18:40–22:00 (Amsterdam time)');
  });

  it('speaks to each side about the other', () => {
    const heading = (side: string) => noticeMail('engagement-cancelled', { ...full, side })?.heading;
    expect(heading('worker')).toBe('Café Noord called Barista, early shift off');
    expect(heading('business')).toBe('Leila Haddad does not come to Barista, early shift');
  });

  it('quotes a reason, and puts one of our own into words', () => {
    const say = (data: NoticeData) => noticeMail('application-rejected', data)?.paragraphs.join(' ');
    expect(say({ ...full, what: '' })).toContain('They wrote: “The oven is broken”');
    expect(say({ reason: 'distance' })).toContain('The distance was too far for this work. ');
    expect(say({ reason: 'distance: two ferries' })).toContain('They wrote: “two ferries”');
    expect(say({ reason: 'other' })).toBe('It was for this job. Other jobs nearby are waiting.');
    const note = noticeMail('application-rejected', { reason: 'distance: two ferries\nand a bus: no' });
    expect(note?.paragraphs).toContainEqual({ lead: 'They wrote', quoted: 'two ferries\nand a bus: no' });
  });
});

describe('who is told of hours, approvals and disputes', () => {
  const say = (topic: 'hours-submitted' | 'work-approved' | 'dispute-opened', side: string, what: string) => {
    const words = noticeMail(topic, { ...full, side, what });
    return [words?.heading, ...(words?.paragraphs ?? [])].join(' ');
  };

  it('says which hours the clock put in', () => {
    expect(say('hours-submitted', 'worker', 'recorded')).toContain('The recorded hours');
    expect(say('hours-submitted', 'business', 'planned')).toContain('submitted none, so the planned hours');
    expect(say('hours-submitted', 'business', '')).not.toContain('none');
  });

  it('says how it came to be approved', () => {
    expect(say('work-approved', 'worker', 'by-itself')).toContain('Nobody answered in time');
    expect(say('work-approved', 'worker', 'counter-stood')).toContain(
      'the hours that Café Noord proposed stand',
    );
    expect(say('work-approved', 'business', 'accept-counter')).toContain('Leila Haddad agreed');
  });

  it('quotes who opened a dispute, and nobody where it opened by itself', () => {
    expect(say('dispute-opened', 'worker', '')).toContain('They wrote: “The oven is broken”');
    expect(say('dispute-opened', 'worker', 'rounds')).not.toContain('“');
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

  it('stays one line, well-formed and escaped', () => {
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

  it('keeps a name that runs from right to left from turning the sentence round', () => {
    expect(noticeMail('application-received', { ...full, workerName: 'أحمد' })?.heading).toBe(
      '\u2068أحمد\u2069 applied for Barista, early shift',
    );
  });

  it('sets apart what somebody wrote in several lines, and takes all of a message for one', () => {
    const first = (reason: string) => noticeMail('message-received', { ...full, reason })?.paragraphs[0];
    expect(first('One\r\n\r\n\r\n two  \n\u202Eأحمد\n')).toEqual({
      lead: 'They wrote',
      quoted: 'One\n\n two\n\u2068أحمد\u2069',
    });
    expect(noticeMail('message-received', { what: 'files', reason: '' })?.paragraphs[0]).toBe(
      'They sent files.',
    );
    expect(first('other')).toBe('They wrote: “other”');
    expect(first('distance: far')).toBe('They wrote: “distance: far”');
    expect(first('x\n'.repeat(2_000))).toMatchObject({ quoted: `${'x\n'.repeat(249)}x…` });
  });

  it('keeps what somebody wrote from turning the rest of the mail round', () => {
    const paragraphs = (reason: string) => noticeMail('message-received', { ...full, reason })?.paragraphs[0];
    expect(paragraphs('see \u202Efdp.exe')).toBe('They wrote: “see fdp.exe”');
    expect(paragraphs('\u2067\u202Dأحمد')).toBe('They wrote: “\u2068أحمد\u2069”');
    expect(paragraphs('\u202E')).not.toMatch(/They wrote/);
  });
});

describe('times, spans and money', () => {
  it('tells the time of the job’s place with its weekday', () => {
    const data = { at: '2026-12-03T17:40:00Z', timeZone: 'America/New_York' };
    expect(timeText(data, 'at')).toBe('Thu 3 Dec, 12:40');
    expect(timeText({ at: '2026-12-03T23:00:00Z', timeZone: 'Europe/Amsterdam' }, 'at')).toBe(
      'Fri 4 Dec, 00:00',
    );
    expect(timeText({}, 'at')).toBe('');
  });

  it('gives the end of a span its day where it is not near', () => {
    const span = (startsAt: string, endsAt: string) =>
      spanText({ startsAt, endsAt, timeZone: 'Europe/Amsterdam' });
    expect(span('2026-12-03T21:00:00Z', '2026-12-04T05:00:00Z')).toBe('Thu 3 Dec, 22:00–06:00');
    expect(span('2026-12-03T07:00:00Z', '2026-12-05T16:00:00Z')).toBe('Thu 3 Dec, 08:00–Sat 5 Dec, 17:00');
    expect(span('2026-12-03T07:00:00Z', '')).toBe('Thu 3 Dec, 08:00');
    expect(span('', '2026-12-03T07:00:00Z')).toBe('');
  });

  it('writes money whole when whole', () => {
    expect(moneyText({ amountMinor: 1800, currency: 'EUR' })).toBe('€18');
    expect(moneyText({ amountMinor: 1720, currency: 'GBP' })).toBe('£17.20');
    expect(moneyText({ amountMinor: 1500, currency: 'JPY' })).toBe('¥1,500');
    expect(moneyText({ amountMinor: 0, currency: 'EUR' })).toBe('€0');
    expect(moneyText({ amountMinor: 0.5, currency: 'EUR' })).toBe('');
    expect(moneyText({ amountMinor: 1800 })).toBe('');
  });

  it('cuts between characters', () => {
    expect(cutText('👍👍👍', 2)).toBe('👍…');
    expect(cutText('abc', 3)).toBe('abc');
  });
});
