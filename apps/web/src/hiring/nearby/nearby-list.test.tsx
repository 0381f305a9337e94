import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { rememberPlace } from '../../people/places/places.api.ts';
import { sampleCard, sampleNearbyCard, sampleNearbyPage } from '../jobs/jobs.fixtures.ts';
import { NearbyList } from './nearby-list.tsx';
import { QuickChips } from './nearby-search.tsx';
import { usePointedJob } from './pointed-job.ts';
import { useNearby } from './use-nearby.ts';

configure({ asyncUtilTimeout: 10_000 });

// Each test has its own page: a page's content is cached while the app is open.
let path = '';
let pages = 0;
let withChips = false;
const onPickPlace = vi.fn();
const onSave = vi.fn();

function Pointed() {
  return <p data-testid="pointed">{usePointedJob()}</p>;
}

function Probe() {
  const nearby = useNearby(path);
  const { filters, setFilters, clearFilters, timeZone } = nearby;
  return (
    <>
      {withChips ? (
        <QuickChips
          {...{ filters, setFilters, timeZone }}
          needsNetwork={() => false}
          onClear={clearFilters}
          currency="GBP"
        />
      ) : null}
      <output>{timeZone}</output>
      <Pointed />
      <NearbyList nearby={nearby} save={{ saved: false, press: onSave }} onPickPlace={onPickPlace} />
    </>
  );
}

let urls: URL[] = [];
let respond: (url: URL) => Response | Promise<Response>;

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const page = sampleNearbyPage;

function show(search = '') {
  pages += 1;
  path = `/list-${pages}`;
  window.history.replaceState(null, '', path + search);
  queryClient.clear();
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[path + search]}>
          <Probe />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  urls = [];
  withChips = false;
  vi.stubGlobal('navigator', { ...navigator, languages: ['en-IE'], onLine: true });
  vi.stubGlobal('fetch', (request: Request | string) => {
    const url = new URL(typeof request === 'string' ? request : request.url, 'http://localhost');
    urls.push(url);
    return Promise.resolve(respond(url));
  });
  rememberPlace({ label: 'Jordaan, Amsterdam', lat: 52.3748, lng: 4.8806, source: 'chosen' });
});
afterEach(() => {
  queryClient.clear();
  cleanup();
  rememberPlace(null);
  vi.unstubAllGlobals();
});

const nearbyAsked = () => urls.filter((url) => url.pathname.endsWith('/jobs/nearby'));

describe('NearbyList', () => {
  it('groups by distance, with pay first and a link to each job', async () => {
    respond = () =>
      json(
        page({
          items: [
            sampleNearbyCard({ id: 'a', title: 'Weekend barista', distanceM: 400 }),
            sampleNearbyCard({ id: 'b', title: 'Lunch waiter', distanceM: 900 }),
            sampleNearbyCard({ id: 'c', title: 'Book fair crew', distanceM: 1_500 }),
          ],
        }),
      );
    show();
    expect(await screen.findByText('Within 1 km')).toBeTruthy();
    expect(screen.getByText('2 jobs, on foot')).toBeTruthy();
    expect(screen.getByText('1–2 km')).toBeTruthy();
    expect(screen.getByText('1 job, on foot')).toBeTruthy();
    expect(screen.queryByText(/by bike/)).toBeNull();
    expect(screen.getByRole('link', { name: 'Lunch waiter' }).getAttribute('href')).toBe(
      publicJobPath({ id: 'b', title: 'Lunch waiter' }),
    );
    expect(screen.getAllByText('€108')).toHaveLength(3);
    expect(nearbyAsked()[0]?.searchParams.get('lat')).toBe('52.375');
  });

  it("shows a zone other than the device's once, above the list", async () => {
    respond = () => json(page({ items: [sampleNearbyCard({ id: 'a' }), sampleNearbyCard({ id: 'b' })] }));
    const { container } = show();
    expect(await screen.findByText('Times are in Amsterdam time.')).toBeTruthy();
    expect(container.textContent).not.toContain('(Amsterdam time)');
  });

  it('reports the hovered or focused job to the map', async () => {
    respond = () =>
      json(page({ items: [sampleNearbyCard({ id: 'a', title: 'Weekend barista', distanceM: 400 })] }));
    show();
    const link = await screen.findByRole('link', { name: 'Weekend barista' });
    const card = document.getElementById('near-a') as HTMLElement;
    const pointed = () => screen.getByTestId('pointed').textContent;
    expect(pointed()).toBe('');
    fireEvent.pointerEnter(card);
    expect(pointed()).toBe('a');
    fireEvent.pointerLeave(card);
    expect(pointed()).toBe('');
    fireEvent.focus(link);
    expect(pointed()).toBe('a');
    fireEvent.blur(link);
    expect(pointed()).toBe('');
  });

  it("shows a business's average from three reviews on, and nothing below", async () => {
    const business = { ...sampleCard().business };
    const rated = (count: number, averageTenths: number | null) => ({
      business: { ...business, rating: { count, averageTenths } },
    });
    respond = () =>
      json(
        page({
          items: [
            sampleNearbyCard({ id: 'a', ...rated(12, 48) }),
            sampleNearbyCard({ id: 'b', ...rated(2, null) }),
          ],
        }),
      );
    show();
    expect(await screen.findByText('4.8 (12)')).toBeTruthy();
    expect(screen.getByText('4.8 from 12 reviews')).toBeTruthy();
    expect(screen.getAllByText(/reviews/)).toHaveLength(1);
  });

  it("searches with the address's filters", async () => {
    respond = () => json(page());
    show('?q=barista&r=2&kind=shift&pay=1800&lat=40.7127&lng=-74.0059&at=City+Hall');
    await screen.findByText(/No matches within/);
    const asking = Object.fromEntries(nearbyAsked()[0]?.searchParams ?? []);
    expect(asking).toMatchObject({
      q: 'barista',
      radiusKm: '2',
      kind: 'shift',
      minPay: '1800',
      widen: 'false',
    });
    expect(asking.lat).toBe('40.713');
  });

  it('shows that the radius was widened', async () => {
    respond = () =>
      json(page({ items: [sampleNearbyCard({ distanceM: 30_000 })], radiusKm: 50, widened: true }));
    show();
    expect(await screen.findByText(/Few jobs within 25 km, so we searched within 50 km/)).toBeTruthy();
  });

  it('hides a wider radius that found no job farther away', async () => {
    respond = () =>
      json(page({ items: [sampleNearbyCard({ distanceM: 3_000 })], radiusKm: 50, widened: true }));
    show();
    await screen.findByText(sampleNearbyCard().title);
    expect(screen.queryByText(/Few jobs within/)).toBeNull();
  });

  it('shows which words were read as others', async () => {
    respond = () =>
      json(page({ items: [sampleNearbyCard()], respelled: [{ typed: 'barrista', meant: ['barista'] }] }));
    show('?q=barrista');
    expect(
      await screen.findByText(/Few or no jobs mention “barrista”, so we also searched for “barista”/),
    ).toBeTruthy();
  });

  it('shows which words match no job, and what it lists instead', async () => {
    respond = () =>
      json(
        page({ items: [sampleNearbyCard()], leftOut: { words: ['zzyzx', 'hedges'], searched: 'tuinieren' } }),
      );
    show('?q=tuinieren+zzyzx+hedges');
    expect(
      await screen.findByText(
        'No jobs match all of these words. Showing jobs for “tuinieren” without “zzyzx”, “hedges”.',
      ),
    ).toBeTruthy();
  });

  it.for([
    ['max+16', 'Jobs that pay more than €16 are shown too.'],
    ['no+experience', 'Jobs are shown whether or not they match “no experience”.'],
    ['not+tomorrow', 'You can leave out weekdays only, so “not tomorrow” doesn’t limit this search.'],
  ] as const)('says which typed words limit nothing: %s', async ([typed, text]) => {
    respond = () => json(page({ items: [sampleNearbyCard()] }));
    show(`?q=barista+${typed}`);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText(/Showing jobs for/)).toBeNull();
  });

  it("keeps the server's order of best matches, without bands", async () => {
    respond = () =>
      json(
        page({
          items: [
            sampleNearbyCard({ id: 'a', title: 'Waiter', distanceM: 3_000 }),
            sampleNearbyCard({ id: 'b', title: 'Barista', distanceM: 400 }),
          ],
        }),
      );
    show('?q=waiter');
    expect(await screen.findByRole('region', { name: 'Best matches first' })).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 3 }).map((title) => title.textContent)).toEqual([
      'Waiter',
      'Barista',
    ]);
    expect(screen.queryByText(/Within 1/)).toBeNull();
    expect(nearbyAsked()[0]?.searchParams.get('sort')).toBe('best');
  });

  it('shows the pay that the list is sorted by, hourly or in total', async () => {
    respond = () => json(page({ items: [sampleNearbyCard()] }));
    show('?sort=pay');
    const card = await screen.findByRole('article');
    expect(card.querySelector('.pay')?.textContent).toBe('€18an hour€108 for 6\u00a0h');
    fireEvent.click(screen.getByRole('radio', { name: 'In total' }));
    await waitFor(() => expect(nearbyAsked().at(-1)?.searchParams.get('sort')).toBe('total'));
    await waitFor(() =>
      expect(screen.getByRole('article').querySelector('.pay b')?.textContent).toBe('€108'),
    );
  });

  it('names the word that no job matches, with similar ones and nearby jobs', async () => {
    respond = (url) =>
      url.searchParams.has('q') && url.searchParams.get('q') !== 'gardener'
        ? json(page({ suggestions: ['gardener'] }))
        : json(page({ items: [sampleNearbyCard({ category: 'gardening' })] }));
    show('?q=gardner');
    expect(await screen.findByText(/No open jobs around .* match “gardner”\./)).toBeTruthy();
    const nearby = await screen.findByRole('group', { name: 'Jobs nearby' });
    expect(within(nearby).getByRole('button', { name: 'Gardening' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'gardener' }));
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
  });

  it("shows that punctuation alone isn't searched", async () => {
    respond = () => json(page());
    show('?q=%F0%9F%99%82');
    expect(await screen.findByText(/“🙂” has no words to search for/)).toBeTruthy();
  });

  describe('the chip of what is very near', () => {
    const london = '?lat=51.5074&lng=-0.1278&at=London';
    const pressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
    beforeEach(() => {
      withChips = true;
    });

    it("keeps the place's units when nothing is found there, and can be undone", async () => {
      respond = (url) =>
        Number(url.searchParams.get('radiusKm')) < 2
          ? json(page({ radiusKm: 1.609_344 }))
          : json(page({ items: [sampleNearbyCard({ timeZone: 'Europe/London' })] }));
      show(london);
      fireEvent.click(await screen.findByRole('button', { name: 'Under 1\u00a0mi' }));
      await screen.findByText(/No .*within 1 mi/);
      expect(screen.getByRole('status').textContent).toBe('Europe/London');
      expect(pressed('Under 1\u00a0mi')).toBe('true');
      fireEvent.click(screen.getByRole('button', { name: 'Under 1\u00a0mi' }));
      expect(await screen.findByText('Weekend barista')).toBeTruthy();
      expect(pressed('Under 1\u00a0mi')).toBe('false');
    });

    it('is pressed for an address in miles, even without a job that sets units', async () => {
      respond = () => json(page());
      show('?r=1.609344&lat=51.6&lng=-0.1278&at=Barnet');
      expect(await screen.findByRole('button', { name: /^Under/, pressed: true })).toBeTruthy();
    });
  });

  it('offers alternatives when nothing is there', async () => {
    respond = (url) => json(page({ radiusKm: Number(url.searchParams.get('radiusKm')) }));
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Search within 50\u00a0km' }));
    await screen.findByText('No jobs within 50 km yet');
    fireEvent.click(await screen.findByRole('button', { name: 'Search within 100\u00a0km' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Choose another place' }));
    expect(onPickPlace).toHaveBeenCalled();
  });

  it('shows an error with a retry', async () => {
    respond = () => json({ code: 'request/internal', message: 'x', requestId: 'req-1' }, 500);
    show();
    expect(await screen.findByText("We couldn't load jobs")).toBeTruthy();
    respond = () => json(page({ items: [sampleNearbyCard()] }));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Weekend barista')).toBeTruthy();
  });

  it('loads the next page on demand', async () => {
    respond = (url) =>
      url.searchParams.get('cursor') === 'next'
        ? json(page({ items: [sampleNearbyCard({ id: 'e', title: 'Far job', distanceM: 9_000 })] }))
        : json(page({ items: [sampleNearbyCard()], nextCursor: 'next' }));
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Far job')).toBeTruthy();
    expect(screen.getByText(/That's everything within 25 km/)).toBeTruthy();
  });
});
