import { i18n } from '@lingui/core';
import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import { searchPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { hoursText, lengthText } from '../nearby/filter.labels.ts';
import { readFilters, readPlace } from '../nearby/nearby-filters.ts';
import { filtersText, isOverSearch, suggestedName } from './saved-search.labels.ts';

const search: SavedSearch = {
  id: '0193aaaa-0000-7000-8000-000000000011',
  name: 'Wine near home',
  place: 'Haarlem, Netherlands',
  lat: 52.381,
  lng: 4.637,
  radiusKm: 10,
  timeZone: 'Europe/Amsterdam',
  category: 'hospitality',
  kind: 'shift',
  minPay: 1_800,
  minTotal: 9_000,
  weekdays: ['sat', 'sun'],
  startsFrom: 540,
  endsBy: null,
  maxMinutes: 360,
  currency: 'EUR',
  from: '2026-12-01',
  to: '2026-12-24',
  q: 'sommelier',
  alert: 'at_once',
  savedAt: '2026-11-21T09:00:00.000Z',
};
beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const empty = { items: [], nextCursor: null };

function server(...first: SavedSearch[]): Handlers {
  let saved = [...first];
  return {
    'nearby.search': { ...empty, common: null, radiusKm: 10, widened: false, respelled: [] },
    'profiles.mine': () => {
      throw refuse('profile/not-found');
    },
    'savedJobs.list': empty,
    'notifications.list': { ...empty, unread: 0 },
    'followedBusinesses.list': empty,
    'savedSearches.list': () => saved,
    'savedSearches.create': (input) => {
      const savedSearch = { ...search, ...input, id: '0193aaaa-0000-7000-8000-000000000012' };
      saved = [savedSearch, ...saved];
      return savedSearch;
    },
    'savedSearches.update': ({ savedSearchId, ...change }) => {
      saved = saved.map((savedSearch) =>
        savedSearch.id === savedSearchId ? { ...savedSearch, ...change } : savedSearch,
      );
      return saved[0] as SavedSearch;
    },
    'savedSearches.remove': ({ savedSearchId }) => {
      saved = saved.filter(({ id }) => id !== savedSearchId);
      return { savedSearchId };
    },
    'savedSearches.restore': () => {
      saved = [...first];
      return saved[0] as SavedSearch;
    },
  };
}
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const explore = searchPath(search);

describe('the words of a search', () => {
  it('suggest a name and contain every filter', () => {
    const when = `Sat, Sun, ${hoursText(search)}, ${lengthText(360)}`;
    expect(suggestedName(search)).toBe(`Sommelier near Haarlem, 10\u00a0km, ${when}`);
    expect(suggestedName({ ...search, q: null })).toBe(`Hospitality near Haarlem, 10\u00a0km, ${when}`);
    expect(suggestedName({ ...search, q: null, category: null })).toBe(
      `Shifts near Haarlem, 10\u00a0km, ${when}`,
    );
    expect(filtersText(search)).toMatch(
      /^10\skm around Haarlem, Netherlands\s·\s“sommelier”\s·\sHospitality\s·\sShifts\s·\s€18 or more\s·\s€90 or more in total\s·\sSat, Sun\s·\s.*–.*\s·\sFrom 9\sAM\s·\sUp to 6.*$/,
    );
    expect([isOverSearch(search, '2026-12-24'), isOverSearch(search, '2026-12-25')]).toEqual([false, true]);
  });

  it('lead to the same search in Explore', () => {
    const params = new URLSearchParams(explore.split('?')[1]);
    const { radiusKm, category, kind, minPay, minTotal, from, to, q } = search;
    const { weekdays, startsFrom, endsBy, maxMinutes } = search;
    expect(readFilters(params)).toEqual({
      radiusKm,
      category,
      kind,
      minPay,
      minTotal,
      weekdays,
      startsFrom,
      endsBy,
      maxMinutes,
      from,
      to,
      q,
      only: [],
      sort: 'best',
    });
    expect(readPlace(params)).toEqual({ lat: search.lat, lng: search.lng, label: search.place });
  });
});

describe('saving a search', () => {
  it("saves Explore's search under a name, and shows that it is saved", async () => {
    const { api } = renderApp(explore, { session: 'worker', api: server() });
    await press('Tell me when there is one');
    const sheet = await screen.findByRole('dialog', { name: 'Save this search' });
    const name = within(sheet).getByLabelText('Name') as HTMLInputElement;
    expect(name.value).toBe(suggestedName(search));
    fireEvent.click(within(sheet).getByRole('radio', { name: /Once a week/ }));
    fireEvent.click(within(sheet).getByRole('button', { name: 'Save search' }));
    await waitFor(() => expect(api.calls('savedSearches.create')).toHaveLength(1));
    const { id: _id, savedAt: _at, timeZone: _zone, ...filters } = search;
    expect(api.inputs('savedSearches.create')).toEqual([{ ...filters, name: name.value, alert: 'weekly' }]);
    expect(await screen.findAllByRole('button', { name: 'Search saved' })).toHaveLength(2);
  });

  it('shows what was rejected, and keeps the form', async () => {
    const { api } = renderApp(explore, { session: 'worker', api: server() });
    api.on({
      'savedSearches.create': () => {
        throw refuse('saved-search/too-many', { limit: 30 });
      },
    });
    await press('Save search');
    const sheet = await screen.findByRole('dialog', { name: 'Save this search' });
    fireEvent.click(within(sheet).getByRole('button', { name: 'Save search' }));
    expect(await within(sheet).findByText(/Remove one first/)).toBeTruthy();
  });

  it('sends a guest to sign in, and back to the same search', async () => {
    renderApp(explore, { api: server() });
    await press('Save search');
    await waitFor(() => expect(address()).toMatch(/^\/getting-started\?next=/));
    const next = new URLSearchParams(address().split('?')[1]).get('next') ?? '';
    expect(next).toMatch(/&save=1$/);
    expect(readFilters(new URLSearchParams(next.split('?')[1])).q).toBe('sommelier');
  });
});

describe('the saved searches', () => {
  it('can be edited, removed and restored', async () => {
    const { api } = renderApp('/favorite?part=searches', { session: 'worker', api: server(search) });
    const link = await screen.findByRole('link', { name: search.name });
    expect(link.getAttribute('href')).toBe(explore);
    await press(/Alerts right away/);
    const sheet = await screen.findByRole('dialog', { name: 'Edit search' });
    fireEvent.click(within(sheet).getByRole('radio', { name: /Don't tell me/ }));
    fireEvent.click(within(sheet).getByRole('button', { name: 'Save changes' }));
    await screen.findByRole('button', { name: /Alerts off/ });
    expect(api.inputs('savedSearches.update')).toEqual([
      { savedSearchId: search.id, name: search.name, alert: 'off' },
    ]);
    await press(`Remove ${search.name}`);
    expect(await screen.findByRole('heading', { name: 'No saved searches yet' })).toBeTruthy();
    await press('Undo');
    expect(await screen.findByRole('link', { name: search.name })).toBeTruthy();
    expect(api.inputs('savedSearches.restore')).toEqual([{ savedSearchId: search.id }]);
  });
});
