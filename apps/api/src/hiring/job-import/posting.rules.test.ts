import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgeSettings, judgePosting, type Posting } from './posting.rules.ts';
import { calmCapitals, htmlToText, oneLine, shorten } from './posting-text.rules.ts';
import { isDayFormat, readAmount, readDay } from './posting-values.rules.ts';

const settings: JudgeSettings = {
  today: '2026-11-21',
  passed: 'refuse',
  decimal: '.',
  capitals: 'keep',
  keepCapitals: [],
};
const good: Posting = {
  id: 'A-1',
  title: 'Night porter',
  business: 'Hotel Zuid',
  description: ['Keep the desk at night.'],
  category: 'hospitality',
  kind: 'shift',
  payFrom: '16.50',
  payTo: '18',
  payUnit: 'hour',
  payUnitText: 'Hourly',
  currency: 'EUR',
  headCount: '2',
  hours: '22:00 to 06:00',
  employment: 'Part-time',
  posted: { day: '2026-11-01', text: '1-Nov-26' },
  until: { day: null, text: '' },
  place: { address: 'Stadionweg 1', area: 'Zuid', countryCode: 'NL', lat: 52.346, lng: 4.868 },
  url: 'https://example.test/jobs/1',
};
const judge = (change: Partial<Posting>, other: Partial<JudgeSettings> = {}) =>
  judgePosting({ ...good, ...change }, { ...settings, ...other });
const row = (change: Partial<Posting>, other?: Partial<JudgeSettings>) => {
  const judged = judge(change, other);
  if ('refusal' in judged) throw new Error(judged.refusal.words);
  return { ...judged.row, fixed: judged.fixed };
};
const refusal = (change: Partial<Posting>) => {
  const judged = judge(change);
  return 'refusal' in judged ? judged.refusal.code : 'imported';
};

describe('judging a posting', () => {
  it('imports a valid posting', () => {
    expect(row({})).toEqual({
      sourceId: 'A-1',
      businessName: 'Hotel Zuid',
      kind: 'shift',
      title: 'Night porter',
      category: 'hospitality',
      description: 'Keep the desk at night.\n\nFirst posted by its source on 1 November 2026.',
      payMinor: 1650,
      payMaxMinor: 1800,
      payUnit: 'hour',
      currency: 'EUR',
      headCount: 2,
      hoursNote: 'Part-time, 22:00 to 06:00',
      place: good.place,
      until: null,
      sourceUrl: 'https://example.test/jobs/1',
      fixed: [],
    });
  });

  it.each<[string, Partial<Posting>]>([
    ['id-missing', { id: ' \u0000' }],
    ['id-too-long', { id: 'x'.repeat(201) }],
    ['title-missing', { title: '<p> </p>' }],
    ['title-too-long', { title: 'x'.repeat(100_000) }],
    ['business-missing', { business: '' }],
    ['business-name-too-long', { business: 'x'.repeat(81) }],
    ['remote-only', { place: { problem: 'remote-only', text: '' } }],
    ['place-not-found', { place: { problem: 'place-not-found', text: 'Various' } }],
    ['place-invalid', { place: { ...good.place, lat: Number.NaN, lng: 4 } as Posting['place'] }],
    ['place-invalid', { place: { ...good.place, lat: 95, lng: 4 } as Posting['place'] }],
    ['place-invalid', { place: { ...good.place, lat: 0, lng: 0 } as Posting['place'] }],
    ['pay-missing', { payFrom: '', payTo: ' ' }],
    ['pay-missing', { payFrom: '0', payTo: '0' }],
    ['pay-missing', { payFrom: '$0', payTo: '$150000' }],
    ['pay-unreadable', { payFrom: 'NaN' }],
    ['pay-unreadable', { payFrom: 'negotiable' }],
    ['pay-unreadable', { payFrom: '1e9' }],
    ['pay-negative', { payFrom: '-5' }],
    ['pay-too-high', { payFrom: '99999999999' }],
    ['pay-too-low', { payFrom: '2.99', payTo: '' }],
    ['pay-unit-unknown', { payUnit: null, payUnitText: 'Fortnightly' }],
    ['currency-unknown', { currency: 'XAU' }],
    ['currency-unknown', { currency: '' }],
    ['head-count-invalid', { headCount: '501' }],
    ['head-count-invalid', { headCount: '0' }],
    ['head-count-invalid', { headCount: '-1' }],
    ['head-count-invalid', { headCount: '1.5' }],
    ['head-count-invalid', { headCount: 'several' }],
    ['date-unreadable', { posted: { day: null, text: '31-Feb-24' } }],
    ['date-unreadable', { until: { day: null, text: 'soon' } }],
    ['posting-ended', { until: { day: '2024-11-07', text: '7-Nov-24' } }],
    ['row-invalid', { place: { ...good.place, countryCode: 'Holland' } as Posting['place'] }],
  ])('refuses %s', (code, change) => {
    expect(refusal(change)).toBe(code);
  });

  it('imports an ended posting only if the mapping allows it, and keeps its dates as text', () => {
    const until = { day: '2024-11-07', text: '7-Nov-24' };
    const imported = row({ until, posted: { day: '2024-07-10', text: '7/10/2024' } }, { passed: 'import' });
    expect(imported.description).toContain(
      'First posted by its source on 10 July 2024. Open there until 7 November 2024.',
    );
    expect(imported.until).toBeNull();
    expect(row({ until: { day: '2026-12-01', text: '1-Dec-26' } }).until).toBe('2026-12-01');
  });

  it('fixes what it can and reports it', () => {
    const title = `${'Preventive maintenance programme manager, '.repeat(4)}Bureau of Facilities`;
    const long = row({
      title,
      description: ['y '.repeat(50_000)],
      payFrom: '20',
      payTo: '10',
      url: 'javascript:alert(1)',
    });
    expect(long.fixed).toEqual([
      'title-shortened',
      'pay-range-swapped',
      'description-shortened',
      'web-address-dropped',
    ]);
    expect(long.title.length).toBeLessThanOrEqual(120);
    expect(long.description.startsWith(title)).toBe(true);
    expect(long.description.length).toBeLessThanOrEqual(5_000);
    expect(long).toMatchObject({ payMinor: 1000, payMaxMinor: 2000, sourceUrl: null });
  });

  it('accepts a fixed price for a task and shows no range when both ends are equal', () => {
    expect(row({ payUnit: 'fixed', payTo: '' })).toMatchObject({ kind: 'task', payMaxMinor: null });
    expect(row({ payTo: '16.5' }).payMaxMinor).toBeNull();
    expect(row({ payFrom: '' })).toMatchObject({ payMinor: 1800, payMaxMinor: null });
    expect(row({ hours: '', employment: '' }).hoursNote).toBe('Hours not given by the source');
  });

  it('never throws, whatever the text', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, anyText, (id, title, pay, headCount, hours) => {
        const judged = judge({
          id,
          title,
          business: title,
          description: [title, hours],
          payFrom: pay,
          headCount,
          hours,
          url: pay,
        });
        if ('row' in judged) expect(JSON.stringify(judged.row)).not.toMatch(/\\u0000|\\ud8/);
      }),
    );
  });
});

describe('amounts', () => {
  it.each<[string, '.' | ',', unknown]>([
    ['$105746', '.', { minor: 10_574_600 }],
    ['$1,234.50', '.', { minor: 123_450 }],
    ['€ 1.234,5', ',', { minor: 123_450 }],
    ['1.234.567,5', ',', { minor: 123_456_750 }],
    ['1,05,746.5', '.', { minor: 10_574_650 }],
    ['12,5', ',', { minor: 1_250 }],
    // A grouping sign without groups must be the decimal sign.
    ['12.5', ',', { problem: 'unreadable' }],
    ['12,5', '.', { problem: 'unreadable' }],
    ['1.23,45', ',', { problem: 'unreadable' }],
    ['1234,567.0', '.', { problem: 'unreadable' }],
    ['USD 25', '.', { minor: 2_500 }],
    ['25 USD', '.', { minor: 2_500 }],
    ["12'345.678", '.', { minor: 1_234_568 }],
    ['0.005', '.', { minor: 1 }],
    ['.5', '.', { minor: 50 }],
    ['-0', '.', { minor: 0 }],
    ['\u2212 3', '.', { problem: 'negative' }],
    ['12.5.3', '.', { problem: 'unreadable' }],
    ['', '.', { problem: 'unreadable' }],
    ['.', '.', { problem: 'unreadable' }],
    ['10000000.01', '.', { problem: 'too-high' }],
  ])('reads %s', (text, decimal, expected) => {
    expect(readAmount(text, 'USD', decimal)).toEqual(expected);
  });
  it('handles currencies without minor units', () =>
    expect(readAmount('1500.4', 'JPY')).toEqual({ minor: 1500 }));
});

describe('days', () => {
  it.each<[string, string, string | null]>([
    ['7/10/2024', 'M/D/YYYY', '2024-07-10'],
    ['7-Nov-24', 'D-MMM-YY', '2024-11-07'],
    ['7-November-24', 'D-MMM-YY', '2024-11-07'],
    ['2024-02-29', 'YYYY-MM-DD', '2024-02-29'],
    ['2024-02-29T10:00:00+02:00', 'YYYY-MM-DD', '2024-02-29'],
    ['31-Feb-24', 'D-MMM-YY', null],
    ['29.02.2023', 'DD.MM.YYYY', null],
    ['13/1/2024', 'M/D/YYYY', null],
    ['7-Xyz-24', 'D-MMM-YY', null],
    ['45483', 'M/D/YYYY', null],
  ])('reads %s as %s', (text, format, day) => {
    expect(readDay(text, format)).toBe(day);
  });
  it('recognizes a date format', () => {
    expect(['M/D/YYYY', 'D-MMM-YY', 'YYYYMMDD'].map(isDayFormat)).toEqual([true, true, true]);
    expect(['M/D', 'DD/DD/YYYY', '', 'x'.repeat(50)].map(isDayFormat)).toEqual([false, false, false, false]);
  });
});

describe('text', () => {
  it('converts markup to plain text', () => {
    expect(
      htmlToText(
        '<p>You will:</p><ul><li>serve &amp; smile</li><li>close&nbsp;up</li></ul><script>alert(1)</script>',
      ),
    ).toBe('You will:\n• serve & smile\n• close up');
    expect(htmlToText('&lt;p&gt;Caf&eacute; &#8211; caf&#xE9;&lt;/p&gt;')).toBe('Café – café');
    expect(htmlToText('a < b and c > d')).toBe('a < b and c > d');
    expect(htmlToText('one\r\ntwo')).toBe('one\ntwo');
    expect(htmlToText('<!-- never closed')).toBe('<!-- never closed');
    expect(htmlToText('x<br>y<!-- z')).toBe('x\ny');
    expect(htmlToText('&unknown; &#0; &#xD800;')).toBe('&unknown;');
    expect(htmlToText('&constructor; &aconstructor;')).toBe('&constructor; &aconstructor;');
  });
  it('is fast on hostile markup', () => {
    for (const part of ['<', '<a', '<!--', '<script>', '&', '&amp', '\n \n', '<li>', '<p>'])
      expect(htmlToText(part.repeat(30_000)).length).toBeGreaterThanOrEqual(0);
  }, 2_000);
  it('keeps one line as one line', () => {
    expect(oneLine('a\u0000b\tc\n d\u200b\ud800')).toBe('a b c d\ufffd');
  });
  it('cuts after a word, never within a character', () => {
    expect(shorten('one two three four', 12)).toBe('one two…');
    expect(shorten(`${'x'.repeat(8)}😀😀`, 10)).toBe(`${'x'.repeat(8)}…`);
    expect(shorten('short', 5)).toBe('short');
  });
  it('lowercases text in capitals', () => {
    expect(calmCapitals('DIRECTOR OF IT, BUREAU OF THE PUBLIC HEALTH LABORATORY II')).toBe(
      'Director of IT, Bureau of the Public Health Laboratory II',
    );
    expect(calmCapitals('REASONABLE ACCOMMODATION (RA) COORDINATOR')).toBe(
      'Reasonable Accommodation (RA) Coordinator',
    );
    expect(calmCapitals('WORKER’S COMPENSATION: A GUIDE', [])).toBe('Worker’s Compensation: A Guide');
    expect(calmCapitals('HPD TECH', ['hpd'])).toBe('HPD Tech');
    expect(calmCapitals('Already Calm IT')).toBe('Already Calm IT');
  });
});
