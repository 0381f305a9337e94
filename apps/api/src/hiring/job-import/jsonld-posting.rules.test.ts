import { describe, expect, it } from 'vitest';
import { postingsOf, readJsonLdPosting } from './jsonld-posting.rules.ts';
import { jsonLdMapping } from './mapping.rules.ts';
import type { PlaceBook } from './posting.rules.ts';

const mapping = jsonLdMapping.parse({
  currency: 'EUR',
  category: { rules: [{ match: 'cook|kitchen', category: 'hospitality' }], default: 'office' },
});
const places: PlaceBook = (text) => (text.includes('Dam') ? { lat: 52.373, lng: 4.893 } : undefined);
const posting = { '@type': 'JobPosting', identifier: '7', title: 'Cook', hiringOrganization: 'Bistro' };
const read = (change: object) => readJsonLdPosting({ ...posting, ...change }, mapping, places);

describe('finding postings in a document', () => {
  const ids = (document: unknown) =>
    postingsOf(document).map((node) => (node === null ? null : node.identifier));
  it.each<[string, unknown, unknown[]]>([
    ['one', posting, ['7']],
    [
      'a list, other things in it told apart',
      [posting, { '@type': 'Event' }, 5, null],
      ['7', null, null, null],
    ],
    ['a graph', { '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage' }, posting] }, ['7']],
    [
      'an item list',
      { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: posting }, { item: posting }] },
      ['7', '7'],
    ],
    ['several types', { ...posting, '@type': ['Thing', 'JobPosting'] }, ['7']],
    ['a whole address as type', { ...posting, '@type': 'https://schema.org/JobPosting' }, ['7']],
    ['nothing', 'text', []],
  ])('%s', (_name, document, expected) => {
    expect(ids(document)).toEqual(expected);
  });
  it('handles endless nesting', () => {
    let deep: unknown = posting;
    for (let level = 0; level < 5_000; level += 1) deep = { '@graph': [deep] };
    expect(postingsOf(deep)).toEqual([]);
  });
});

describe('pay', () => {
  it.each<[string, object, object]>([
    [
      'a bare number',
      { baseSalary: 16.5, salaryCurrency: 'USD' },
      { payFrom: '16.5', payTo: '', payUnit: null, currency: 'USD' },
    ],
    [
      'an amount',
      { baseSalary: { currency: 'GBP', value: '18', unitText: 'HOUR' } },
      { payFrom: '18', payUnit: 'hour', currency: 'GBP' },
    ],
    [
      'a quantity',
      { baseSalary: { value: { value: 30000, unitText: 'Year' } } },
      { payFrom: '30000', payUnit: 'year', currency: 'EUR' },
    ],
    [
      'a range',
      { baseSalary: { value: { minValue: 12, maxValue: 15, unitText: 'HOUR' } } },
      { payFrom: '12', payTo: '15' },
    ],
    [
      'a range on the amount itself',
      { baseSalary: { minValue: 12, maxValue: 15, unitText: 'WEEK' } },
      { payFrom: '12', payTo: '15', payUnit: 'week' },
    ],
    [
      'an estimate',
      { estimatedSalary: [{ value: 100, unitText: 'DAY' }] },
      { payFrom: '100', payUnit: 'day' },
    ],
    ['none', {}, { payFrom: '', payTo: '', payUnit: null }],
    ['no number', { baseSalary: Number.NaN }, { payFrom: '' }],
  ])('reads %s', (_name, change, expected) => {
    expect(read(change)).toMatchObject(expected);
  });
});

describe('places', () => {
  const geo = { latitude: 52.1, longitude: '4.5' };
  it.each<[string, object, object]>([
    [
      'a position',
      {
        jobLocation: { geo, address: { addressLocality: 'Leiden', addressCountry: { name: 'Netherlands' } } },
      },
      { lat: 52.1, lng: 4.5, area: 'Leiden', countryCode: 'NL' },
    ],
    ['the first of several that has one', { jobLocation: [{ name: 'Somewhere' }, { geo }] }, { lat: 52.1 }],
    [
      'a known name',
      {
        jobLocation: {
          address: { streetAddress: 'Dam 1', addressLocality: 'Amsterdam', addressCountry: 'nl' },
        },
      },
      { lat: 52.373, address: 'Dam 1, Amsterdam', countryCode: 'NL' },
    ],
    ['a name alone', { jobLocation: 'Dam' }, { lat: 52.373 }],
    ['remote work', { jobLocationType: 'TELECOMMUTE' }, { problem: 'remote-only' }],
    [
      'remote work with an unknown office',
      { jobLocationType: 'TELECOMMUTE', jobLocation: { name: 'Utrecht' } },
      { problem: 'place-not-found', text: 'Utrecht' },
    ],
    [
      'an odd position',
      { jobLocation: { name: 'X', geo: { latitude: 'north', longitude: {} } } },
      { problem: 'place-not-found', text: 'X' },
    ],
    ['none', {}, { problem: 'place-not-found', text: '' }],
  ])('reads %s', (_name, change, expected) => {
    expect(read(change).place).toMatchObject(expected);
  });
});

it('converts HTML descriptions and lists to text', () => {
  expect(
    read({ description: '&lt;p&gt;Cook &amp;amp; clean&lt;/p&gt;', qualifications: ['Knife', 'Apron'] })
      .description,
  ).toEqual(['Cook & clean', 'Qualifications:\nKnife, Apron']);
});
it('finds category, days and employment type', () => {
  expect(
    read({ employmentType: 'FULL_TIME', datePosted: '2026-11-02T08:00:00Z', validThrough: 'soon' }),
  ).toMatchObject({
    category: 'hospitality',
    employment: 'Full-time',
    posted: { day: '2026-11-02' },
    until: { day: null, text: 'soon' },
  });
});
it("uses a posting's address when it has no id, and handles any value anywhere", () => {
  expect(read({ identifier: undefined, url: 'https://x.example/1' }).id).toBe('https://x.example/1');
  for (const value of [null, [], {}, [[[[['x']]]]], true, '\ud800', { '@value': { '@value': {} } }])
    for (const key of Object.keys(read({})).concat(
      'jobLocation',
      'baseSalary',
      'hiringOrganization',
      'identifier',
      'employmentType',
    ))
      expect(() => read({ [key]: value })).not.toThrow();
});
