import { buffer } from 'node:stream/consumers';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { durationText } from '../../platform/mail/duration-words.ts';
import { runsOf } from '../../platform/pdf/bidi-text.ts';
import { receiptNumber } from '../receipts/receipts.ts';
import { csvRow, textCell } from './download-files.ts';
import { commaList, dayText, decimalOf, moneyText, stampText, timeText } from './print-words.ts';
import { statementPdf } from './statement-pdf.ts';

describe('amounts', () => {
  it.each([
    [0, 'EUR', '0.00'],
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [-11_880, 'EUR', '-118.80'],
    [9_007_199_254_740_991, 'USD', '90071992547409.91'],
    [1_500, 'JPY', '1500'],
    [-1, 'JPY', '-1'],
  ] as const)('%i of %s is %s', (minor, currency, text) => expect(decimalOf(minor, currency)).toBe(text));
  it('formats them for the language', () => {
    expect(moneyText(-123_450, 'EUR', { signed: true, language: 'de' })).toBe(
      '−1.234,50 €'.replace(' ', '\u00A0'),
    );
    expect(timeText('2026-11-23T10:20:00Z', 'Europe/Amsterdam', true, 'fr')).toBe('23 nov. 2026, 11:20');
    expect(durationText(330, 'nl')).toBe('5 u 30 min');
    expect(dayText('2026-11-23', 'ar')).toBe('23 نوفمبر 2026');
    expect(dayText('2026-11-23')).toBe('Mon 23 Nov 2026');
  });
  it('formats amounts as on the screens, exact at any size', () => {
    expect(moneyText(-11_880, 'EUR', { signed: true })).toBe('−€118.80');
    expect(moneyText(50_000, 'EUR', { signed: true })).toBe('+€500.00');
    expect(moneyText(0, 'GBP', { signed: true })).toBe('£0.00');
    expect(moneyText(9_007_199_254_740_991, 'USD')).toBe('$90,071,992,547,409.91');
  });
});

describe('times', () => {
  it('formats times in the zone, with the offset that applied then', () => {
    expect(stampText('2026-03-29T00:59:59Z', 'Europe/Amsterdam')).toBe('2026-03-29 01:59:59 +01:00');
    expect(stampText('2026-03-29T01:00:00Z', 'Europe/Amsterdam')).toBe('2026-03-29 03:00:00 +02:00');
    expect(stampText('2026-01-01T00:00:00Z', 'UTC')).toBe('2026-01-01 00:00:00 +00:00');
    expect(stampText('2026-01-01T00:00:00Z', 'America/St_Johns')).toBe('2025-12-31 20:30:00 -03:30');
    expect(timeText('2026-11-23T10:20:00Z', 'Europe/Amsterdam')).toBe('Mon 23 Nov 2026, 11:20');
    expect([0, 5, 60, 330].map((minutes) => durationText(minutes))).toEqual([
      '0 min',
      '5 min',
      '1 h',
      '5 h 30 min',
    ]);
  });
});

describe('a CSV cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['  =1+1', "'  =1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\t1', "'\t1"],
    ['Bar;=1+1', '"Bar;\'=1+1"'],
    ['Bar; @x;-2', '"Bar;\' @x;\'-2"'],
    ['Bar\t=1+1', "Bar\t'=1+1"],
    ['Bar; 2', '"Bar; 2"'],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=a,"b"', '"\'=a,""b"""'],
    ['two\nlines', '"two\nlines"'],
    ['ليلى 👩🏽‍🍳', 'ليلى 👩🏽‍🍳'],
    ['', ''],
  ])('%j is %j', (text, cell) => expect(textCell(text)).toBe(cell));
  it('keeps text as text next to numeric amounts', () => {
    const line = {
      id: 'e',
      at: 't',
      kind: 'Hold',
      party: null,
      about: 'x',
      status: '',
      currency: 'EUR',
      work: null,
      owedMinor: null,
    } as const;
    const amounts = { grossMinor: 5, feeMinor: 0, amountMinor: -5, balanceMinor: -123_456 };
    expect(csvRow({ ...line, ...amounts }, 'en')).toBe(
      't,Hold,,x,,0.05,0.00,-0.05,-1234.56,EUR,e,,,,,,,\r\n',
    );
    // A spreadsheet in these languages reads a dot as a grouping sign or a date.
    for (const language of ['nl', 'de', 'fr', 'es'] as const)
      expect(csvRow({ ...line, ...amounts, about: 'a;b' }, language)).toBe(
        't;Hold;;"a;b";;0,05;0,00;-0,05;-1234,56;EUR;e;;;;;;;\r\n',
      );
    const work = {
      minutes: 450,
      breakMinutes: 30,
      hourMinor: 1800,
      branch: '=De Pijp',
      receiptNumber: 42,
      invoiceNumber: { year: 2026, number: 7 },
    };
    expect(csvRow({ ...line, ...amounts, work, owedMinor: 12_000 }, 'nl')).toMatch(
      /;e;7,50;30;18,00;'=De Pijp;NH-000042;NHF-2026-000007;120,00\r\n$/,
    );
  });
});

describe('runsOf', () => {
  const has = [
    (point: number) => point < 0x80,
    (point: number) => point < 0x80 || (point >= 0x590 && point < 0x700) || point === 0x25a1,
  ];
  const fontRuns = (text: string) => runsOf(text, has).map((run) => `${run.font}${run.text}`);

  it('picks the first font with the glyph', () => {
    expect(fontRuns('Leila 12')).toEqual(['0Leila 12']);
    expect(fontRuns('')).toEqual(['0']);
  });
  it('puts right-to-left words in visual order', () => {
    expect(fontRuns('Chef ליאור כהן, bar')).toEqual(['0Chef ', '1כהן', '0 ', '1ליאור', '0, bar']);
  });
  it('orders a right-to-left line', () => {
    const turned = (text: string) => runsOf(text, has, 'rtl').map((run) => run.text);
    expect(turned('من 5 إلى 12')).toEqual(['12', ' ', 'إلى', ' ', '5', ' ', 'من']);
    expect(turned('رسوم Nearhand بنسبة 10.5%')).toEqual([
      '%',
      '10.5',
      ' ',
      'بنسبة',
      ' ',
      'Nearhand',
      ' ',
      'رسوم',
    ]);
    expect(turned('(نص)')).toEqual(['(نص)'.replace(/[()]/g, (sign) => (sign === '(' ? ')' : '('))]);
    expect(turned('Bar')).toEqual(['Bar']);
  });
  it('keeps the numbers and full stops of a Latin line in place', () => {
    const turned = (text: string) => runsOf(text, has, 'rtl').map((run) => run.text);
    expect(turned('1015 BA Amsterdam')).toEqual(['1015 BA Amsterdam']);
    expect(turned('Nearhand B.V.')).toEqual(['Nearhand B.V.']);
    expect(turned('\u200F12 USD').join('')).toBe('USD 12');
  });
  it('isolates the direction of names from the words after them', () => {
    expect(fontRuns('a\u202Eb 12')).toEqual(['0ab 12']);
  });
  it('draws one box for a character without a font, and nothing for invisible ones', () => {
    expect(fontRuns('陳 👩🏽‍🍳\u202E!\u0000')).toEqual(['1□', '0 ', '1□', '0!']);
    expect(fontRuns('a\uD800b')).toEqual(['0a', '1□', '0b']);
    expect(fontRuns('two\r\nlines\tand more')).toEqual(['0two lines and more']);
  });
});

describe('documents', () => {
  it('pads numbers to six digits', () => {
    expect([1, 42, 1_234_567].map(receiptNumber)).toEqual(['NH-000001', 'NH-000042', 'NH-1234567']);
  });
});

describe('a statement as PDF', () => {
  it('prints a long name and its purpose in full', async () => {
    const pdf = await buffer(
      statementPdf({
        language: 'en',
        holder: 'Leila Haddad',
        under: [],
        span: 'November 2026',
        currency: 'EUR',
        timeZone: 'Europe/Amsterdam',
        at: new Date('2026-11-30T10:00:00Z'),
        totals: [],
        lines: [
          {
            id: '0193aaaa-0000-7000-8000-000000000051',
            at: '2026-11-20T15:00:00Z',
            kind: 'release',
            amountMinor: 10_800,
            grossMinor: 10_800,
            feeMinor: 0,
            currency: 'EUR',
            balanceMinor: 25_800,
            about: 'Weekend barista',
            party: 'Hotel Restaurant Zuiderzee',
            work: {
              minutes: 480,
              breakMinutes: 30,
              hourMinor: 1350,
              branch: 'Noord',
              receiptNumber: 7,
              invoiceNumber: null,
            },
            documents: ['NH-000007', ''],
            status: null,
          } as never,
        ],
      }),
    );
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
    expect(text.replace(/\s+/g, ' ')).toContain('Hotel Restaurant Zuiderzee, Weekend barista');
  });
});

describe('listed', () => {
  it('joins what is not empty with the commas of the language', () => {
    expect(commaList('en', ['KVK 81264097', '', null, 'Amsterdam'])).toBe('KVK 81264097, Amsterdam');
    expect(commaList('ar', ['أ', 'ب'])).toBe('أ، ب');
    expect(commaList('nl', [])).toBe('');
  });
});
