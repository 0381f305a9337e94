import type { PayUnit } from '@nearhand/contract/hiring/jobs';
import { categoryOf, type JsonLdMapping } from './mapping.rules.ts';
import type { PlaceBook, Posting, ReadDay } from './posting.rules.ts';
import { htmlToText, oneLine } from './posting-text.rules.ts';
import { readIsoDay } from './posting-values.rules.ts';

type Node = { [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};
const firstNode = (value: unknown): Node => asList(value).find(isNode) ?? {};

function text(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (depth > 3) return '';
  if (Array.isArray(value))
    return value
      .slice(0, 20)
      .map((part) => text(part, depth + 1))
      .filter((part) => part !== '')
      .join(', ');
  if (!isNode(value)) return '';
  return text(value['@value'] ?? value.value ?? value.name ?? value['@id'], depth + 1);
}
const firstText = (...values: unknown[]): string =>
  values.map((value) => text(value)).find((candidate) => candidate.trim() !== '') ?? '';

const bareType = (type: unknown) =>
  text(type)
    .replace(/^https?:\/\/schema\.org\//i, '')
    .replace(/^schema:/i, '');
const isPosting = (value: unknown): value is Node =>
  isNode(value) && asList(value['@type']).some((type) => bareType(type) === 'JobPosting');

const containers = ['@graph', 'itemListElement', 'item', 'mainEntity', 'dataFeedElement'];

/** A list item that is no JobPosting becomes null, so that its row is refused instead of vanishing. */
export function postingsOf(document: unknown, depth = 0): (Node | null)[] {
  if (isPosting(document)) return [document];
  if (depth > 6) return [];
  if (Array.isArray(document))
    return document.flatMap((item) => {
      const postings = postingsOf(item, depth + 1);
      return postings.length === 0 && depth === 0 ? [null] : postings;
    });
  if (!isNode(document)) return [];
  return containers.flatMap((key) =>
    document[key] === undefined ? [] : postingsOf(asList(document[key]), depth + 1),
  );
}

const units: Record<string, PayUnit> = {
  hour: 'hour',
  hr: 'hour',
  hur: 'hour',
  day: 'day',
  daily: 'day',
  week: 'week',
  wee: 'week',
  weekly: 'week',
  month: 'month',
  mon: 'month',
  monthly: 'month',
  year: 'year',
  yr: 'year',
  ann: 'year',
  annual: 'year',
  yearly: 'year',
  hourly: 'hour',
  fixed: 'fixed',
};

function postedPay(posting: Node, mapping: JsonLdMapping) {
  const salary = asList(posting.baseSalary)[0] ?? asList(posting.estimatedSalary)[0];
  const amount = isNode(salary) ? salary : { value: salary };
  const value = asList(amount.value)[0];
  const range = isNode(value) ? value : amount;
  const from = firstText(range.minValue, isNode(value) ? value.value : amount.value);
  const unitText = firstText(
    range.unitText,
    amount.unitText,
    range.unitCode,
    amount.unitCode,
    amount.duration,
  );
  return {
    payFrom: from,
    payTo: firstText(range.maxValue),
    payUnit: units[unitText.trim().toLowerCase()] ?? null,
    payUnitText: unitText,
    currency: firstText(amount.currency, range.currency, posting.salaryCurrency, mapping.currency),
  };
}

function numberOf(value: unknown): number | null {
  const trimmed = text(value).trim();
  return /^[+-]?\d{1,3}(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Country names that feeds use; the mapping's `country` adds more. */
const countryNames: Record<string, string> = {
  'united states': 'US',
  'united states of america': 'US',
  usa: 'US',
  'united kingdom': 'GB',
  uk: 'GB',
  netherlands: 'NL',
  'the netherlands': 'NL',
  nederland: 'NL',
  germany: 'DE',
  deutschland: 'DE',
  france: 'FR',
  belgium: 'BE',
  canada: 'CA',
  ireland: 'IE',
};
function countryOf(value: unknown, mapping: JsonLdMapping): string {
  const name = firstText(value).trim();
  return countryNames[name.toLowerCase()] ?? (name === '' ? (mapping.country ?? '') : name.toUpperCase());
}

function postedPlace(posting: Node, mapping: JsonLdMapping, places: PlaceBook): Posting['place'] {
  const placeNames: string[] = [];
  for (const location of asList(posting.jobLocation)) {
    const place = isNode(location) ? location : { name: location };
    const address = isNode(place.address) ? place.address : {};
    const street = firstText(
      address.streetAddress,
      typeof place.address === 'string' ? place.address : '',
      place.name,
    );
    const town = firstText(address.addressLocality, address.addressRegion);
    const label = [street, firstText(address.postalCode), town].filter((part) => part !== '').join(', ');
    placeNames.push(label);
    const geo = firstNode(place.geo);
    const lat = numberOf(geo.latitude ?? place.latitude);
    const lng = numberOf(geo.longitude ?? place.longitude);
    const located =
      lat !== null && lng !== null
        ? { lat, lng }
        : [label, street, oneLine(`${street} ${town}`)].map(places).find(Boolean);
    if (located === undefined) continue;
    return {
      lat: located.lat,
      lng: located.lng,
      address: ('address' in located ? located.address : undefined) ?? (label || town),
      area: ('area' in located ? located.area : undefined) ?? (town || label),
      countryCode:
        ('country' in located ? located.country : undefined) ?? countryOf(address.addressCountry, mapping),
    };
  }
  const remote = asList(posting.jobLocationType).some((type) => text(type).toUpperCase() === 'TELECOMMUTE');
  const names = placeNames.filter((name) => name !== '').join(' / ');
  return remote && names === ''
    ? { problem: 'remote-only', text: '' }
    : { problem: 'place-not-found', text: names };
}

const day = (value: unknown): ReadDay => {
  const trimmed = firstText(value).trim();
  return { text: trimmed, day: trimmed === '' ? null : readIsoDay(trimmed) };
};

const employmentWords: Record<string, string> = {
  FULL_TIME: 'Full-time',
  PART_TIME: 'Part-time',
  CONTRACTOR: 'Contract',
  TEMPORARY: 'Temporary',
  INTERN: 'Internship',
  VOLUNTEER: 'Voluntary',
  PER_DIEM: 'By the day',
  OTHER: '',
};

/** Reads one schema.org JobPosting by its mapping (import.md). Judges nothing: `judgePosting` does. */
export function readJsonLdPosting(posting: Node, mapping: JsonLdMapping, places: PlaceBook): Posting {
  const clean = (value: string) => {
    let cleaned = mapping.empty.includes(value.trim()) ? '' : value;
    for (const [wrong, right] of mapping.replace) cleaned = cleaned.replaceAll(wrong, right);
    return cleaned;
  };
  const title = clean(firstText(posting.title, posting.name));
  const labelled = (label: string, value: unknown) => {
    const plain = htmlToText(clean(firstText(value)));
    return plain === '' ? [] : [`${label}:\n${plain}`];
  };
  const field = (column: string) => clean(firstText(posting[column]));
  return {
    id: clean(firstText(posting.identifier, posting['@id'], posting.url)),
    title,
    business: clean(firstText(posting.hiringOrganization)),
    description: [
      htmlToText(clean(firstText(posting.description))),
      ...labelled('Responsibilities', posting.responsibilities),
      ...labelled('Qualifications', posting.qualifications),
    ].filter((part) => part !== ''),
    category: categoryOf(
      { ...mapping.category, values: {} },
      `${title} ${firstText(posting.occupationalCategory)} ${firstText(posting.industry)}`,
      field,
    ),
    kind: 'shift',
    ...postedPay(posting, mapping),
    headCount: clean(firstText(posting.totalJobOpenings)),
    hours: clean(firstText(posting.workHours)),
    employment: asList(posting.employmentType)
      .map((type) => employmentWords[text(type).toUpperCase()] ?? text(type))
      .filter((word) => word !== '')
      .join(', '),
    posted: day(posting.datePosted),
    until: day(posting.validThrough),
    place: postedPlace(posting, mapping, places),
    url: clean(firstText(posting.url, posting.sameAs)),
  };
}
