import { type CsvMapping, categoryOf, type FieldMapping } from './mapping.rules.ts';
import type { KnownPlace, PlaceBook, Posting, PostingPlace, ReadDay } from './posting.rules.ts';
import { calmCapitals, htmlToText } from './posting-text.rules.ts';
import { readDay } from './posting-values.rules.ts';

/** Cells are untrusted, so inherited keys such as `constructor` don't count. */
const ownValue = <Value>(values: Record<string, Value> | undefined, text: string): Value | undefined =>
  values !== undefined && Object.hasOwn(values, text) ? values[text] : undefined;

/** Reads one row of a CSV file by its mapping (import.md). Judges nothing: `judgePosting` does. */
export function readCsvPosting(
  record: Record<string, string>,
  mapping: CsvMapping,
  places: PlaceBook,
): Posting {
  const cell = (column: string): string => {
    let text = (record[column] ?? '').trim();
    if (mapping.empty.includes(text)) return '';
    for (const [wrong, right] of mapping.replace) text = text.replaceAll(wrong, right);
    return text.trim();
  };
  const readField = (field: FieldMapping | undefined): string => {
    if (field === undefined) return '';
    const text = field.column === undefined ? '' : cell(field.column);
    return text === '' ? (field.value ?? '') : (ownValue(field.values, text) ?? text);
  };
  const day = (field: { column: string; format: string } | undefined): ReadDay => {
    const text = field === undefined ? '' : cell(field.column);
    return { text, day: field === undefined || text === '' ? null : readDay(text, field.format) };
  };
  const title = readField(mapping.title);
  const unit = mapping.pay.unit;
  const unitText = unit.column === undefined ? '' : cell(unit.column);
  return {
    id: readField(mapping.id),
    title,
    business: readField(mapping.business),
    description: mapping.description.flatMap(({ label, column, values }) => {
      const plain = htmlToText(ownValue(values, cell(column)) ?? cell(column));
      const text = mapping.capitals === 'title' ? calmCapitals(plain, mapping.keepCapitals) : plain;
      return text === '' ? [] : [label === undefined ? text : `${label}: ${text}`];
    }),
    category: categoryOf(mapping.category, title, cell),
    kind: mapping.kind,
    payFrom: readField(mapping.pay.from),
    payTo: readField(mapping.pay.to),
    payUnit: (unitText === '' ? unit.value : ownValue(unit.values, unitText)) ?? null,
    payUnitText: unitText,
    currency: readField(mapping.pay.currency),
    headCount: readField(mapping.headCount),
    hours: readField(mapping.hours),
    employment: readField(mapping.employment),
    posted: day(mapping.posted),
    until: day(mapping.until),
    place: postedPlace(mapping, cell, readField, places),
    url: readField(mapping.url),
  };
}

const degrees = (text: string): number =>
  /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN;

function postedPlace(
  { place }: CsvMapping,
  cell: (column: string) => string,
  read: (field: FieldMapping) => string,
  places: PlaceBook,
): Posting['place'] {
  const text = cell(place.column);
  const [latText, lngText] = [place.lat, place.lng].map((column) =>
    column === undefined ? '' : cell(column),
  );
  const coordinates = latText && lngText ? { lat: degrees(latText), lng: degrees(lngText) } : undefined;
  const located: KnownPlace | undefined = coordinates ?? places(text);
  if (located === undefined) return { problem: 'place-not-found', text };
  return {
    lat: located.lat,
    lng: located.lng,
    address: located.address ?? text,
    area: located.area ?? read(place.area),
    countryCode: (located.country ?? read(place.country)).toUpperCase(),
  } satisfies PostingPlace;
}
