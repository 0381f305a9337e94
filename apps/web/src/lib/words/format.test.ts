import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { i18n } from '@lingui/core';
import { type Currency, currencies, currencyDigits } from '@nearhand/contract/currencies';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deviceZone } from '../../../test/device.ts';
import { clock, units } from '../device/device-setting.ts';
import * as format from './format.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => void deviceZone(amsterdam));
afterEach(() => {
  vi.unstubAllGlobals();
});

const reader = (...languages: string[]) => vi.stubGlobal('navigator', { ...navigator, languages });
const amsterdam = 'Europe/Amsterdam';
const now = new Date('2026-11-20T09:00:00Z');

describe('money', () => {
  it('has no decimals when whole', () => {
    reader('en-US');
    expect(format.formatMoney(1_800, 'EUR')).toBe('€18');
    expect(format.formatMoney(1_720, 'EUR')).toBe('€17.20');
    expect(format.formatMoney({ minor: 124_000, currency: 'USD' })).toBe('$1,240');
    expect(format.formatMoney(0, 'GBP')).toBe('£0');
    const euros = { minor: 5_050, currency: 'EUR' as const };
    const pounds = { minor: 300, currency: 'GBP' as const };
    expect(format.formatSum([euros, pounds, euros])).toBe('€101 + £3');
    expect(format.formatMoney(-150, 'EUR')).toBe('−€1.50');
    expect(format.formatMoney(-0, 'EUR')).toBe('€0');
  });

  it('puts the sign of a change where the language has it', () => {
    reader('en-IE');
    expect([1_800, -1_720, 0].map((minor) => format.formatChange(minor, 'EUR'))).toEqual([
      '+€18',
      '−€17.20',
      '€0',
    ]);
    i18n.loadAndActivate({ locale: 'ar', messages: {} });
    reader('ar');
    // The left-to-right mark keeps the sign before the number in a right-to-left line.
    expect(format.formatChange(-1_800, 'EUR')).toBe('\u200f\u200e−18\u00a0€');
    i18n.loadAndActivate({ locale: 'en', messages: {} });
  });

  it('supports currencies without a minor unit', () => {
    reader('en-US');
    expect(format.formatMoney(1_500, 'JPY')).toBe('¥1,500');
  });

  it("follows the reader's region, not the currency's", () => {
    reader('en-IE');
    expect(format.formatMoney(123_450, 'USD')).toBe('$1,234.50');
  });

  it.each(currencies)("%s has the ledger's digits", (code) => {
    expect(format.minorDigits(code)).toBe(currencyDigits[code as Currency]);
  });

  it("has our texts' digits in Arabic, in any region", () => {
    i18n.loadAndActivate({ locale: 'ar', messages: {} });
    reader('ar-EG');
    expect(new Intl.NumberFormat('ar-EG').format(4.6)).toBe('٤٫٦');
    expect(format.formatTenths(46)).toBe('4.6');
    expect(format.formatTime('2026-11-20T13:30:00Z', 'UTC')).toContain('1:30');
    reader('nl-NL');
    expect(format.formatNumber(1_234.5)).toBe('1,234.5');
    i18n.loadAndActivate({ locale: 'en', messages: {} });
  });

  it('formats a fee in percent', () => {
    reader('en-US');
    expect(format.formatShare(1_000)).toBe('10%');
    expect(format.formatShare(250)).toBe('2.5%');
  });
});

describe('days and times', () => {
  it("shows every date with its weekday, in the job's zone, and keeps a short one on one line", () => {
    reader('en-GB');
    expect(format.formatDay('2026-11-28T23:30:00Z', amsterdam, { now })).toBe('Sun\u00a029\u00a0Nov');
    expect(format.formatDay('2026-11-28T23:30:00Z', 'America/New_York', { now })).toBe(
      'Sat\u00a028\u00a0Nov',
    );
    expect(format.formatDay('2027-01-04T12:00:00Z', amsterdam, { now })).toContain('2027');
    expect(format.formatDay('2026-11-28T12:00:00Z', amsterdam, { now, style: 'long' })).toBe(
      'Saturday 28 November',
    );
  });

  it('puts no comma between weekday and day in English, in any region', () => {
    reader('en-IE');
    const at = '2026-11-28T12:00:00Z';
    expect(format.formatDay(at, amsterdam, { now })).toBe('Sat\u00a028\u00a0Nov');
    reader('en-NZ');
    expect(format.formatDay(at, amsterdam, { now, style: 'long' })).toBe('Saturday 28 November');
    reader('en-US');
    expect(format.formatDay(at, amsterdam, { now })).toBe('Sat,\u00a0Nov\u00a028');
  });

  it.each([
    ['es', 'sáb 28 nov'],
    ['ar', 'السبت 28 نوفمبر'],
    ['de', 'Sa., 28. Nov.'],
    ['fr', 'sam. 28 nov.'],
  ])('writes a day within a sentence as %s does', (language, day) => {
    reader(language);
    i18n.loadAndActivate({ locale: language, messages: {} });
    const text = format.formatDay('2026-11-28T12:00:00Z', amsterdam, { now });
    i18n.loadAndActivate({ locale: 'en', messages: {} });
    expect(text.replaceAll('\u00a0', ' ')).toBe(day);
  });

  it("uses today and tomorrow by the place's calendar", () => {
    reader('en-GB');
    const late = new Date('2026-11-20T23:30:00Z');
    expect(format.formatDayTime('2026-11-21T08:00:00Z', amsterdam, late)).toBe('Today, 09:00');
    expect(format.formatDayTime('2026-11-21T08:00:00Z', amsterdam, now)).toBe('Tomorrow, 09:00');
    expect(format.formatDayTime('2026-11-19T08:00:00Z', amsterdam, now)).toBe('Thu\u00a019\u00a0Nov, 09:00');
  });

  it('formats a shift as one span, through midnight too', () => {
    reader('en-GB');
    expect(format.formatSpan('2026-11-28T07:00:00Z', '2026-11-28T13:00:00Z', amsterdam, now)).toBe(
      'Sat\u00a028\u00a0Nov, 08:00–\u206014:00',
    );
    expect(format.formatSpan('2026-11-28T21:00:00Z', '2026-11-29T04:00:00Z', amsterdam, now)).toBe(
      'Sat\u00a028\u00a0Nov, 22:00–\u206005:00',
    );
    expect(format.formatSpan('2026-11-28T07:00:00Z', '2026-11-30T13:00:00Z', amsterdam, now)).toBe(
      'Sat\u00a028\u00a0Nov, 08:00–\u2060Mon\u00a030\u00a0Nov, 14:00',
    );
  });

  it("names the place's zone when the reader's clock shows another time", async () => {
    reader('en-GB');
    deviceZone('America/New_York');
    await Promise.resolve();
    const from = '2026-11-28T07:00:00Z';
    const to = '2026-11-28T13:00:00Z';
    const there = ' (Amsterdam time)';
    expect(format.formatDate(from, amsterdam, now)).toBe(`Sat\u00a028\u00a0Nov, 08:00${there}`);
    expect(format.formatDayTime('2026-11-20T10:00:00Z', amsterdam, now)).toBe(`Today, 11:00${there}`);
    expect(format.formatSpan(from, to, amsterdam, now)).toBe(
      `Sat\u00a028\u00a0Nov, 08:00–\u206014:00${there}`,
    );
    expect(format.formatDateSpan(from, to, amsterdam, now)).toContain(there);
    expect(format.formatDate(from, 'America/Toronto', now)).toBe('Sat\u00a028\u00a0Nov, 02:00');
  });

  it('capitalizes only at the start', () => {
    reader('en-GB');
    const from = '2026-11-20T10:00:00Z';
    const to = '2026-11-21T14:00:00Z';
    expect(format.formatSpan(from, to, amsterdam, now)).toBe(
      'Today, 11:00–\u2060Sat\u00a021\u00a0Nov, 15:00',
    );
    expect(format.formatDateSpan(from, to, amsterdam, now)).toBe(
      'Fri\u00a020\u00a0Nov, 11:00–\u2060Sat\u00a021\u00a0Nov, 15:00',
    );
    expect(format.formatAgoWithin('2026-11-20T08:59:40Z', now)).toBe('just now');
    expect(format.formatAgoWithin('2026-11-20T08:48:00Z', now)).toBe('12 minutes ago');
  });

  it('has no text before it wherever it is capitalized', () => {
    const after = /[a-z,:] \$?\{format(?:DayTime|Span|Ago)\(|joined\([\w.?]+, format(?:DayTime|Span|Ago)\(/g;
    const root = path.resolve(import.meta.dirname, '../..');
    const misplaced = globSync('**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(after)].map(([text]) => `${file}: ${text}`),
    );
    expect(misplaced).toEqual([]);
  });

  it('omits the minutes of a full hour with a twelve-hour clock', () => {
    reader('en-US');
    expect(format.formatTime('2026-11-28T07:00:00Z', amsterdam)).toBe('8\u00a0AM');
    expect(format.formatTime('2026-11-28T07:30:00Z', amsterdam)).toBe('8:30\u00a0AM');
    expect(format.formatSpan('2026-11-28T07:00:00Z', '2026-11-28T14:00:00Z', amsterdam, now)).toBe(
      'Sat,\u00a0Nov\u00a028, 8\u00a0AM–\u20603\u00a0PM',
    );
  });

  it("doesn't shift a calendar day, on a device in any zone", async () => {
    reader('en-GB');
    await Promise.resolve();
    const options = vi
      .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
      .mockReturnValue({ timeZone: 'America/New_York' } as Intl.ResolvedDateTimeFormatOptions);
    onTestFinished(() => options.mockRestore());
    expect(format.formatCalendarDay('2026-12-04', { now })).toBe('Fri\u00a04\u00a0Dec');
  });

  it('is relative only below a day', () => {
    reader('en-GB');
    expect(format.formatAgo('2026-11-20T08:59:40Z', now)).toBe('Just now');
    expect(format.formatAgo('2026-11-20T08:48:00Z', now)).toBe('12 minutes ago');
    expect(format.formatAgo('2026-11-19T10:00:00Z', now)).toBe('23 hours ago');
    expect(format.formatAgo('2026-11-18T10:00:00Z', now)).toContain('Wed\u00a018\u00a0Nov');
    expect(format.formatAgo('2026-11-14T10:00:00Z', now)).toMatch(/14\u00a0Nov, 1/);
    expect(format.formatAgo('2026-10-30T10:00:00Z', now)).toBe('Fri\u00a030\u00a0Oct');
  });

  it('is short in a ring, never zero while minutes are left', () => {
    const left = (until: string) => format.formatLeftShort(until, now);
    expect([left('2026-11-29T10:00:00Z'), left('2026-11-21T13:00:00Z')]).toEqual(['9\u00a0d', '28\u00a0h']);
    expect([left('2026-11-20T09:27:10Z'), left('2026-11-20T08:00:00Z')]).toEqual([
      '28\u00a0min',
      '0\u00a0min',
    ]);
  });

  it('shows the time left', () => {
    expect(format.formatLeft('2026-11-29T10:00:00Z', now)).toBe('9 days left');
    expect(format.formatLeft('2026-11-21T13:00:00Z', now)).toBe('28 hours left');
    expect(format.formatLeft('2026-11-20T10:30:00Z', now)).toBe('1 hour left');
    expect(format.formatLeft('2026-11-20T09:01:00Z', now)).toBe('1 minute left');
    expect(format.formatLeft('2026-11-20T09:00:00Z', now)).toBeNull();
  });

  it('formats durations', () => {
    expect([45, 60, 330, 360].map(format.formatMinutes)).toEqual([
      '45\u00a0min',
      '1\u00a0h',
      '5\u00a0h\u00a030\u00a0min',
      '6\u00a0h',
    ]);
  });
});

describe('the region', () => {
  afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
  const formatted = (language: string, ...languages: string[]) => {
    i18n.loadAndActivate({ locale: language, messages: {} });
    reader(...languages);
    return [format.formatMoney(1_234_550, 'EUR'), format.formatTime('2026-11-28T14:30:00Z', 'UTC')];
  };
  const spanish = ['12.345,50\u00a0€', '14:30'];

  it("is the browser's if it matches the language", () => {
    expect(formatted('es', 'es-ES')).toEqual(spanish);
    expect(formatted('es', 'en-MX')).toEqual(['€12,345.50', expect.stringMatching(/^0?2:30\sp/)]);
    expect(formatted('fr', 'en-CA')[1]).toMatch(/^14\sh\s30$/);
    expect(formatted('fr', 'en-US')[1]).toBe('14:30');
  });

  it("is ignored if it doesn't match the language", () => {
    expect(formatted('es', 'en-US')).toEqual(spanish);
    expect(formatted('de', 'en-US')).toEqual(['12.345,50\u00a0€', '14:30']);
    expect(formatted('es', 'en-US', 'es-US')).not.toEqual(spanish);
  });

  it('can be any in English, if it is of one kind', () => {
    expect(formatted('en', 'nl-NL')).toEqual(['€12,345.50', '14:30']);
    expect(formatted('en', 'en-NL')).toEqual(['€12,345.50', '14:30']);
    expect(format.formatNumber(4.6)).toBe('4.6');
    expect(formatted('en', 'en-US')[1]).toMatch(/^0?2:30\sPM$/);
  });
});

it("reads the device's time zone once per task", async () => {
  await Promise.resolve();
  const resolvedOptions = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  const inZone = (timeZone: string) =>
    resolvedOptions.mockReturnValueOnce({ timeZone } as Intl.ResolvedDateTimeFormatOptions);
  inZone('Asia/Tokyo');
  expect([format.ownTimeZone(), format.ownTimeZone()]).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
  expect(resolvedOptions).toHaveBeenCalledTimes(1);
  await Promise.resolve();
  inZone('Asia/Seoul');
  expect(format.ownTimeZone()).toBe('Asia/Seoul');
  resolvedOptions.mockRestore();
});

describe('distances', () => {
  it('are metric in metric countries', () => {
    reader('en-IE');
    expect([12, 412, 949, 960, 1_240, 9_949, 14_200].map((m) => format.formatDistance(m, amsterdam))).toEqual(
      ['50\u00a0m', '400\u00a0m', '950\u00a0m', '1\u00a0km', '1.2\u00a0km', '9.9\u00a0km', '14\u00a0km'],
    );
  });

  it('are miles where roads are in miles', () => {
    reader('en-US');
    expect([120, 1_609, 4_000, 25_000].map((m) => format.formatDistance(m, 'America/New_York'))).toEqual([
      '400\u00a0ft',
      '1\u00a0mi',
      '2.5\u00a0mi',
      '16\u00a0mi',
    ]);
  });

  it("follow the place's country, not the reader's language", () => {
    reader('en-GB');
    expect(format.formatDistance(25_000, amsterdam)).toBe('25\u00a0km');
    expect(format.usesMiles('Europe/London')).toBe(true);
    reader('nl-NL');
    expect(format.formatNearness(25_000, 'America/Indiana/Knox')).toBe('16\u00a0mi');
    for (const metric of ['America/Toronto', 'America/Tijuana', 'Europe/Dublin', 'America/New_Yorks', 'UTC'])
      expect(format.usesMiles(metric)).toBe(false);
  });

  it('are a walk up to half an hour', () => {
    reader('en-IE');
    expect(format.walkingMinutes(0)).toBe(1);
    expect(format.formatNearness(320)).toBe('about 5 min walk');
    expect(format.formatNearness(1_900)).toBe('about 30 min walk');
    expect(format.formatNearness(2_500, amsterdam)).toBe('2.5\u00a0km');
  });
});

it('file sizes', () => {
  reader('en-US');
  expect([1, 820, 64_000, 812_000, 4_900_000, peopleLimits.chatFileBytes].map(format.formatBytes)).toEqual([
    '1 byte',
    '820 bytes',
    '63 kB',
    '0.8 MB',
    '4.7 MB',
    '10 MB',
  ]);
});

it('joins the existing parts', () => {
  expect(format.joined('a', null, '', 'b', false)).toBe('a, b');
});

it('keeps the order of Latin names on a right-to-left screen', () => {
  i18n.loadAndActivate({ locale: 'ar', messages: {} });
  expect(format.dotted('Barista', null, 'Hotel Vijf Ankers')).toBe(
    '\u2068Barista\u2069\u00a0· \u2068Hotel Vijf Ankers\u2069',
  );
  expect(format.joined('Barista')).toBe('Barista');
  expect(format.joined(format.joined('Barista', 'الثلاثاء'), '7 ص–3 م')).toBe(
    '\u2068Barista\u2069, الثلاثاء, 7 ص–3 م',
  );
  i18n.activate('en');
});

describe('what someone chose for all their devices', () => {
  afterEach(() => {
    clock.reset();
    units.reset();
  });

  it('sets the clock in every region', () => {
    reader('en-IE');
    clock.set('12');
    expect(format.formatTime('2026-11-21T13:00:00Z', 'UTC').toLowerCase()).toBe('1\u00a0pm');
    expect(format.formatTime('2026-11-21T00:05:00Z', 'UTC').toLowerCase()).toBe('12:05\u00a0am');
    reader('en-US');
    clock.set('24');
    expect(format.formatTime('2026-11-21T13:00:00Z', 'UTC')).toBe('13:00');
    expect(format.formatTime('2026-11-21T00:05:00Z', 'UTC')).toBe('00:05');
  });

  it('sets the unit of every place', () => {
    reader('en-IE');
    units.set('miles');
    expect(format.formatDistance(3_218, 'Europe/Amsterdam')).toBe('2\u00a0mi');
    units.set('km');
    expect(format.formatDistance(3_218, 'America/New_York')).toBe('3.2\u00a0km');
  });
});
