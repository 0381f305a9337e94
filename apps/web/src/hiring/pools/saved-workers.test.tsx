import type { SavedWorker } from '@nearhand/contract/hiring/pools';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { leila, nadia, sampleAccount, sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { type } from '../../../test/typing.ts';

const business = sampleBusiness();
const poolId = '0193aaaa-0000-7000-8000-0000000000e1';
const baristas = { id: poolId, name: 'Baristas I trust', workers: 2 };

const saved = (change: Partial<SavedWorker> = {}): SavedWorker => ({
  workerId: leila.id,
  pools: [{ id: poolId, name: 'Baristas I trust' }],
  tags: ['Latte art'],
  notes: 1,
  worker: {
    workerId: leila.id,
    name: 'Leila Haddad',
    photoPath: null,
    area: 'Jordaan, Amsterdam',
    bio: '',
    languages: [],
    availability: [],
    weekHoursMax: null,
    skills: [],
    checks: { phone: false, identity: false, certificates: [] },
    rating: { count: 0, averageTenths: null },
  },
  savedAt: '2026-11-20T10:00:00Z',
  timesWorked: 3,
  lastWorkedAt: '2026-11-14T16:00:00Z',
  distanceM: 1_500,
  reliability: {
    kept: 9,
    percent: 90,
    lateCancellations: 0,
    noShows: 1,
    lateArrivals: 0,
    interviewsMissed: 0,
  },
  ...change,
});
const omar = saved({
  workerId: nadia.id,
  pools: [],
  tags: [],
  notes: 0,
  timesWorked: 0,
  lastWorkedAt: null,
  distanceM: null,
  worker: { ...saved().worker, workerId: nadia.id, name: 'Omar Idrissi' },
});
const list = (...items: SavedWorker[]) => ({ items, nextCursor: null });

function open(api: Handlers = {}) {
  return renderApp('/saved-workers', {
    session: 'business',
    now: '2026-11-21T10:00:00Z',
    api: {
      'accounts.me': sampleAccount(nadia, [business]),
      'businesses.mine': [business],
      'pools.list': { pools: [baristas], tags: [{ tag: 'Latte art', count: 1 }] },
      'pools.workers': list(saved(), omar),
      'pools.ofWorker': { workerId: leila.id, pools: saved().pools, tags: ['Latte art'], notes: 1 },
      'pools.notes': { items: [], nextCursor: null },
      'rebook.unpaid': [],
      ...api,
    },
  });
}
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('button', { name })).closest('li');
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};

describe('saved workers', () => {
  it('show what each did here, how reliable they are and how far away', async () => {
    open();
    const row = await rowOf('Leila Haddad');
    expect(
      row.getByText(/^Worked here 3 times, last .*14 Nov.*90% reliable, about 1\.5.km away$/),
    ).toBeTruthy();
    expect(row.getByText('Latte art')).toBeTruthy();
    expect(row.getByText('1 note')).toBeTruthy();
    const omars = await rowOf('Omar Idrissi');
    expect(omars.getByRole('button', { name: /^Offer a job/ })).toBeTruthy();
    expect(omars.getByText(/^Hasn't worked here yet/).textContent).not.toContain('away');
  });

  it('have a skeleton, an error with a retry, and an empty state that explains saving', async () => {
    const first = open({ 'pools.workers': never });
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
    first.unmount();
    const second = open({
      'pools.workers': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your saved workers")).toBeTruthy();
    second.api.on({ 'pools.workers': list() });
    await press('Try again');
    expect(await screen.findByText('No saved workers yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your applicants' }).getAttribute('href')).toBe(
      '/all-job-applicants',
    );
  });

  it('stay readable offline', async () => {
    const { api } = open();
    await rowOf('Leila Haddad');
    setOnline(api, false);
    signal({ kind: 'record', record: 'pool', id: poolId });
    expect(await screen.findByText("You're offline.")).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Leila Haddad' })).toBeTruthy();
  });

  it('are filtered by pool, name and tag', async () => {
    const { api } = open();
    await rowOf('Leila Haddad');
    await press(/^Baristas I trust/);
    await waitFor(() => expect(api.inputs('pools.workers').at(-1)).toMatchObject({ poolId }));
    api.on({ 'pools.workers': list() });
    type('Search by name', 'Zo');
    await waitFor(() => expect(api.inputs('pools.workers').at(-1)).toMatchObject({ poolId, q: 'Zo' }));
    expect(await screen.findByText('Nobody matches')).toBeTruthy();
  });

  it('offer offline only the way back to a loaded list', async () => {
    const { api } = open();
    await rowOf('Leila Haddad');
    api.on({ 'pools.workers': list(saved()) });
    fireEvent.change(screen.getByLabelText('Tag'), { target: { value: 'Latte art' } });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Omar Idrissi' })).toBeNull());
    await rowOf('Leila Haddad');
    setOnline(api, false);
    const tag = () => screen.getByLabelText('Tag');
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Search by name').readOnly).toBe(true),
    );
    expect(tag().getAttribute('aria-disabled')).toBeNull();
    fireEvent.change(tag(), { target: { value: '' } });
    await rowOf('Omar Idrissi');
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  });

  it("keep their filters when a selected tag isn't on the device", async () => {
    const { api } = open();
    await rowOf('Omar Idrissi');
    api.on({ 'pools.workers': () => Promise.reject(refuse('request/internal')) });
    fireEvent.change(screen.getByLabelText('Tag'), { target: { value: 'Latte art' } });
    expect(await screen.findByText("We couldn't load your saved workers")).toBeTruthy();
    setOnline(api, false);
    fireEvent.change(screen.getByLabelText('Tag'), { target: { value: '' } });
    await rowOf('Omar Idrissi');
  });

  it('can be unfiltered offline after a search by name', async () => {
    const { api } = open();
    await rowOf('Omar Idrissi');
    api.on({ 'pools.workers': list(saved()) });
    type('Search by name', 'Lei');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Omar Idrissi' })).toBeNull());
    await rowOf('Leila Haddad');
    setOnline(api, false);
    await waitFor(() => expect(screen.getByLabelText('Tag').getAttribute('aria-disabled')).toBe('true'));
    await press('Clear');
    await rowOf('Omar Idrissi');
    expect(screen.getByLabelText<HTMLInputElement>('Search by name').value).toBe('');
  });

  it('are removed from the selected pool, with an undo', async () => {
    const { api } = open({ 'pools.remove': { ...baristas, workers: 1 }, 'pools.add': baristas });
    await rowOf('Leila Haddad');
    await press(/^Baristas I trust/);
    fireEvent.click((await rowOf('Leila Haddad')).getByRole('button', { name: /^Remove/ }));
    expect(await screen.findByText('Leila Haddad removed from “Baristas I trust”')).toBeTruthy();
    expect(api.inputs('pools.remove')).toEqual([{ poolId, workerId: leila.id }]);
    await press('Undo');
    await waitFor(() => expect(api.inputs('pools.add')).toEqual([{ poolId, workerIds: [leila.id] }]));
  });

  it('open with pools, tags and notes, and lead to an offer', async () => {
    open({ 'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Leila Haddad' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Leila Haddad' }));
    expect(sheet.getByRole('heading', { name: 'Pools' })).toBeTruthy();
    expect(sheet.getByRole('link', { name: 'Full profile' }).getAttribute('href')).toBe(
      `/worker-details/${leila.id}`,
    );
    fireEvent.click(sheet.getByRole('button', { name: 'Hire again' }));
    expect(await screen.findByRole('dialog', { name: 'Hire Leila Haddad again' })).toBeTruthy();
    expect(await screen.findByText(/You have no open jobs/)).toBeTruthy();
  });
});
