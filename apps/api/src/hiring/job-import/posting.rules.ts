import { maxMinor } from '@nearhand/contract/arithmetic';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import { type PayUnit, payUnits } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { isTooLittlePay, isTooMuchAnHour } from '@nearhand/contract/hiring/pay-units.rules';
import { limits } from '@nearhand/contract/limits';
import { line, prose } from '@nearhand/contract/operation';
import { countryCodes } from '@nearhand/contract/people/company-facts.rules';
import { point } from '@nearhand/contract/people/places';
import { type CategoryId, categoryIds } from '@nearhand/contract/people/taxonomy';
import { jobKinds } from '@nearhand/contract/work/terms';
import { z } from 'zod';
import { calmCapitals, htmlToText, oneLine, severalLines, shorten } from './posting-text.rules.ts';
import { dayInWords, readAmount } from './posting-values.rules.ts';

/** An unjudged posting as its source states it, in any format. */
export type Posting = {
  id: string;
  title: string;
  business: string;
  description: string[];
  category: CategoryId;
  kind: (typeof jobKinds)[number];
  payFrom: string;
  payTo: string;
  payUnit: PayUnit | null;
  payUnitText: string;
  currency: string;
  headCount: string;
  hours: string;
  employment: string;
  posted: ReadDay;
  until: ReadDay;
  place: PostingPlace | { problem: 'place-not-found' | 'remote-only'; text: string };
  url: string;
};
export type ReadDay = { day: string | null; text: string };
export type PostingPlace = { address: string; area: string; countryCode: string; lat: number; lng: number };

export type KnownPlace = { lat: number; lng: number; address?: string; area?: string; country?: string };

export type PlaceBook = (text: string) => KnownPlace | undefined;

/** Folds a place name, so that spellings of one place share a row of the place book. */
export const placeKey = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

export type JudgeSettings = {
  today: string;
  /** Handling of a posting whose last day has passed (ADR 26). */
  passed: 'refuse' | 'import';
  decimal: '.' | ',';
  capitals: 'keep' | 'title';
  keepCapitals: readonly string[];
};

const refusals = [
  'unreadable-row',
  'id-missing',
  'id-too-long',
  'id-twice',
  'title-missing',
  'title-too-long',
  'business-missing',
  'business-name-too-long',
  'remote-only',
  'place-not-found',
  'place-invalid',
  'pay-missing',
  'pay-unreadable',
  'pay-negative',
  'pay-too-high',
  'pay-too-low',
  'pay-unit-unknown',
  'currency-unknown',
  'head-count-invalid',
  'date-unreadable',
  'posting-ended',
  'row-invalid',
  'pay-fell-after-hire',
  'head-count-below-hires',
  'terms-fixed',
  'business-not-hiring',
] as const;
export type RefusalCode = (typeof refusals)[number];
export type Refusal = { code: RefusalCode; words: string };

const postingFixes = [
  'title-shortened',
  'description-shortened',
  'hours-shortened',
  'pay-range-swapped',
  'web-address-dropped',
] as const;
export type PostingFix = (typeof postingFixes)[number];

const sourceIdMax = 200;
const sourceUrlMax = 500;
const hoursNoteMax = 400;
const maxTitle = 300;

const importRow = z.object({
  sourceId: line(sourceIdMax),
  businessName: line(limits.nameMax),
  kind: z.enum(jobKinds),
  title: line(hiringLimits.titleMax),
  category: z.enum(categoryIds),
  description: prose(hiringLimits.descriptionMax),
  payMinor: z.number().int().min(1).max(maxMinor),
  payMaxMinor: z.number().int().min(1).max(maxMinor).nullable(),
  payUnit: z.enum(payUnits),
  currency: z.enum(currencies),
  headCount: z.number().int().min(1).max(hiringLimits.headCountMax),
  /** A shift without set hours describes them in words; only imported postings may (contract jobs.ts). */
  hoursNote: line(hoursNoteMax),
  place: z.object({
    address: line(limits.addressMax),
    area: line(limits.areaMax),
    countryCode: z.enum(countryCodes),
    ...point.shape,
  }),
  until: z.iso.date().nullable(),
  sourceUrl: z
    .url({ protocol: /^https?$/ })
    .max(sourceUrlMax)
    .nullable(),
});
export type ImportRow = z.infer<typeof importRow>;

export type Judged = { row: ImportRow; fixed: PostingFix[] } | { refusal: Refusal };

class PostingRefusedError extends Error {
  readonly refusal: Refusal;
  constructor(code: RefusalCode, words: string) {
    super(words);
    this.refusal = { code, words };
  }
}
const quoted = (text: string) => `'${shorten(oneLine(text), 80)}'`;

/**
 * Decides whether a posting can become a job, and names what was corrected.
 * @throws nothing: a refusal is part of the result.
 */
export function judgePosting(posting: Posting, settings: JudgeSettings): Judged {
  const fixed: PostingFix[] = [];
  try {
    const sourceId = oneLine(posting.id);
    if (sourceId === '')
      throw new PostingRefusedError(
        'id-missing',
        'The row has no id, so a repeated import could not find it again.',
      );
    if (sourceId.length > sourceIdMax)
      throw new PostingRefusedError('id-too-long', `The id is longer than ${sourceIdMax} characters.`);
    const place = checkPlace(posting);
    const title = checkTitle(posting, settings, fixed);
    const businessName = checkBusiness(posting);
    const pay = checkPay(posting, settings, fixed);
    const headCount = checkHeadCount(posting.headCount);
    const until = checkDays(posting, settings);
    const row = importRow.safeParse({
      sourceId,
      businessName,
      kind: pay.payUnit === 'fixed' ? 'task' : posting.kind,
      title: title.short,
      category: posting.category,
      description: describe(posting, title.rest, fixed),
      ...pay,
      headCount,
      hoursNote: postedHours(posting, fixed),
      place,
      until,
      sourceUrl: urlOf(posting.url, fixed),
    });
    if (!row.success)
      throw new PostingRefusedError(
        'row-invalid',
        row.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
    return { row: row.data, fixed };
  } catch (error) {
    if (error instanceof PostingRefusedError) return { refusal: error.refusal };
    throw error;
  }
}

function checkPlace({ place }: Posting): PostingPlace {
  if ('problem' in place) {
    if (place.problem === 'remote-only')
      throw new PostingRefusedError('remote-only', 'The work is remote; Nearhand lists work at a place.');
    throw new PostingRefusedError(
      'place-not-found',
      place.text === '' ? 'The row has no place.' : `No position found for the place ${quoted(place.text)}.`,
    );
  }
  const { lat, lng } = place;
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180) || (lat === 0 && lng === 0))
    throw new PostingRefusedError(
      'place-invalid',
      `The position ${lat}, ${lng} of ${quoted(place.address)} is not a place on land.`,
    );
  return {
    ...place,
    address: shorten(oneLine(place.address), limits.addressMax),
    area: shorten(oneLine(place.area), 120),
  };
}

function checkTitle(posting: Posting, settings: JudgeSettings, fixed: PostingFix[]) {
  const fullTitle = oneLine(htmlToText(posting.title));
  if (fullTitle === '') throw new PostingRefusedError('title-missing', 'The row has no title.');
  if (fullTitle.length > maxTitle)
    throw new PostingRefusedError(
      'title-too-long',
      `The title has ${fullTitle.length} characters; at most ${maxTitle} are allowed.`,
    );
  const title = settings.capitals === 'title' ? calmCapitals(fullTitle, settings.keepCapitals) : fullTitle;
  if (title.length <= hiringLimits.titleMax) return { short: title, rest: '' };
  fixed.push('title-shortened');
  return { short: shorten(title, hiringLimits.titleMax), rest: title };
}

function checkBusiness(posting: Posting): string {
  const name = oneLine(htmlToText(posting.business));
  if (name === '') throw new PostingRefusedError('business-missing', 'The row has no business.');
  if (name.length > limits.nameMax)
    throw new PostingRefusedError(
      'business-name-too-long',
      `The business ${quoted(name)} has more than ${limits.nameMax} characters.`,
    );
  return name;
}

function checkPay(posting: Posting, settings: JudgeSettings, fixed: PostingFix[]) {
  const currency = posting.currency.trim().toUpperCase();
  if (!isCurrency(currency))
    throw new PostingRefusedError(
      'currency-unknown',
      `Pay in the currency ${quoted(posting.currency)} is not supported.`,
    );
  if (posting.payFrom.trim() === '' && posting.payTo.trim() === '')
    throw new PostingRefusedError('pay-missing', 'The row has no pay.');
  if (posting.payUnit === null)
    throw new PostingRefusedError(
      'pay-unit-unknown',
      `The pay unit is not known: ${quoted(posting.payUnitText)}.`,
    );
  const readPay = (text: string) => {
    const amount = readAmount(text, currency, settings.decimal);
    if ('minor' in amount) return amount.minor;
    const words = {
      unreadable: 'cannot be read',
      negative: 'is below zero',
      'too-high': 'is above any possible pay',
    };
    throw new PostingRefusedError(
      `pay-${amount.problem}`,
      `The pay ${quoted(text)} ${words[amount.problem]}.`,
    );
  };
  const from = posting.payFrom.trim() === '' ? readPay(posting.payTo) : readPay(posting.payFrom);
  const to = posting.payTo.trim() === '' ? from : readPay(posting.payTo);
  // 'From 0' means that the source has no minimum, so a minimum of 0 would be wrong.
  if (from === 0 && to > 0)
    throw new PostingRefusedError(
      'pay-missing',
      `The pay is stated as ${quoted(posting.payFrom)} to ${quoted(posting.payTo)}: the minimum is missing.`,
    );
  if (from === 0)
    throw new PostingRefusedError('pay-missing', `The pay is stated as ${quoted(posting.payFrom)}.`);
  if (isTooMuchAnHour(Math.max(from, to), posting.payUnit))
    throw new PostingRefusedError(
      'pay-too-high',
      `The pay ${quoted(posting.payFrom || posting.payTo)} is above any possible pay.`,
    );
  if (isTooLittlePay(to === 0 ? from : Math.min(from, to), posting.payUnit, currency))
    throw new PostingRefusedError(
      'pay-too-low',
      `The pay ${quoted(posting.payFrom || posting.payTo)} is below the minimum pay.`,
    );
  if (to !== 0 && to < from) {
    fixed.push('pay-range-swapped');
    return { payMinor: to, payMaxMinor: from, payUnit: posting.payUnit, currency };
  }
  return { payMinor: from, payMaxMinor: to > from ? to : null, payUnit: posting.payUnit, currency };
}

const isCurrency = (text: string): text is Currency => (currencies as readonly string[]).includes(text);

function checkHeadCount(text: string): number {
  const bare = text.trim();
  if (bare === '') return 1;
  const count = /^\d{1,6}(?:\.0+)?$/.test(bare) ? Number.parseInt(bare, 10) : Number.NaN;
  if (count >= 1 && count <= hiringLimits.headCountMax) return count;
  throw new PostingRefusedError(
    'head-count-invalid',
    `The number of positions is ${quoted(text)}; it must be 1 to ${hiringLimits.headCountMax}.`,
  );
}

function checkDays({ posted, until }: Posting, settings: JudgeSettings): string | null {
  for (const { day, text } of [posted, until])
    if (day === null && text !== '')
      throw new PostingRefusedError('date-unreadable', `The date ${quoted(text)} cannot be read.`);
  if (until.day === null || until.day >= settings.today) return until.day;
  if (settings.passed === 'refuse')
    throw new PostingRefusedError(
      'posting-ended',
      `The source accepted applications until ${dayInWords(until.day)}, which is over.`,
    );
  return null;
}

function describe(posting: Posting, wholeTitle: string, fixed: PostingFix[]): string {
  const { posted, until } = posting;
  const origin = [
    posted.day === null ? '' : `First posted by its source on ${dayInWords(posted.day)}.`,
    until.day === null ? '' : `Open there until ${dayInWords(until.day)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  const body = severalLines([wholeTitle, ...posting.description].filter((part) => part !== '').join('\n'));
  const room = hiringLimits.descriptionMax - (origin === '' ? 0 : origin.length + 2);
  if (body.length > room) fixed.push('description-shortened');
  return [shorten(body, room), origin].filter((part) => part !== '').join('\n\n');
}

function postedHours({ employment, hours }: Posting, fixed: PostingFix[]): string {
  const parts = [employment, hours].map((text) => oneLine(htmlToText(text))).filter((text) => text !== '');
  const hoursText = parts.join(', ') || 'Hours not given by the source';
  if (hoursText.length > hoursNoteMax) fixed.push('hours-shortened');
  return shorten(hoursText, hoursNoteMax);
}

function urlOf(text: string, fixed: PostingFix[]): string | null {
  const bare = text.trim();
  if (bare === '') return null;
  if (URL.canParse(bare) && /^https?:/i.test(bare) && bare.length <= sourceUrlMax && !/[\s<>"]/.test(bare))
    return bare;
  fixed.push('web-address-dropped');
  return null;
}
