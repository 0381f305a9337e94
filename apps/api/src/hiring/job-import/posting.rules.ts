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

type Refused = { refusal: Refusal };
export type Judged = { row: ImportRow; fixed: PostingFix[] } | Refused;

/** A part of a posting as the job has it, with what was corrected. */
type Checked<Value> = { value: Value; fixed: PostingFix[] };

const refuse = (code: RefusalCode, words: string): Refused => ({ refusal: { code, words } });
const accept = <Value>(value: Value, ...fixed: PostingFix[]): Checked<Value> => ({ value, fixed });

const quoted = (text: string) => `'${shorten(oneLine(text), 80)}'`;

/** Decides whether a posting can become a job, and names what was corrected. */
export function judgePosting(posting: Posting, settings: JudgeSettings): Judged {
  const sourceId = checkId(posting);
  if ('refusal' in sourceId) return sourceId;
  const place = checkPlace(posting);
  if ('refusal' in place) return place;
  const title = checkTitle(posting, settings);
  if ('refusal' in title) return title;
  const businessName = checkBusiness(posting);
  if ('refusal' in businessName) return businessName;
  const pay = checkPay(posting, settings);
  if ('refusal' in pay) return pay;
  const headCount = checkHeadCount(posting.headCount);
  if ('refusal' in headCount) return headCount;
  const until = checkDays(posting, settings);
  if ('refusal' in until) return until;
  const description = describe(posting, title.value.rest);
  const hoursNote = postedHours(posting);
  const sourceUrl = urlOf(posting.url);
  const row = importRow.safeParse({
    sourceId: sourceId.value,
    businessName: businessName.value,
    kind: pay.value.payUnit === 'fixed' ? 'task' : posting.kind,
    title: title.value.short,
    category: posting.category,
    description: description.value,
    ...pay.value,
    headCount: headCount.value,
    hoursNote: hoursNote.value,
    place: place.value,
    until: until.value,
    sourceUrl: sourceUrl.value,
  });
  if (!row.success)
    return refuse(
      'row-invalid',
      row.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  const fixed = [title, pay, description, hoursNote, sourceUrl].flatMap((part) => part.fixed);
  return { row: row.data, fixed };
}

function checkId({ id }: Posting): Checked<string> | Refused {
  const sourceId = oneLine(id);
  if (sourceId === '')
    return refuse('id-missing', 'The row has no id, so a repeated import could not find it again.');
  return sourceId.length > sourceIdMax
    ? refuse('id-too-long', `The id is longer than ${sourceIdMax} characters.`)
    : accept(sourceId);
}

function checkPlace({ place }: Posting): Checked<PostingPlace> | Refused {
  if ('problem' in place) {
    if (place.problem === 'remote-only')
      return refuse('remote-only', 'The work is remote; Nearhand lists work at a place.');
    return refuse(
      'place-not-found',
      place.text === '' ? 'The row has no place.' : `No position found for the place ${quoted(place.text)}.`,
    );
  }
  const { lat, lng } = place;
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180) || (lat === 0 && lng === 0))
    return refuse(
      'place-invalid',
      `The position ${lat}, ${lng} of ${quoted(place.address)} is not a place on land.`,
    );
  return accept({
    ...place,
    address: shorten(oneLine(place.address), limits.addressMax),
    area: shorten(oneLine(place.area), 120),
  });
}

function checkTitle(
  posting: Posting,
  settings: JudgeSettings,
): Checked<{ short: string; rest: string }> | Refused {
  const fullTitle = oneLine(htmlToText(posting.title));
  if (fullTitle === '') return refuse('title-missing', 'The row has no title.');
  if (fullTitle.length > maxTitle)
    return refuse(
      'title-too-long',
      `The title has ${fullTitle.length} characters; at most ${maxTitle} are allowed.`,
    );
  const title = settings.capitals === 'title' ? calmCapitals(fullTitle, settings.keepCapitals) : fullTitle;
  if (title.length <= hiringLimits.titleMax) return accept({ short: title, rest: '' });
  return accept({ short: shorten(title, hiringLimits.titleMax), rest: title }, 'title-shortened');
}

function checkBusiness(posting: Posting): Checked<string> | Refused {
  const name = oneLine(htmlToText(posting.business));
  if (name === '') return refuse('business-missing', 'The row has no business.');
  if (name.length > limits.nameMax)
    return refuse(
      'business-name-too-long',
      `The business ${quoted(name)} has more than ${limits.nameMax} characters.`,
    );
  return accept(name);
}

function checkPay(posting: Posting, settings: JudgeSettings) {
  const currency = posting.currency.trim().toUpperCase();
  if (!isCurrency(currency))
    return refuse('currency-unknown', `Pay in the currency ${quoted(posting.currency)} is not supported.`);
  if (posting.payFrom.trim() === '' && posting.payTo.trim() === '')
    return refuse('pay-missing', 'The row has no pay.');
  if (posting.payUnit === null)
    return refuse('pay-unit-unknown', `The pay unit is not known: ${quoted(posting.payUnitText)}.`);
  const readPay = (text: string): number | Refused => {
    const amount = readAmount(text, currency, settings.decimal);
    if ('minor' in amount) return amount.minor;
    const words = {
      unreadable: 'cannot be read',
      negative: 'is below zero',
      'too-high': 'is above any possible pay',
    };
    return refuse(`pay-${amount.problem}`, `The pay ${quoted(text)} ${words[amount.problem]}.`);
  };
  const from = readPay(posting.payFrom.trim() === '' ? posting.payTo : posting.payFrom);
  if (typeof from !== 'number') return from;
  const to = posting.payTo.trim() === '' ? from : readPay(posting.payTo);
  if (typeof to !== 'number') return to;
  // 'From 0' means that the source has no minimum, so a minimum of 0 would be wrong.
  if (from === 0 && to > 0)
    return refuse(
      'pay-missing',
      `The pay is stated as ${quoted(posting.payFrom)} to ${quoted(posting.payTo)}: the minimum is missing.`,
    );
  if (from === 0) return refuse('pay-missing', `The pay is stated as ${quoted(posting.payFrom)}.`);
  if (isTooMuchAnHour(Math.max(from, to), posting.payUnit))
    return refuse(
      'pay-too-high',
      `The pay ${quoted(posting.payFrom || posting.payTo)} is above any possible pay.`,
    );
  if (isTooLittlePay(to === 0 ? from : Math.min(from, to), posting.payUnit, currency))
    return refuse(
      'pay-too-low',
      `The pay ${quoted(posting.payFrom || posting.payTo)} is below the minimum pay.`,
    );
  const { payUnit } = posting;
  if (to !== 0 && to < from)
    return accept({ payMinor: to, payMaxMinor: from, payUnit, currency }, 'pay-range-swapped');
  return accept({ payMinor: from, payMaxMinor: to > from ? to : null, payUnit, currency });
}

const isCurrency = (text: string): text is Currency => (currencies as readonly string[]).includes(text);

function checkHeadCount(text: string): Checked<number> | Refused {
  const bare = text.trim();
  if (bare === '') return accept(1);
  const count = /^\d{1,6}(?:\.0+)?$/.test(bare) ? Number.parseInt(bare, 10) : Number.NaN;
  if (count >= 1 && count <= hiringLimits.headCountMax) return accept(count);
  return refuse(
    'head-count-invalid',
    `The number of positions is ${quoted(text)}; it must be 1 to ${hiringLimits.headCountMax}.`,
  );
}

function checkDays({ posted, until }: Posting, settings: JudgeSettings): Checked<string | null> | Refused {
  for (const { day, text } of [posted, until])
    if (day === null && text !== '')
      return refuse('date-unreadable', `The date ${quoted(text)} cannot be read.`);
  if (until.day === null || until.day >= settings.today) return accept(until.day);
  if (settings.passed === 'refuse')
    return refuse(
      'posting-ended',
      `The source accepted applications until ${dayInWords(until.day)}, which is over.`,
    );
  return accept(null);
}

function describe(posting: Posting, wholeTitle: string): Checked<string> {
  const { posted, until } = posting;
  const origin = [
    posted.day === null ? '' : `First posted by its source on ${dayInWords(posted.day)}.`,
    until.day === null ? '' : `Open there until ${dayInWords(until.day)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  const body = severalLines([wholeTitle, ...posting.description].filter((part) => part !== '').join('\n'));
  const room = hiringLimits.descriptionMax - (origin === '' ? 0 : origin.length + 2);
  const text = [shorten(body, room), origin].filter((part) => part !== '').join('\n\n');
  return body.length > room ? accept(text, 'description-shortened') : accept(text);
}

function postedHours({ employment, hours }: Posting): Checked<string> {
  const parts = [employment, hours].map((text) => oneLine(htmlToText(text))).filter((text) => text !== '');
  const hoursText = parts.join(', ') || 'Hours not given by the source';
  return hoursText.length > hoursNoteMax
    ? accept(shorten(hoursText, hoursNoteMax), 'hours-shortened')
    : accept(hoursText);
}

function urlOf(text: string): Checked<string | null> {
  const bare = text.trim();
  if (bare === '') return accept(null);
  if (URL.canParse(bare) && /^https?:/i.test(bare) && bare.length <= sourceUrlMax && !/[\s<>"]/.test(bare))
    return accept(bare);
  return accept(null, 'web-address-dropped');
}
