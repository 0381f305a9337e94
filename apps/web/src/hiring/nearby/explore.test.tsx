import { addDays, dayIn } from '@nearhand/contract/durations';
import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions, setOnline } from '../../../test/device.ts';
import { type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { address, goBack, renderApp } from '../../../test/render-app.tsx';
import { type } from '../../../test/typing.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { rememberPlace } from '../../people/places/places.api.ts';
import { sampleApplication } from '../applications/applications.fixtures.ts';
import { sampleJob, sampleNearbyCard, sampleNearbyPage } from '../jobs/jobs.fixtures.ts';

const findPlaceNamed = vi.hoisted(() => vi.fn());
vi.mock('../../people/places/gazetteer-source.ts', () => ({ findPlaceNamed }));

const at = (startsAt: string, endsAt: string) => ({ startsAt, endsAt });
const id = (end: number) => `0193aaaa-0000-7000-8000-${String(end).padStart(12, '0')}`;
const page = (change: Partial<NearbyPage> = {}): NearbyPage =>
  sampleNearbyPage({ items: [sampleNearbyCard()], ...change });

function open(api: Handlers, path = '/tabs/menu/explore', options: RenderOptions = {}) {
  return renderApp(path, {
    api: {
      'nearby.search': page(),
      'nearby.count': { count: 3, more: false },
      'applications.mine': { items: [], nextCursor: null },
      'calendar.mine': [],
      'profiles.mine': noProfile,
      ...api,
    },
    ...options,
  });
}
const noProfile = () => {
  throw refuse('profile/not-found');
};
const chip = (name: string | RegExp) => screen.findByRole('button', { name });
const searches = (rendered: ReturnType<typeof open>) => rendered.api.inputs('nearby.search');

describe('marks on cards', () => {
  it("show the application's status, and when the worker is booked", async () => {
    const mine = sampleApplication();
    const applied = sampleNearbyCard({ id: mine.job.id, title: 'Applied job' });
    const hired = sampleApplication({ id: id(11), status: 'hired', job: { ...mine.job, id: id(12) } });
    const hiredCard = sampleNearbyCard({ id: hired.job.id, title: 'Hired job' });
    const lost = sampleApplication({
      id: id(13),
      status: 'hired',
      workEnding: 'cancelled',
      job: { ...mine.job, id: id(14) },
    });
    const lostCard = sampleNearbyCard({ id: lost.job.id, title: 'Lost job' });
    const other = sampleNearbyCard({
      id: id(7),
      title: 'Other job',
      ...at('2026-12-24T12:00:00Z', '2026-12-24T16:00:00Z'),
    });
    const free = sampleNearbyCard({
      id: id(8),
      title: 'Free job',
      ...at('2026-12-23T12:00:00Z', '2026-12-23T16:00:00Z'),
    });
    open(
      {
        'nearby.search': page({ items: [applied, hiredCard, lostCard, other, free] }),
        'applications.mine': { items: [mine, hired, lost], nextCursor: null },
        'notifications.list': { items: [], unread: 0, nextCursor: null },
        'calendar.mine': [
          {
            kind: 'engagement',
            id: id(9),
            title: 'Breakfast',
            businessName: 'Kopi',
            timeZone: 'UTC',
            status: 'booked',
            where: 'Here',
            path: '/',
            ...at('2026-12-24T10:00:00Z', '2026-12-24T13:00:00Z'),
          },
        ],
      },
      undefined,
      { session: 'worker', now: '2026-12-20T09:00:00Z' },
    );
    const card = async (name: string) =>
      (await screen.findByRole('link', { name })).closest('article') as HTMLElement;
    expect(await within(await card('Applied job')).findByText('Applied')).toBeTruthy();
    expect(await within(await card('Hired job')).findByText("You're hired")).toBeTruthy();
    expect(await within(await card('Lost job')).findByText('Booking cancelled')).toBeTruthy();
    expect(within(await card('Lost job')).queryByText("You're hired")).toBeNull();
    expect(await within(await card('Other job')).findByText("You're booked then")).toBeTruthy();
    expect(within(await card('Free job')).queryByText(/Applied|booked/)).toBeNull();
  });
});

describe('Explore', () => {
  it('shows skeletons of the list while it loads', async () => {
    open({ 'nearby.search': never });
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Weekend barista' })).toBeNull();
  });

  it("searches around the operator's town until a place is selected, and shows it once", async () => {
    const rendered = open({});
    await screen.findByRole('link', { name: 'Weekend barista' });
    expect(searches(rendered)[0]).toMatchObject({ lat: 52.375, lng: 4.881, radiusKm: 25, widen: true });
    await press('Hide this hint');
    expect(screen.queryByText(/Not here\?/)).toBeNull();
  });

  it('names the zone of the times once, next to the hint about the place', async () => {
    open({ 'nearby.search': page({ items: [sampleNearbyCard({ timeZone: 'America/New_York' })] }) });
    expect(
      (await screen.findAllByText(/Times are in New.York time/)).map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/^Not here\?.*Times are in New.York time\.$/)]);
    await press('Hide this hint');
    expect(screen.getByText(/^Times are in New.York time\.$/)).toBeTruthy();
  });

  it("shows the search words on a phone's map", async () => {
    open({}, '/tabs/menu/explore?view=map&q=barista');
    expect(await screen.findByText(/^“barista”.· 1 job.· 25.km$/)).toBeTruthy();
  });

  it('searches around the place stored on this device', async () => {
    rememberPlace({ label: 'Utrecht', lat: 52.09, lng: 5.12, source: 'chosen' });
    const rendered = open({});
    await screen.findByRole('link', { name: 'Weekend barista' });
    expect(searches(rendered)[0]).toMatchObject({ lat: 52.09, lng: 5.12 });
    expect(screen.queryByText(/Not here\?/)).toBeNull();
  });

  it('distinguishes an unreachable server from an error, and reloads on demand', async () => {
    const rendered = open({
      'nearby.search': () => {
        throw refuse('request/internal');
      },
    });
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText("We couldn't load jobs")).toBeTruthy();
    expect(alert.textContent).toContain('req-test');
    rendered.api.on({ 'nearby.search': page() });
    await press('Try again');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows at once that it is offline without a place to search', async () => {
    const rendered = open({
      'places.mapSettings': () => {
        throw refuse('request/unavailable');
      },
    });
    setOnline(rendered.api, false);
    expect(await screen.findByText("We couldn't load jobs")).toBeTruthy();
    expect(searches(rendered)).toEqual([]);
    rendered.api.on({
      'places.mapSettings': {
        styleUrl: null,
        tiles: null,
        addressSearch: false,
        travelTimes: false,
        start: { label: 'Here', lat: 52.37, lng: 4.88 },
      },
    });
    setOnline(rendered.api, true);
    await press('Try again');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
  });

  it('keeps the list without a network, marked with its age', async () => {
    const rendered = open({}, undefined, { now: '2026-11-21T10:00:00Z' });
    await screen.findByRole('link', { name: 'Weekend barista' });
    vi.setSystemTime('2026-11-21T10:12:00Z');
    setOnline(rendered.api, false);
    fireEvent.focus(window);
    const isMarked = async (name: string) => (await chip(name)).getAttribute('aria-disabled') === 'true';
    expect([await isMarked('Shifts'), await isMarked('All')]).toEqual([true, false]);
    await press('Shifts');
    expect(address()).toBe('/tabs/menu/explore');
    type('Search jobs', 'zebra');
    expect(await screen.findByRole('alert')).toBeTruthy();
    await press('All');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
    expect(await screen.findByText(/Last updated: 12 min/)).toBeTruthy();
    setOnline(rendered.api, true);
    await waitFor(() => expect(screen.queryByText(/Last updated/)).toBeNull());
  });

  it('reads a place in words without matches, until it is removed', async () => {
    findPlaceNamed.mockImplementation(async (name: string) =>
      name === 'The Hague' ? { label: name, lat: 52.08, lng: 4.31 } : null,
    );
    const splits = [
      { what: 'waiter', where: 'The Hague' },
      { what: 'waiter The', where: 'Hague' },
    ];
    const rendered = open({
      'nearby.search': ({ q }) => (q === 'waiter The Hague' ? page({ items: [], splits }) : page()),
    });
    await screen.findByRole('link', { name: 'Weekend barista' });
    type('Search jobs', 'waiter The Hague');
    await chip('Near The Hague');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
    expect(searches(rendered).at(-1)).toMatchObject({ q: 'waiter', lat: 52.08, lng: 4.31 });
    expect(screen.getByRole('button', { name: 'Searching around The Hague' })).toBeTruthy();
    // The typed words stay, even when other filters are applied.
    await press('Filters');
    fireEvent.click(await screen.findByRole('button', { name: 'Soonest' }));
    fireEvent.click(await screen.findByRole('button', { name: /^Show/ }));
    await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ sort: 'soonest', lat: 52.08 }));
    await chip('Near The Hague');
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('waiter The Hague');
    fireEvent.click(await chip('Near The Hague'));
    await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ q: 'waiter', lat: 52.375 }));
    expect(screen.queryByRole('button', { name: 'Near The Hague' })).toBeNull();
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('waiter');
  });

  it('reads days and pay in the words, as removable chips', async () => {
    const rendered = open({});
    await screen.findByRole('link', { name: 'Weekend barista' });
    const tomorrow = addDays(dayIn(ownTimeZone(), new Date()), 1);
    type('Search jobs', 'barista tomorrow evening 17 euro');
    await chip('€17 or more');
    expect(searches(rendered).at(-1)).toMatchObject({
      q: 'barista',
      minPay: 1_700,
      from: tomorrow,
      to: tomorrow,
      evening: true,
    });
    const field = screen.getByRole('searchbox') as HTMLInputElement;
    expect(field.value).toBe('barista tomorrow evening 17 euro');
    fireEvent.click(await chip('Tomorrow'));
    await waitFor(() => expect(searches(rendered).at(-1)).not.toHaveProperty('from'));
    expect(searches(rendered).at(-1)).toMatchObject({ q: 'barista', minPay: 1_700, evening: true });
    expect(field.value).toBe('barista');
    fireEvent.click(await chip('Evening'));
    fireEvent.click(await chip('€17 or more'));
    await waitFor(() => expect(address()).toBe('/tabs/menu/explore?q=barista'));
  });

  it("finds a postcode's place with the geocoder, if there is one", async () => {
    findPlaceNamed.mockResolvedValue(null);
    const address = {
      label: '1012 AB',
      detail: 'Nederland',
      address: null,
      area: 'Amsterdam',
      postcode: '1012 AB',
      countryCode: 'NL',
      lat: 52.3771,
      lng: 4.8972,
      exact: false,
    };
    const splits = [{ what: 'waiter', where: '1012ab' }];
    const rendered = open(
      {
        'nearby.search': ({ q }) => (q === 'waiter 1012ab' ? page({ items: [], splits }) : page()),
        'places.mapSettings': {
          styleUrl: null,
          tiles: null,
          addressSearch: true,
          travelTimes: false,
          start: { lat: 52.375, lng: 4.88, label: 'Amsterdam' },
        },
        'places.addresses': { items: [{ ...address, postcode: '1055 AB' }, address] },
      },
      '/tabs/menu/explore?q=waiter+1012ab',
    );
    await chip('Near 1012ab, Amsterdam');
    expect(searches(rendered).at(-1)).toMatchObject({ q: 'waiter', lat: 52.377 });
    expect(findPlaceNamed).not.toHaveBeenCalled();
  });

  it('keeps words without a place unchanged', async () => {
    findPlaceNamed.mockResolvedValue(null);
    open(
      { 'nearby.search': page({ items: [], splits: [{ what: '', where: 'zebra' }] }) },
      '/tabs/menu/explore?q=zebra',
    );
    expect(await screen.findByText(/No matches within/)).toBeTruthy();
    expect(findPlaceNamed).toHaveBeenCalledWith('zebra', expect.anything());
  });

  it('says that nothing matches before the list of places has loaded', async () => {
    findPlaceNamed.mockReturnValue(new Promise(() => undefined));
    open(
      { 'nearby.search': page({ items: [], splits: [{ what: '', where: 'zebra' }] }) },
      '/tabs/menu/explore?q=zebra',
    );
    expect(await screen.findByText(/No matches within/)).toBeTruthy();
    expect(screen.getByText('Looking for a place with this name…')).toBeTruthy();
  });

  it('leads on from a weekend without jobs to the next', async () => {
    const rendered = open(
      {
        'nearby.search': ({ from }) => (from === '2027-03-07' ? page({ items: [] }) : page()),
        'nearby.count': { count: 44, more: false },
      },
      '/tabs/menu/explore?from=2027-03-07&to=2027-03-07',
    );
    expect(await screen.findByText(/match “Sun.*7.*Mar.*”/)).toBeTruthy();
    // The clock is in November, so this weekend is not the next one.
    expect(screen.queryByText(/Next weekend/)).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: /13.*Mar.*44 jobs/ }));
    await waitFor(() =>
      expect(searches(rendered).at(-1)).toMatchObject({ from: '2027-03-13', to: '2027-03-14' }),
    );
  });

  describe('filters', () => {
    it('are set one by one, stored in the address, and cleared together', async () => {
      const rendered = open({});
      await screen.findByRole('link', { name: 'Weekend barista' });
      fireEvent.click(await chip('Shifts'));
      fireEvent.click(await chip('€18 or more'));
      await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ kind: 'shift', minPay: 1_800 }));
      expect(address()).toBe('/tabs/menu/explore?kind=shift&pay=1800');
      expect((await chip('Shifts')).getAttribute('aria-pressed')).toBe('true');
      fireEvent.click(await chip('All'));
      await waitFor(() => expect(address()).toBe('/tabs/menu/explore'));
      expect((await chip('Shifts')).getAttribute('aria-pressed')).toBe('false');
      // The first list is less than a minute old, so it is shown without a request.
      expect(searches(rendered)).toHaveLength(3);
    });

    it('of an invalid address filter nothing', async () => {
      const rendered = open({}, '/tabs/menu/explore?pay=-3&kind=party&r=9000&from=2026-13-40&lat=200&lng=0');
      await screen.findByRole('link', { name: 'Weekend barista' });
      const [input] = searches(rendered);
      expect(input).toMatchObject({ radiusKm: 25, lat: 52.375 });
      expect(input).not.toHaveProperty('kind');
      expect(input).not.toHaveProperty('minPay');
      expect(input).not.toHaveProperty('from');
    });

    it('search when typing pauses, never letter by letter', async () => {
      const rendered = open({});
      const field = await screen.findByRole('searchbox');
      for (const typed of ['b', 'ba', 'bar']) fireEvent.change(field, { target: { value: typed } });
      await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ q: 'bar' }));
      expect(searches(rendered).map(({ q }) => q)).toEqual([undefined, 'bar']);
    });

    it('of the sheet apply at once, and are rejected when they conflict', async () => {
      const rendered = open({});
      await screen.findByRole('link', { name: 'Weekend barista' });
      await press('Filters');
      const sheet = await screen.findByRole('dialog', { name: 'Filters' });
      const type = (label: string, value: string) =>
        fireEvent.change(within(sheet).getByLabelText(label), { target: { value } });
      const show = () => fireEvent.click(within(sheet).getByRole('button', { name: /^Show/ }));
      type('From', '2026-12-05');
      type('Until', '2026-12-01');
      type('Minimum hourly pay', 'much');
      show();
      expect(within(sheet).getByText('The end date is before the start date.')).toBeTruthy();
      expect(within(sheet).getByText('Enter an amount such as 18 or 18.50.')).toBeTruthy();
      expect(searches(rendered)).toHaveLength(1);
      type('Until', '2026-12-06');
      type('Minimum hourly pay', '18,50');
      fireEvent.click(within(sheet).getByRole('button', { name: '5\u00a0km' }));
      fireEvent.click(within(sheet).getByRole('radio', { name: 'Tasks' }));
      show();
      await waitFor(() =>
        expect(searches(rendered).at(-1)).toMatchObject({
          from: '2026-12-05',
          to: '2026-12-06',
          minPay: 1_850,
          radiusKm: 5,
          kind: 'task',
        }),
      );
      expect(screen.getByRole('button', { name: 'Filters, 4 on' })).toBeTruthy();
    });

    it('of the sheet include weekdays, hours until midnight, and a length', async () => {
      const rendered = open({});
      await screen.findByRole('link', { name: 'Weekend barista' });
      await press('Filters');
      const sheet = await screen.findByRole('dialog', { name: 'Filters' });
      const type = (label: string, value: string) =>
        fireEvent.change(within(sheet).getByLabelText(label), { target: { value } });
      fireEvent.click(within(sheet).getByRole('button', { name: 'Sat' }));
      type('Starts from', '00:00');
      type('Ends by', '00:00');
      expect(within(sheet).getByLabelText<HTMLInputElement>('Ends by').value).toBe('00:00');
      type('Length of a shift', '240');
      fireEvent.click(within(sheet).getByRole('button', { name: /^Show/ }));
      await waitFor(() =>
        expect(searches(rendered).at(-1)).toMatchObject({
          weekdays: ['sat'],
          startsFrom: 0,
          endsBy: 1_440,
          maxMinutes: 240,
        }),
      );
    });

    it('of the sheet show how many jobs remain, and can be cleared only when set', async () => {
      const rendered = open({
        'nearby.count': ({ funded }) => (funded ? { count: 1, more: false } : { count: 100, more: true }),
      });
      await screen.findByRole('link', { name: 'Weekend barista' });
      await press('Filters');
      const sheet = await screen.findByRole('dialog', { name: 'Filters' });
      expect(await within(sheet).findByRole('button', { name: 'Show 100+ jobs' })).toBeTruthy();
      expect(within(sheet).queryByRole('button', { name: 'Clear all' })).toBeNull();
      expect(within(sheet).queryByRole('button', { name: 'Fits my hours' })).toBeNull();
      fireEvent.click(within(sheet).getByRole('button', { name: 'Funded' }));
      fireEvent.click(within(sheet).getByRole('button', { name: 'Soonest' }));
      fireEvent.click(await within(sheet).findByRole('button', { name: 'Show 1 job' }));
      await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ funded: true, sort: 'soonest' }));
      expect(screen.getByRole('button', { name: 'Filters, 1 on' })).toBeTruthy();
    });

    it('without results can be removed one by one', async () => {
      const rendered = open(
        { 'nearby.search': page({ items: [] }) },
        '/tabs/menu/explore?kind=task&only=verified',
      );
      const chips = await screen.findByRole('group', { name: 'Try without' });
      fireEvent.click(within(chips).getByRole('button', { name: 'Verified business' }));
      await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ verified: false, kind: 'task' }));
      expect(await screen.findByRole('button', { name: 'Clear filters' })).toBeTruthy();
    });

    it('come before other suggestions when words and filters match nothing', async () => {
      open(
        { 'nearby.search': ({ kind }) => (kind ? page({ items: [] }) : page()) },
        '/tabs/menu/explore?q=barista&kind=task',
      );
      expect(await screen.findByRole('group', { name: 'Jobs nearby' })).toBeTruthy();
      const groups = screen.getAllByRole('group', { name: /^(Try without|Jobs nearby)$/ });
      expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual(['Try without', 'Jobs nearby']);
    });

    it("show the upper end of typed pay, which they don't use", async () => {
      open({}, '/tabs/menu/explore?q=barista+%E2%82%AC15+to+%E2%82%AC18');
      expect(await screen.findByText('Jobs that pay more than €18 are shown too.')).toBeTruthy();
    });

    it('survive opening a job and going Back', async () => {
      const rendered = open({ 'jobs.get': sampleJob(), 'jobs.similar': [] }, undefined, {
        session: 'worker',
      });
      rendered.api.on({
        'notifications.list': { items: [], unread: 0, nextCursor: null },
        'businesses.profile': () => {
          throw refuse('business/not-found');
        },
        'reliability.ofBusiness': () => {
          throw refuse('business/not-found');
        },
      });
      fireEvent.click(await chip('Tasks'));
      await waitFor(() => expect(searches(rendered).at(-1)).toMatchObject({ kind: 'task' }));
      fireEvent.click(await screen.findByRole('link', { name: 'Weekend barista' }));
      await waitFor(() => expect(address()).toMatch(/^\/job-desc\//));
      await goBack();
      expect(address()).toBe('/tabs/menu/explore?kind=task');
      expect((await chip('Tasks')).getAttribute('aria-pressed')).toBe('true');
    });
  });

  describe('paging', () => {
    const first = page({ nextCursor: 'next' });
    const second = page({ items: [sampleNearbyCard({ id: id(9), title: 'Far job', distanceM: 9_000 })] });

    it('keeps the shown rows when the next page fails, and retries that page', async () => {
      let fails = true;
      const rendered = open({
        'nearby.search': ({ cursor }) => {
          if (!cursor) return first;
          if (fails) throw refuse('request/internal');
          return second;
        },
      });
      await press('Show more');
      expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Weekend barista' })).toBeTruthy();
      fails = false;
      await press('Try again');
      expect(await screen.findByRole('link', { name: 'Far job' })).toBeTruthy();
      expect(searches(rendered).map(({ cursor }) => cursor)).toEqual([undefined, 'next', 'next']);
    });

    it('loads once for several presses', async () => {
      const rendered = open({ 'nearby.search': ({ cursor }) => (cursor ? never() : first) });
      const more = await screen.findByRole('button', { name: 'Show more' });
      fireEvent.click(more);
      fireEvent.click(more);
      await waitFor(() => expect(more.getAttribute('aria-busy')).toBe('true'));
      expect(searches(rendered)).toHaveLength(2);
    });
  });

  it('shows unread notifications only to a verified user', async () => {
    const { unmount } = open(
      { 'notifications.list': { items: [], unread: 3, nextCursor: null } },
      undefined,
      { session: 'worker' },
    );
    expect(await screen.findByRole('link', { name: 'Notifications, 3 unread' })).toBeTruthy();
    unmount();
    open({}, undefined, { session: 'unverified' });
    await screen.findByRole('link', { name: 'Weekend barista' });
    expect(screen.queryByRole('link', { name: /^Notifications/ })).toBeNull();
  });
});
