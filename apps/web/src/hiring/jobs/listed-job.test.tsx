import { sumOf } from '@nearhand/contract/arithmetic';
import type { ListedJob, PlannedShift } from '@nearhand/contract/hiring/jobs';
import type { JobStanding } from '@nearhand/contract/hiring/jobs.rules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import {
  sampleListedJob as listed,
  sampleJob,
  samplePlannedShift,
  sampleSeriesTotals,
} from './jobs.fixtures.ts';

// Set before the sample shifts, because a shift that has started can't be reopened.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const page = (items: ListedJob[], counts: Partial<Record<JobStanding, number>> = { open: items.length }) => ({
  items,
  counts,
  total: sumOf(Object.values(counts)),
  nextCursor: null,
});
const draft = listed({
  id: id('02'),
  status: 'draft',
  title: 'Book fair crew',
  actions: ['edit', 'delete-draft'],
  applicants: 0,
});

function open(api: Handlers = {}, options: { path?: string; width?: number } = {}) {
  const { path = '/tabs/menu/jobs', width } = options;
  return renderApp(path, {
    session: 'business',
    width: width || undefined,
    api: {
      'jobs.listed': page([listed(), draft], { open: 1, draft: 1 }),
      'engagements.forBusiness': never,
      'interviews.mine': never,
      ...api,
    },
  });
}

async function choose(job: string, action: string) {
  await press(`Actions for ${job}`);
  const sheet = await screen.findByRole('dialog', { name: job });
  fireEvent.click(within(sheet).getByRole('button', { name: new RegExp(`^${action}`) }));
}

const weekTotals = sampleSeriesTotals();

describe('a series in the list of jobs', () => {
  it.each([390, 1280])('is one row that expands to its dates, at %i', async (width) => {
    const dates = ['52', '53'].map((end, at) =>
      listed({
        id: id(end),
        startsAt: `2026-12-0${7 + at}T07:00:00Z`,
        endsAt: `2026-12-0${7 + at}T13:00:00Z`,
      }),
    );
    const { api } = open(
      {
        'jobs.listed': ({ seriesId }) =>
          seriesId ? page(dates) : page([listed({ seriesTotals: weekTotals })], { open: 4, filled: 1 }),
      },
      { width },
    );
    const toggle = await screen.findByRole('button', { name: /^Weekend barista.*5 shifts/ });
    const row = toggle.closest(width === 390 ? 'li' : 'tr');
    expect(row?.textContent).toMatch(/Mon.7.Dec – Fri.11.Dec.*08:00–14:00/);
    expect(row?.textContent).toContain('3 of 10');
    expect(row?.textContent).toContain('Open 4');
    expect(screen.queryByRole('button', { name: 'Actions for Weekend barista' })).toBeNull();
    expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ grouped: true });
    fireEvent.click(toggle);
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: 'Actions for Weekend barista' })).toHaveLength(2),
    );
    expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ seriesId: id('51'), sort: 'soonest' });
    fireEvent.click(screen.getByRole('button', { name: /^Weekend barista.*5 shifts/ }));
    expect(screen.queryByRole('button', { name: 'Actions for Weekend barista' })).toBeNull();
  });
});

describe('a link to a series', () => {
  it('opens its shifts in the list', async () => {
    const { api } = open(
      {
        'jobs.listed': ({ seriesId }: { seriesId?: string }) =>
          seriesId ? page([listed({ id: id('52') })]) : page([listed({ seriesTotals: weekTotals })]),
      },
      { path: `/listed-job?status=open&series=${weekTotals.seriesId}` },
    );
    expect(await screen.findByRole('button', { name: 'Actions for Weekend barista' })).toBeTruthy();
    expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ seriesId: weekTotals.seriesId, status: 'open' });
  });
});

describe('the menu of a series', () => {
  const planned = (end: string, change: Partial<PlannedShift>) =>
    samplePlannedShift({ jobId: id(end), ...change });
  const openMenu = async (shifts: PlannedShift[]) => {
    const { api } = open({
      'jobs.listed': page([listed({ seriesTotals: weekTotals })], { open: 1 }),
      'jobs.series': shifts,
      'jobs.pause': sampleJob({ status: 'paused' }),
      'jobs.close': sampleJob({ status: 'closed' }),
    });
    await press('Actions for all shifts of Weekend barista');
    return api;
  };

  it('edits and pauses from the first shift that can', async () => {
    const api = await openMenu([planned('52', { status: 'paused' }), planned('53', {}), planned('54', {})]);
    expect((await screen.findByRole('link', { name: /^Edit the shifts/ })).getAttribute('href')).toBe(
      `/edit-job/${id('52')}?series`,
    );
    expect(screen.getByRole('button', { name: /^Reopen all shifts/ })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Weekend barista, 3 shifts' })).toBeTruthy();
    await press(/^Pause all shifts/);
    await waitFor(() => expect(api.inputs('jobs.pause')).toEqual([{ jobId: id('53'), following: true }]));
    expect(await screen.findByText('All shifts of Weekend barista paused')).toBeTruthy();
  });

  it('confirms before closing the shifts without bookings', async () => {
    const api = await openMenu([
      planned('52', { hired: 1 }),
      planned('53', { status: 'in_review' }),
      planned('54', {}),
    ]);
    expect(screen.queryByRole('button', { name: /^Reopen all shifts/ })).toBeNull();
    await press(/^Close all shifts without bookings/);
    await press('Close all shifts without bookings');
    await waitFor(() => expect(api.inputs('jobs.close')).toEqual([{ jobId: id('53'), following: true }]));
    expect(await screen.findByText('All shifts of Weekend barista without bookings closed')).toBeTruthy();
  });
});

describe('the list of jobs', () => {
  it('searches by title and sorts, and shows when nothing matches', async () => {
    const { api } = open({
      'jobs.listed': ({ q }: { q?: string }) => (q === 'zz' ? page([], {}) : page([listed()])),
    });
    const field = await screen.findByLabelText('Search by title');
    fireEvent.change(field, { target: { value: ' book ' } });
    await waitFor(() => expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ q: 'book' }));
    await press(/^Sort: /);
    fireEvent.click(await screen.findByRole('button', { name: 'Latest start first' }));
    await waitFor(() => expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ q: 'book', sort: 'start' }));
    fireEvent.change(field, { target: { value: 'zz' } });
    expect(await screen.findByText('No jobs match')).toBeTruthy();
    expect(screen.getByLabelText('Search by title')).toBeTruthy();
  });

  it('saves the filters as a view of the account, applies it again and deletes it', async () => {
    const first = open({ 'jobs.listed': page([listed()]) });
    await screen.findByLabelText('Search by title');
    expect(screen.queryByRole('button', { name: /^Saved views/ })).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: /^Open \d/ }));
    await press(/^Saved views/);
    fireEvent.click(await screen.findByRole('button', { name: 'Save view' }));
    expect(await screen.findByText('Enter a name.')).toBeTruthy();
    fireEvent.change(await screen.findByLabelText('Name of this view'), { target: { value: 'To fill ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
    expect(await screen.findByText('View saved')).toBeTruthy();
    first.unmount();
    const { api } = open({ 'jobs.listed': page([listed()]) });
    await press(/^Saved views/);
    fireEvent.click(await screen.findByRole('button', { name: 'To fill' }));
    await waitFor(() => expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ status: 'open' }));
    await press('Saved views: To fill');
    fireEvent.click(await screen.findByRole('button', { name: 'Delete “To fill”' }));
    expect(await screen.findByText('View deleted')).toBeTruthy();
  });

  it('saves all pages of the filtered list as CSV, each shift as a row and no cell as a formula', async () => {
    const files: Blob[] = [];
    URL.createObjectURL = (file) => {
      files.push(file as Blob);
      return 'blob:csv';
    };
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { api } = open({
      'jobs.listed': ({ cursor, limit }) => ({
        ...page([listed({ id: id(cursor ? '02' : '01'), title: cursor ? '=SUM("A")' : 'Barista' })]),
        nextCursor: limit === 100 && !cursor ? 'next' : null,
      }),
    });
    await press('Save list as CSV');
    await waitFor(() => expect(files).toHaveLength(1));
    const lines = (await (files[0] as Blob).text()).trim().split('\r\n');
    expect(lines[0]).toContain('"Title","Status","Branch","Start"');
    expect(lines[1]).toMatch(/^"Barista","Open",.*"\d{4}-\d\d-\d\d \d\d:\d\d"/);
    expect(lines[2]).toMatch(/^"'=SUM\(""A""\)"/);
    expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ cursor: 'next', limit: 100, grouped: false });
    click.mockRestore();
  });

  it('starts with the soonest open jobs, until another order is selected', async () => {
    const { api } = open({ 'jobs.listed': page([listed()]) });
    fireEvent.click(await screen.findByRole('button', { name: /^Open \d/ }));
    await waitFor(() =>
      expect(api.inputs('jobs.listed').at(-1)).toMatchObject({ status: 'open', sort: 'soonest' }),
    );
    await press('Sort: Soonest first');
    fireEvent.click(await screen.findByRole('button', { name: 'Newest first' }));
    await waitFor(() => expect(api.inputs('jobs.listed').at(-1)).not.toHaveProperty('sort', 'soonest'));
  });

  it.each(['/tabs/menu/jobs', '/tabs/menu/business'])('%s shows the cost of hiring', async (path) => {
    renderApp(path);
    expect(await screen.findByText(/the pay you set, and a fee of 10\s?%/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'What hiring costs' })).toBeTruthy();
  });

  it.each(['/tabs/menu/jobs', '/tabs/menu/business', '/all-job-applicants', `/edit-job/${listed().id}`])(
    '%s asks guests to log in, and signed-in users to verify their email',
    async (path) => {
      const guest = renderApp(path);
      expect(await screen.findByRole('link', { name: 'Log in' })).toBeTruthy();
      guest.unmount();
      renderApp(path, { session: 'unverified' });
      expect(await screen.findByText('Verify your email first')).toBeTruthy();
      expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
    },
  );

  it('links to a draft, and to the applicants of every other job', async () => {
    open();
    const link = await screen.findByRole('link', { name: 'Weekend barista' });
    expect(link.getAttribute('href')).toBe(`/job-applicants/${listed().id}`);
    expect(screen.getByRole('link', { name: 'Book fair crew' }).getAttribute('href')).toBe(
      `/create-job?job=${draft.id}`,
    );
    expect(screen.getAllByText('1 of 3')).toHaveLength(2);
  });

  it('is a table on a desktop', async () => {
    open({}, { width: 1280 });
    const table = await screen.findByRole('table', { name: 'Jobs at Kopi & Crumb' });
    const [, ...rows] = within(table).getAllByRole('row');
    expect(rows.map((row) => within(row).getAllByRole('link')[0]?.textContent)).toEqual([
      expect.stringContaining('Weekend barista'),
      expect.stringContaining('Book fair crew'),
    ]);
    expect(within(rows[1] as HTMLElement).queryByText('0')).toBeNull();
  });

  it('offers to post the first job only to allowed roles', async () => {
    const empty = { 'jobs.listed': page([], {}) };
    const { unmount } = open(empty);
    expect(await screen.findByRole('link', { name: 'Create your first job' })).toBeTruthy();
    unmount();
    open({ ...empty, 'businesses.mine': [sampleBusiness({ actions: [], role: 'recruiter' })] });
    expect(await screen.findByText('No jobs yet')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /create/i })).toBeNull();
  });

  it('asks users without a business to register one', async () => {
    open({ 'businesses.mine': [] });
    const link = await screen.findByRole('link', { name: 'Register a business' });
    expect(link.getAttribute('href')).toBe('/register-business');
  });

  it("filters by the address's status, and shows when nothing matches", async () => {
    const { api } = open(
      { 'jobs.listed': ({ status }) => page(status ? [] : [listed()], { open: 1 }) },
      { path: '/tabs/menu/jobs?status=paused' },
    );
    expect(await screen.findByText('No jobs match')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Paused 0' }).getAttribute('aria-pressed')).toBe('true');
    await press('All 1 job');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
    expect(api.inputs('jobs.listed').map(({ status }) => status)).toContain('paused');
  });

  it('distinguishes an error of the list from one of the business', async () => {
    const fail = () => {
      throw refuse('request/internal');
    };
    const { unmount } = open({ 'businesses.mine': fail });
    expect(await screen.findByText("We couldn't load your business")).toBeTruthy();
    unmount();
    const { api } = open({ 'jobs.listed': fail });
    expect(await screen.findByText("We couldn't load your jobs")).toBeTruthy();
    api.on({ 'jobs.listed': page([listed()]) });
    await press('Try again');
    expect(await screen.findByRole('link', { name: 'Weekend barista' })).toBeTruthy();
  });

  it('calls a job that is hidden but offered "By offer only", and a hidden one without offers paused', async () => {
    open({
      'jobs.listed': page(
        [
          listed({
            id: id('11'),
            title: 'Crew of May',
            status: 'paused',
            headCount: 3,
            hired: 0,
            offered: 3,
          }),
          listed({ id: id('12'), title: 'Lunch', status: 'paused', headCount: 3, hired: 0, offered: 1 }),
        ],
        { paused: 2 },
      ),
    });
    const row = async (title: string) =>
      (await screen.findByRole('link', { name: title })).closest('li, tr')?.textContent;
    expect(await row('Crew of May')).toContain('By offer only');
    expect(await row('Lunch')).toContain('Paused');
  });

  it('labels a past shift finished or not filled, without reopening', async () => {
    const past = (end: string, title: string, hired: number, startsAt: string, endsAt: string) =>
      listed({
        id: id(end),
        title,
        hired,
        startsAt,
        endsAt,
        status: 'expired',
        actions: ['reopen', 'duplicate'],
      });
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const yesterday = inHours(-24);
    const later = inHours(24);
    open({
      'jobs.listed': page(
        [
          past('11', 'Breakfast', 0, yesterday, yesterday),
          past('12', 'Lunch', 2, yesterday, yesterday),
          past('13', 'Festival', 2, yesterday, later),
          past('14', 'Dinner', 0, later, later),
        ],
        { not_filled: 1, finished: 1, in_progress: 1, expired: 1 },
      ),
    });
    await screen.findByRole('link', { name: 'Breakfast' });
    for (const words of ['Not filled', 'Finished', 'In progress', 'Expired'])
      expect(screen.getByText(words), words).toBeTruthy();
    for (const chip of ['Not filled 1', 'Finished 1', 'In progress 1', 'Expired 1'])
      expect(screen.getByRole('button', { name: chip })).toBeTruthy();
    await press('Actions for Breakfast');
    const sheet = await screen.findByRole('dialog', { name: 'Breakfast' });
    expect(within(sheet).queryByRole('button', { name: /^Reopen/ })).toBeNull();
    expect(within(sheet).getByRole('button', { name: /^Duplicate/ })).toBeTruthy();
  });

  it("follows other users' changes", async () => {
    const { api } = open();
    await screen.findByRole('link', { name: 'Weekend barista' });
    api.on({ 'jobs.listed': page([listed({ title: 'Morning barista' })]) });
    signal({ kind: 'record', record: 'job', id: listed().id });
    expect(await screen.findByRole('link', { name: 'Morning barista' })).toBeTruthy();
  });
});

describe('the moves of a job', () => {
  it("are the server's actions", async () => {
    open();
    await press('Actions for Book fair crew');
    const sheet = await screen.findByRole('dialog', { name: 'Book fair crew' });
    const names = within(sheet)
      .getAllByRole('button')
      .map((button) => button.textContent);
    expect(names.join()).toContain('Delete draft');
    expect(names.join()).not.toMatch(/Pause|Close job|Publish|Archive/);
    expect(within(sheet).getByRole('link', { name: /Continue draft/ })).toBeTruthy();
  });

  it('pause without a confirmation, with one key, and show the result', async () => {
    const paused = listed({ status: 'paused', actions: ['edit', 'reopen'] });
    const { api } = open({
      'jobs.pause': () => {
        api.on({ 'jobs.listed': page([paused], { paused: 1 }) });
        return sampleJob({ status: 'paused' });
      },
    });
    await choose('Weekend barista', 'Pause');
    expect(await screen.findByText('Weekend barista paused')).toBeTruthy();
    expect(await screen.findByText('Paused')).toBeTruthy();
    expect(api.inputs('jobs.pause')).toEqual([{ jobId: listed().id }]);
    expect(api.calls('jobs.pause')[0]?.idempotencyKey).toBeTruthy();
  });

  it.each([
    ['Weekend barista', 'Close job', 'Close Weekend barista?', 'Keep job', 'jobs.close'],
    ['Book fair crew', 'Delete draft', 'Delete this draft?', 'Keep draft', 'jobs.deleteDraft'],
  ] as const)('%s: %s asks first, and does nothing on cancel', async (job, action, title, keep, name) => {
    const { api } = open();
    await choose(job, action);
    const alert = await screen.findByRole('alertdialog', { name: title });
    fireEvent.click(within(alert).getByRole('button', { name: keep }));
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: title })).toBeNull());
    expect(api.calls(name)).toEqual([]);
  });

  it('show how many are notified of the end, and end it once', async () => {
    const { api } = open({ 'jobs.close': sampleJob({ status: 'closed' }) });
    await choose('Weekend barista', 'Close job');
    const alert = await screen.findByRole('alertdialog');
    expect(alert.textContent).toContain('Applicants are notified');
    const button = within(alert).getByRole('button', { name: 'Close job' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText('Weekend barista closed')).toBeTruthy();
    expect(api.calls('jobs.close')).toHaveLength(1);
  });

  const series = {
    shifts: 5,
    firstStartsAt: '2027-01-08T07:00:00Z',
    lastStartsAt: '2027-01-08T07:00:00Z',
    payRange: null,
    asBlock: false,
  };

  it.each([
    ['Close only this shift', undefined],
    ['Close this and later shifts without bookings', true],
  ])('of a series ask for the scope: %s', async (choice, following) => {
    const { api } = open({
      'jobs.listed': page([listed({ series })]),
      'jobs.close': sampleJob({ status: 'closed' }),
    });
    await choose('Weekend barista', 'Close job');
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: choice }));
    await waitFor(() => expect(api.calls('jobs.close')).toHaveLength(1));
    expect(api.calls('jobs.close')[0]?.input.following || undefined).toBe(following);
  });

  it('pause and reopen this and the later shifts of a series', async () => {
    const seriesId = id('55');
    const { api } = open({
      'jobs.listed': page([listed({ series, seriesId })]),
      'jobs.pause': sampleJob({ status: 'paused' }),
    });
    await choose('Weekend barista', 'Pause');
    const pausing = within(await screen.findByRole('alertdialog', { name: 'Pause Weekend barista?' }));
    api.on({
      'jobs.listed': page([listed({ seriesId, status: 'paused', actions: ['edit', 'reopen'] })]),
      'jobs.reopen': sampleJob(),
      'jobs.series': [samplePlannedShift({ jobId: id('56'), status: 'paused' })],
    });
    fireEvent.click(pausing.getByRole('button', { name: 'This and the later ones' }));
    await waitFor(() => expect(api.inputs('jobs.pause')).toMatchObject([{ following: true }]));
    expect(await screen.findByText('Paused')).toBeTruthy();
    await choose('Weekend barista', 'Reopen');
    const reopening = within(await screen.findByRole('alertdialog', { name: 'Reopen Weekend barista?' }));
    fireEvent.click(reopening.getByRole('button', { name: 'Only this shift' }));
    await waitFor(() => expect(api.inputs('jobs.reopen')).toEqual([{ jobId: listed().id }]));
  });

  it('pause all dates of a block, and say so first', async () => {
    const at = '2027-01-08T07:00:00Z';
    const series = { shifts: 5, firstStartsAt: at, lastStartsAt: at, payRange: null, asBlock: true };
    const { api } = open({
      'jobs.listed': page([listed({ series, seriesId: id('55') })]),
      'jobs.pause': sampleJob({ status: 'paused' }),
    });
    await choose('Weekend barista', 'Pause');
    const alert = await screen.findByRole('alertdialog', { name: 'Pause Weekend barista?' });
    expect(alert.textContent).toContain('all of them are hidden');
    fireEvent.click(within(alert).getByRole('button', { name: 'Pause all dates' }));
    expect(await screen.findByText('All shifts of Weekend barista paused')).toBeTruthy();
    expect(api.inputs('jobs.pause')).toEqual([{ jobId: listed().id }]);
  });

  it('continue with the copy of a job', async () => {
    const copy = id('77');
    open({
      'jobs.duplicate': sampleJob({ id: copy, status: 'draft' }),
      'jobs.get': () => {
        throw refuse('job/not-found');
      },
    });
    await choose('Weekend barista', 'Duplicate');
    await press('Edit first');
    await waitFor(() => expect(address()).toBe(`/create-job?job=${copy}`));
  });

  it.each([
    [refuse('job/incomplete', { missing: ['title'] }), 'Finish the job post', `/edit-job/${listed().id}`],
    [refuse('job/open-limit', { limit: 1, dates: 7 }), 'See verification', '/edit-business'],
    [
      refuse('payment/balance-short', { balanceMinor: 0, missingMinor: 5_000, currency: 'EUR' }),
      'Add money',
      '/my-business?add=5000',
    ],
  ])('show what blocks a move, with a link', async (refusal, button, path) => {
    const { api } = open({
      'jobs.listed': page([listed({ status: 'paused', actions: ['reopen'] })]),
      'jobs.reopen': () => {
        throw refusal;
      },
    });
    await choose('Weekend barista', 'Reopen');
    const alert = await screen.findByRole('alertdialog', { name: "The job wasn't reopened" });
    for (const name of ['jobs.get', 'wallet.get', 'businesses.get', 'dashboard.figures'] as const)
      api.on({ [name]: never });
    fireEvent.click(within(alert).getByRole('button', { name: button }));
    await waitFor(() => expect(address()).toBe(path));
    api.faults.length = 0;
  });

  it.each([
    [{ headCount: 2 }, /^Workers can find it and apply\. 2 people will cost you €.* with our fee\.$/],
    [
      { headCount: 1, instantHire: true },
      /^Publishing sets the pay aside and hires the first suitable person at once\. 1 person will cost you €/,
    ],
  ])('asks with the cost before publishing a draft, also while the roster fails: %o', async (terms, cost) => {
    const { api } = open({
      'jobs.listed': page([listed({ status: 'draft', actions: ['publish'] })]),
      'jobs.get': sampleJob({ status: 'draft', ...terms }),
      'jobs.publish': sampleJob(),
      'roster.sameShiftDays': () => {
        throw networkError();
      },
    });
    await choose('Weekend barista', 'Publish');
    const alert = within(await screen.findByRole('alertdialog', { name: 'Publish this job?' }));
    expect(alert.getByText(cost)).toBeTruthy();
    expect(alert.getByRole('button', { name: 'Go back' })).toBeTruthy();
    expect(api.calls('jobs.publish')).toEqual([]);
    fireEvent.click(alert.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(api.calls('jobs.publish')).toHaveLength(1));
  });

  it('distinguish a lost connection from a rejection, and leave the job unchanged', async () => {
    const { api } = open({
      'jobs.pause': () => {
        throw networkError();
      },
    });
    await screen.findByRole('link', { name: 'Weekend barista' });
    // The menu detects a missing network; a network without internet access shows only on a press.
    setOnline(api, false);
    await choose('Weekend barista', 'Pause');
    expect(screen.getByRole('button', { name: /^Pause/ }).getAttribute('aria-disabled')).toBe('true');
    expect(api.calls('jobs.pause')).toHaveLength(0);
    setOnline(api, true);
    fireEvent.click(screen.getByRole('button', { name: /^Pause/ }));
    const alert = await screen.findByRole('alertdialog', { name: "The job wasn't paused" });
    expect(alert.textContent).toMatch(/offline|connection/i);
    expect(screen.getByRole('link', { name: 'Weekend barista' })).toBeTruthy();
  });
});
