import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { searchInput } from './saved-searches.fixtures.ts';
import { purgeRemovedSearches } from './saved-searches.ts';

const app = useTestApp();
const haarlem = { lat: 52.381, lng: 4.637 };
const squaresOf = (id: string) =>
  app.db
    .selectFrom('saved_search_squares')
    .select(['square', 'category'])
    .where('searchId', '=', id)
    .execute();

describe('savedSearches.create', () => {
  it('stores the filters, even from an unverified account', async () => {
    const worker = await app.person({ verified: false });
    const filters = {
      category: 'hospitality' as const,
      kind: 'shift' as const,
      minPay: 1_800,
      minTotal: 12_000,
      weekdays: ['sat' as const, 'sun' as const],
      startsFrom: 1_020,
      endsBy: 1_440,
      maxMinutes: 240,
      currency: 'EUR' as const,
      from: '2026-12-01',
      to: '2026-12-24',
      q: 'barista',
    };
    const search = await worker.api.savedSearches.create(searchInput(haarlem, filters));
    expect(search).toMatchObject({ ...searchInput(haarlem, filters), timeZone: 'Europe/Amsterdam' });
    expect(await worker.api.savedSearches.list()).toEqual([search]);
    expect((await squaresOf(search.id)).map(({ category }) => category)).toContain('hospitality');
  });

  it('rejects impossible searches and one above the limit', async () => {
    const worker = await app.person();
    for (const bad of [
      { radiusKm: 0 },
      { radiusKm: 101 },
      { name: ' ' },
      { lat: 91 },
      { minPay: 0 },
      { minTotal: 0 },
      { from: 'soon' },
    ])
      expect(await failure(worker.api.savedSearches.create(searchInput(haarlem, bad)))).toMatchObject({
        code: 'request/invalid',
      });
    for (let count = 0; count < hiringLimits.savedSearchesMax; count += 1)
      await worker.api.savedSearches.create(searchInput(haarlem));
    expect(await failure(worker.api.savedSearches.create(searchInput(haarlem)))).toMatchObject({
      code: 'saved-search/too-many',
      data: { limit: hiringLimits.savedSearchesMax },
    });
  });
});

describe('savedSearches.list', () => {
  it("returns the caller's searches, last saved first", async () => {
    const worker = await app.person();
    const stranger = await app.person();
    await worker.api.savedSearches.create(searchInput(haarlem, { name: 'One' }));
    app.clock.forward({ seconds: 1 });
    await worker.api.savedSearches.create(searchInput(haarlem, { name: 'Two' }));
    expect((await worker.api.savedSearches.list()).map(({ name }) => name)).toEqual(['Two', 'One']);
    expect(await stranger.api.savedSearches.list()).toEqual([]);
  });
});

describe('savedSearches.update', () => {
  it('renames and turns alerts off and on', async () => {
    const worker = await app.person();
    const { id: savedSearchId } = await worker.api.savedSearches.create(searchInput(haarlem));
    expect(await worker.api.savedSearches.update({ savedSearchId, name: 'Evenings' })).toMatchObject({
      name: 'Evenings',
      alert: 'at_once',
    });
    await worker.api.savedSearches.update({ savedSearchId, alert: 'off' });
    expect(await squaresOf(savedSearchId)).toEqual([]);
    expect(await worker.api.savedSearches.update({ savedSearchId, alert: 'weekly' })).toMatchObject({
      name: 'Evenings',
      alert: 'weekly',
    });
    expect(await squaresOf(savedSearchId)).not.toEqual([]);
  });

  it("returns 404 for someone else's", async () => {
    const worker = await app.person();
    const stranger = await app.person();
    const { id: savedSearchId } = await worker.api.savedSearches.create(searchInput(haarlem));
    expect(await failure(stranger.api.savedSearches.update({ savedSearchId, alert: 'off' }))).toMatchObject({
      code: 'saved-search/not-found',
    });
    expect(await worker.api.savedSearches.list()).toMatchObject([{ alert: 'at_once' }]);
  });
});

describe('savedSearches.remove', () => {
  it('removes it, and permanently after a day', async () => {
    const worker = await app.person();
    const { id: savedSearchId } = await worker.api.savedSearches.create(searchInput(haarlem));
    for (const _time of [1, 2])
      expect(await worker.api.savedSearches.remove({ savedSearchId })).toEqual({ savedSearchId });
    expect(await worker.api.savedSearches.list()).toEqual([]);
    expect(await squaresOf(savedSearchId)).toEqual([]);
    expect(await failure(worker.api.savedSearches.update({ savedSearchId, name: 'New' }))).toMatchObject({
      code: 'saved-search/not-found',
    });
    app.clock.forward({ hours: 25 });
    await purgeRemovedSearches(app);
    expect(await failure(worker.api.savedSearches.restore({ savedSearchId }))).toMatchObject({
      code: 'saved-search/not-found',
    });
  });
});

describe('savedSearches.restore', () => {
  it('restores it unchanged, within the limit', async () => {
    const worker = await app.person();
    const search = await worker.api.savedSearches.create(searchInput(haarlem, { q: 'cook' }));
    const squares = await squaresOf(search.id);
    await worker.api.savedSearches.remove({ savedSearchId: search.id });
    for (const _time of [1, 2])
      expect(await worker.api.savedSearches.restore({ savedSearchId: search.id })).toEqual(search);
    expect(await squaresOf(search.id)).toEqual(squares);
    await worker.api.savedSearches.remove({ savedSearchId: search.id });
    for (let count = 0; count < hiringLimits.savedSearchesMax; count += 1)
      await worker.api.savedSearches.create(searchInput(haarlem));
    expect(await failure(worker.api.savedSearches.restore({ savedSearchId: search.id }))).toMatchObject({
      code: 'saved-search/too-many',
    });
  });
});
