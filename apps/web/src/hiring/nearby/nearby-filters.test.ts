import { describe, expect, it } from 'vitest';
import {
  askOf,
  countFilters,
  noFilters,
  quickRate,
  readFilters,
  readPlace,
  widerRadius,
  writeView,
} from './nearby-filters.ts';

const read = (text: string) => readFilters(new URLSearchParams(text));

describe('filters in the address', () => {
  it('survive a round trip', () => {
    const filters = {
      ...noFilters,
      radiusKm: 5,
      sort: 'pay' as const,
      category: 'hospitality' as const,
      kind: 'shift' as const,
      minPay: 1_850,
      minTotal: 12_000,
      weekdays: ['fri' as const, 'sat' as const],
      startsFrom: 1_020,
      endsBy: 1_440,
      maxMinutes: 240,
      from: '2026-11-21',
      to: '2026-11-22',
      q: 'café & bar',
    };
    const place = { lat: 52.37481, lng: 4.88064, label: 'Jordaan, Amsterdam' };
    const text = writeView(filters, place, true);
    const params = new URLSearchParams(text);
    expect(readFilters(params)).toEqual(filters);
    expect(readPlace(params)).toEqual(place);
    expect(params.get('view')).toBe('map');
  });

  it('are empty for the plain list', () => {
    expect(writeView(noFilters, null, false)).toBe('');
    expect(read('')).toEqual(noFilters);
  });

  it('ignore nonsense', () => {
    expect(
      read(
        'r=-3&sort=better&cat=hasOwnProperty&kind=gig&pay=NaN&from=2026-02-31x&to=soon&day=x,y&start=1440&end=0',
      ),
    ).toEqual(noFilters);
    expect(read('r=1e9&pay=1e99&cat=__proto__')).toEqual(noFilters);
    expect(readPlace(new URLSearchParams('lat=91&lng=4'))).toBeNull();
    expect(readPlace(new URLSearchParams('lat=&lng='))).toBeNull();
    expect(readPlace(new URLSearchParams('lat=1&lng=2'))?.label).toBe('1.000, 2.000');
  });
});

describe('askOf', () => {
  it('sends only set filters, and keeps a walking radius', () => {
    expect(askOf(noFilters, { lat: 1, lng: 2 })).toEqual({ lat: 1, lng: 2, radiusKm: 25, sort: 'distance' });
    expect(askOf({ ...noFilters, radiusKm: 2, q: '  ' }, { lat: 1, lng: 2 })).toMatchObject({
      radiusKm: 2,
      widen: false,
    });
  });

  it('sorts by best match for a word search, unless another order was selected', () => {
    const sort = (change: Partial<typeof noFilters>) =>
      askOf({ ...noFilters, ...change }, { lat: 1, lng: 2 }).sort;
    expect([sort({}), sort({ q: 'waiter' }), sort({ q: 'waiter', sort: 'distance' })]).toEqual([
      'distance',
      'best',
      'distance',
    ]);
  });
});

describe('helping on', () => {
  it('counts filters and offers the next radius', () => {
    expect(countFilters(noFilters)).toBe(0);
    expect(countFilters({ ...noFilters, from: '2026-01-01', to: '2026-01-02', kind: 'task', q: 'x' })).toBe(
      2,
    );
    expect(widerRadius(2)).toBe(5);
    expect(widerRadius(100)).toBeNull();
  });

  it('has a rate for every currency', () => {
    expect(quickRate('EUR', 2)).toBe(1_800);
    expect(quickRate('JPY', 0)).toBe(1_400);
  });
});
