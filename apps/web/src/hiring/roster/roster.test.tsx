import type { OfferCandidate } from '@nearhand/contract/hiring/rebook';
import type { RosterShift } from '@nearhand/contract/hiring/roster';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleJob, sampleRosterShift } from '../jobs/jobs.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const shift = sampleRosterShift;
const week = [
  shift(),
  shift({ jobId: id('02'), title: 'Waiter', status: 'draft', headCount: 1, people: [] }),
  shift({
    jobId: id('03'),
    startsAt: '2026-11-28T09:00:00Z',
    endsAt: '2026-11-28T15:00:00Z',
    headCount: 1,
    people: [
      {
        id: id('e3'),
        workerId: id('a1'),
        name: 'Leila Haddad',
        status: 'booked',
        giveaway: null,
        hours: null,
        asksDayOff: false,
      },
    ],
  }),
];
const open = (width: number, path = '/roster', shifts = week) =>
  renderApp(path, {
    session: 'business',
    now: '2026-11-23T10:00:00Z',
    width,
    api: {
      'roster.week': { shifts, more: false },
      'roster.sameShiftDays': { days: [] },
      'interviews.mine': never,
      'engagements.forBusiness': never,
    },
  });

describe('the roster', () => {
  it('leaves the room of a desktop to the week: no bar, and days in few lines', async () => {
    open(1280, '/roster', [shift({ paidMinutes: 330, costMinor: 10_285 })]);
    const tuesday = await screen.findByRole('columnheader', { name: /^Tue.24.Nov/ });
    expect(tuesday.textContent).toContain('€308.5516\u00a0h\u00a030\u00a0min');
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it('links an open spot without applicants to its job', async () => {
    open(1280, '/roster', [shift({ applicants: 0, people: [] })]);
    const spot = await screen.findByRole('link', { name: /0 applied/ });
    expect(spot.getAttribute('href')).toBe(`/job-desc/${id('01')}`);
  });

  it("shows a week by role with workers, gaps and drafts, and each day's cost", async () => {
    const { api } = open(1280);
    const table = await screen.findByRole('table', { name: 'Roster' });
    expect(api.inputs('roster.week')).toMatchObject([{ from: '2026-11-23' }]);
    const barista = within(table).getByRole('row', { name: /^Barista/ });
    expect(within(barista).getByText('1 gap')).toBeTruthy();
    const links = within(barista).getAllByRole('link');
    expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
      [`/tabs/menu/jobs/engagement/${id('e1')}`, '10:00–16:00Leila HaddadConfirmed'],
      [`/job-applicants/${id('01')}?applicant=${id('c1')}`, '10:00–16:00Omar SaidOffered'],
      [`/job-applicants/${id('01')}`, '10:00–16:001 open2 applied'],
      [`/tabs/menu/jobs/engagement/${id('e3')}`, '10:00–16:00Leila HaddadBooked'],
    ]);
    const draft = within(within(table).getByRole('row', { name: /^Waiter/ })).getByRole('link');
    expect(draft.getAttribute('href')).toBe(`/create-job?job=${id('02')}`);
    expect(within(table).getByRole('row', { name: /^Waiter/ }).textContent).toContain('Waiter1 draft');
    expect(within(barista).queryByText('No gaps')).toBeNull();
    expect(within(table).getByRole('columnheader', { name: /^Tue.24.Nov/ }).textContent).toMatch(
      /1 gap1 not answered1 draft$/,
    );
    // Three spots on Tuesday and one on Saturday; the draft costs nothing yet.
    expect(within(table).getByRole('columnheader', { name: /^Tue.24.Nov/ }).textContent).toContain('€326.70');
    expect(within(table).getAllByRole('columnheader')[0]?.textContent).toContain('€435.60');
    fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
    await waitFor(() => expect(api.inputs('roster.week').at(-1)?.from).toBe('2026-11-30'));
  });

  it('shows a row for each worker with hours and cost, and one for open spots, kept in the address', async () => {
    open(1280);
    fireEvent.click(await screen.findByRole('radio', { name: 'By worker' }));
    const table = screen.getByRole('table', { name: 'Roster' });
    const rows = within(table).getAllByRole('rowheader');
    expect(rows.map((row) => row.textContent)).toEqual([
      'Not filled1 gap1 draft',
      'Leila Haddad€217.8011\u00a0h',
      'Omar Said€108.905\u00a0h\u00a030\u00a0min',
    ]);
    const [notFilled, leila] = within(table).getAllByRole('row').slice(1);
    const cardsOf = (row?: HTMLElement) =>
      within(row as HTMLElement)
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(cardsOf(notFilled)).toEqual([
      '10:00–16:00Barista1 open, 2 applied',
      '10:00–16:00Waiter1 person, Draft',
    ]);
    expect(cardsOf(leila)).toEqual(['10:00–16:00BaristaConfirmed', '10:00–16:00BaristaBooked']);
    // The menu of one worker's card is that of the whole shift.
    fireEvent.click(
      within(leila as HTMLElement).getAllByRole('button', { name: /^Actions for/ })[0] as HTMLElement,
    );
    expect(await screen.findByText(/^1 person is asked to agree/)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Offer to people you know/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Next week', hidden: true }));
    expect(location.search).toBe('?week=2026-11-30&rows=worker');
  });

  it('publishes the drafts of a week at once, and names those refused', async () => {
    const draft = (end: string, change: Partial<RosterShift> = {}) =>
      shift({ jobId: id(end), status: 'draft', people: [], ...change });
    const { api } = renderApp('/roster', {
      session: 'business',
      now: '2026-11-23T10:00:00Z',
      width: 1280,
      api: {
        'roster.week': { shifts: [draft('11'), draft('12', { title: 'Waiter' })], more: false },
        'interviews.mine': never,
        'engagements.forBusiness': never,
        'jobs.publish': ({ jobId }) => {
          if (jobId === id('12')) throw refuse('job/starts-in-past');
          return sampleJob({ id: jobId });
        },
      },
    });
    expect((await screen.findAllByText('€653.40 in drafts')).length).toBeGreaterThan(0);
    await press('Publish 2 drafts');
    expect(await screen.findByText(/They cost €653.40 with our fee/)).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /^Only your people/ }));
    await press('Publish');
    expect(await screen.findByText(/^Waiter, Tue.24.Nov: This shift/)).toBeTruthy();
    expect(api.inputs('jobs.publish')).toEqual([
      { jobId: id('11'), alerts: 'colleagues' },
      { jobId: id('12'), alerts: 'colleagues' },
    ]);
  });

  it('publishes the drafts it showed without closing, and lists those left after a lost connection', async () => {
    const drafts = ['11', '12', '13'].map((end) =>
      shift({ jobId: id(end), title: `Shift ${end}`, status: 'draft', people: [] }),
    );
    const { api } = open(1280, '/roster', drafts);
    let goOn: (() => void) | undefined;
    api.on({
      'jobs.publish': async ({ jobId }) => {
        if (jobId === id('12')) throw new TypeError('Failed to fetch');
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        return sampleJob({ id: jobId });
      },
    });
    await press('Publish 3 drafts');
    await press('Publish');
    await waitFor(() => expect(goOn).toBeTruthy());
    api.on({ 'roster.week': { shifts: drafts.slice(1), more: false } });
    await act(() => queryClient.invalidateQueries({ queryKey: apiQuery.roster.key() }));
    await screen.findByRole('button', { name: 'Publish 2 drafts', hidden: true });
    const sheet = screen.getByRole('dialog', { name: 'Publish 3 shifts?' });
    fireEvent(sheet, new Event('cancel', { cancelable: true }));
    fireEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('dialog', { name: 'Publish 3 shifts?' })).toBeTruthy();
    goOn?.();
    const alert = await screen.findByRole('alertdialog', { name: 'Not all were published' });
    expect(alert.textContent).toMatch(/Shift 12, Tue.24.Nov: .*\nShift 13, Tue.24.Nov: Still a draft/);
    expect(api.inputs('jobs.publish').map(({ jobId }) => jobId)).toEqual([id('11'), id('12')]);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Publish 3 shifts?' })).toBeNull());
  });

  it("links to the budget of the week's month, of the branch or the whole business", async () => {
    const { api } = open(1280);
    const ofBusiness = {
      period: 'month' as const,
      from: '2026-11-01',
      kind: 'business' as const,
      branchId: null,
      memberId: null,
      name: '',
      raisedMinor: 0,
    };
    api.on({
      'budgets.list': {
        day: '2026-11-26',
        currency: 'EUR',
        budgets: [{ ...ofBusiness, limitMinor: 410_000, usedMinor: 394_790 }],
        requests: [],
        canChange: true,
      },
    });
    const link = await screen.findByRole('link', { name: '€3,947.90 of €4,100 used in November 2026' });
    expect(link.getAttribute('href')).toMatch(/show=budgets/);
    expect(api.inputs('budgets.list')).toMatchObject([{ day: '2026-11-26' }]);
  });

  it('compares the planned days with a weekly budget, and names the day that goes over', async () => {
    const { api } = open(1280, '/roster?week=2026-11-23', [
      shift({ costMinor: 10_000, headCount: 1 }),
      shift({
        jobId: id('02'),
        costMinor: 10_000,
        headCount: 2,
        startsAt: '2026-11-27T08:00:00Z',
        endsAt: '2026-11-27T16:00:00Z',
      }),
    ]);
    api.on({
      'budgets.list': {
        day: '2026-11-26',
        currency: 'EUR',
        budgets: [
          {
            period: 'week',
            from: '2026-11-23',
            kind: 'business',
            branchId: null,
            memberId: null,
            name: '',
            limitMinor: 25_000,
            raisedMinor: 0,
            usedMinor: 10_000,
          },
        ],
        requests: [],
        canChange: true,
      },
    });
    const link = await screen.findByRole('link', { name: /of €250 planned this week/ });
    expect(link.textContent).toMatch(/€300.*€50 over, from Fri.27.Nov on.*€100 set aside/);
  });

  it('saves the week as PDF with the rows that are chosen', async () => {
    const { api } = open(1280);
    api.on({ 'roster.file': () => Promise.reject(refuse('business/not-allowed')) });
    await press('Save as PDF');
    fireEvent.click(await screen.findByRole('radio', { name: 'By branch' }));
    await press('Save PDF');
    await waitFor(() =>
      expect(api.inputs('roster.file')).toMatchObject([{ from: '2026-11-23', rows: 'branch' }]),
    );
  });

  it('counts neither a paused spot nor an expired shift as a gap, nor the latter as a cost', async () => {
    const late = { startsAt: '2026-11-23T08:00:00Z', endsAt: '2026-11-23T09:00:00Z' };
    open(1280, '/roster', [
      shift({ status: 'paused', headCount: 2, people: [] }),
      shift({ jobId: id('02'), status: 'expired', people: [], ...late }),
    ]);
    expect((await screen.findAllByText('2 paused')).length).toBeGreaterThan(0);
    expect(screen.queryByText(/gap/)).toBeNull();
    expect(screen.getByRole('link', { name: /3 open Not filled/ })).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: /^Mon.23.Nov/ }).textContent).toMatch(/–$/);
  });

  it('is only full once everyone has agreed', async () => {
    const { people } = shift();
    const [booked, offered] = people as [RosterShift['people'][number], RosterShift['people'][number]];
    const leaving = { ...booked, giveaway: { id: id('f1'), status: 'open' as const } };
    open(1280, '/roster', [shift({ headCount: 2, people: [leaving, offered] })]);
    expect((await screen.findAllByText('1 not answered')).length).toBeGreaterThan(0);
    expect(screen.getAllByText('1 to replace').length).toBeGreaterThan(0);
    expect(screen.queryByText('No gaps')).toBeNull();
  });

  it('says who asks for the day off, and leads to the answer', async () => {
    const [booked] = shift().people as [RosterShift['people'][number]];
    open(1280, '/roster', [shift({ headCount: 1, people: [{ ...booked, asksDayOff: true }] })]);
    expect(await screen.findByRole('link', { name: /Leila Haddad Asks for the day off/ })).toBeTruthy();
    expect(screen.getAllByText('1 day off requested').length).toBeGreaterThan(0);
    expect(screen.queryByText('No gaps')).toBeNull();
  });

  it("shows one day at a time on a phone, with each day's gaps", async () => {
    open(390);
    await press(/^Tuesday 24 November.*1 gap.*1 draft/);
    expect(await screen.findByRole('link', { name: /Omar Said/ })).toBeTruthy();
    await press('Wednesday 25 November, no shifts');
    expect(screen.getByText('No shifts on this day.')).toBeTruthy();
  });

  it("tells today's started shifts from past ones on a phone", async () => {
    open(390, '/roster', [shift({ startsAt: '2026-11-23T09:00:00Z', endsAt: '2026-11-23T15:00:00Z' })]);
    expect(await screen.findByRole('button', { name: /^Monday 23 November.*Started/ })).toBeTruthy();
  });

  it('links onwards from an empty week', async () => {
    open(1280, '/roster?week=2026-12-14', []);
    expect(await screen.findByText('No shifts this week')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'This week' })).toBeTruthy();
  });

  it('opens the next week on the last day of one whose shifts are over, unless the address names a week', async () => {
    const past = [shift({ startsAt: '2026-11-29T06:00:00Z', endsAt: '2026-11-29T09:00:00Z' })];
    const sunday = (path: string, shifts = past) =>
      renderApp(path, {
        session: 'business',
        now: '2026-11-29T10:00:00Z',
        width: 1280,
        api: {
          'roster.week': ({ from }) => ({ shifts: from === '2026-11-23' ? shifts : [], more: false }),
          'interviews.mine': never,
          'engagements.forBusiness': never,
        },
      });
    const first = sunday('/roster');
    expect(await screen.findByText('No shifts this week')).toBeTruthy();
    expect(first.api.inputs('roster.week').map(({ from }) => from)).toEqual(['2026-11-23', '2026-11-30']);
    await press('This week');
    expect(await screen.findByRole('table', { name: 'Roster' })).toBeTruthy();
    first.unmount();
    sunday('/roster', [shift({ startsAt: '2026-11-29T09:00:00Z', endsAt: '2026-11-29T15:00:00Z' })]);
    expect(await screen.findByRole('table', { name: 'Roster' })).toBeTruthy();
  });

  it.each(['2026-99-99', 'soon'])('opens this week when the address contains %s', async (week) => {
    const { api } = open(1280, `/roster?week=${week}`);
    await screen.findByRole('table', { name: 'Roster' });
    expect(api.inputs('roster.week')).toMatchObject([{ from: '2026-11-23' }]);
  });
});

describe('the menu of a shift', () => {
  const openMenu = async (width: number) => {
    const rendered = open(width);
    rendered.api.on({
      'jobs.get': sampleJob({ id: id('01') }),
      'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
      'jobs.duplicate': sampleJob({ id: id('09'), status: 'draft' }),
      'jobs.publish': sampleJob({ id: id('09') }),
      'rebook.crew': { jobId: id('09'), offers: [], leftOut: [] },
      'rebook.candidates': [],
    });
    if (width < 1280) await press(/^Tuesday 24 November.*1 gap.*1 draft/);
    await press(/^Actions for Barista.*24.Nov.*10:00–16:00$/);
    await screen.findByRole('dialog', { name: 'Barista' });
    return rendered;
  };

  it.each([390, 1280])('copies it to the same weekday ahead in three clicks, at %i', async (width) => {
    const { api } = await openMenu(width);
    await press(/^Copy to another day/);
    await press('Post shift');
    await waitFor(() =>
      expect(api.inputs('jobs.duplicate')).toEqual([{ jobId: id('01'), day: '2026-12-01' }]),
    );
    await waitFor(() => expect(api.inputs('jobs.publish')).toEqual([{ jobId: id('09') }]));
  });

  it('confirms before copying onto the same shift', async () => {
    const { api } = await openMenu(1280);
    api.on({ 'roster.sameShiftDays': { days: ['2026-12-01'] } });
    await press(/^Copy to another day/);
    await press('Post shift');
    expect(await screen.findByText(/already a Barista shift, 10:00–16:00, on Tue.1.Dec/)).toBeTruthy();
    await press('Change it');
    expect(api.calls('jobs.duplicate')).toHaveLength(0);
    await press('Post shift');
    await press('Post another');
    await waitFor(() => expect(api.calls('jobs.publish')).toHaveLength(1));
  });

  it('rebooks its booked workers in three clicks, without open offers', async () => {
    const { api } = await openMenu(1280);
    await press(/^Book the same crew/);
    const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send 1 offer' });
    await waitFor(() => expect(send.disabled).toBe(false));
    fireEvent.click(send);
    await waitFor(() =>
      expect(api.inputs('rebook.crew')).toMatchObject([{ workerIds: [id('a1')], ifDeclined: 'nobody' }]),
    );
  });

  it('leads to editing a shift that has booked workers', async () => {
    await openMenu(1280);
    expect(screen.getByRole('link', { name: /^Edit/ }).getAttribute('href')).toBe(`/edit-job/${id('01')}`);
  });

  it('pauses or closes a posted shift', async () => {
    const { api } = await openMenu(1280);
    api.on({ 'jobs.pause': sampleJob({ id: id('01'), status: 'paused' }) });
    expect(screen.getByRole('button', { name: /^Close job/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Reopen/ })).toBeNull();
    await press(/^Pause/);
    await waitFor(() => expect(api.inputs('jobs.pause')).toMatchObject([{ jobId: id('01') }]));
  });

  it('continues or deletes a draft', async () => {
    const { api } = open(1280);
    api.on({
      'jobs.get': sampleJob({ id: id('02'), status: 'draft' }),
      'jobs.deleteDraft': { deleted: true },
    });
    await press(/^Actions for Waiter/);
    const menu = within(await screen.findByRole('dialog', { name: 'Waiter' }));
    expect(screen.getByRole('link', { name: /^Continue draft/ }).getAttribute('href')).toBe(
      `/create-job?job=${id('02')}`,
    );
    expect(menu.queryByRole('link', { name: /^Applicants/ })).toBeNull();
    await press(/^Delete draft/);
    await press('Delete draft');
    await waitFor(() => expect(api.inputs('jobs.deleteDraft')).toEqual([{ jobId: id('02') }]));
  });
});

describe('offering a shift to people', () => {
  const person = (end: string, name: string, change: Partial<OfferCandidate> = {}): OfferCandidate => ({
    worker: { workerId: id(end), name, photoPath: null },
    pools: [],
    timesWorked: 0,
    weekMinutes: 0,
    weekHoursMax: null,
    isBooked: false,
    missedAt: null,
    refusal: null,
    match: [],
    ...change,
  });

  it('sorts them by what speaks against it, and sends one offer each for the open spots', async () => {
    const { api } = open(1280, '/roster', [shift({ headCount: 4 })]);
    api.on({
      'rebook.candidates': [
        person('b1', 'Priya', { pools: ['Bar'], timesWorked: 3, weekMinutes: 1080 }),
        person('b2', 'Tomasz'),
        person('b3', 'Kwame', { isBooked: true }),
        person('b4', 'Yusuf', { refusal: 'offered' }),
        person('b5', 'Aisha', { weekMinutes: 600, weekHoursMax: 12 }),
        person('b6', 'Omar', { timesWorked: 2, missedAt: '2026-11-20T08:00:00Z' }),
      ],
      'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
      'rebook.offer': ({ workerId }) => {
        if (workerId === id('b3')) throw refuse('worker/unreachable');
        return sampleOffer();
      },
    });
    await press(/^Actions for Barista/);
    await press(/^Offer to people you know/);
    const yes = within(await screen.findByRole('group', { name: /Can take it/ }));
    expect(yes.getByText(/^worked here 3 times.*18.h with you that week.*Bar$/)).toBeTruthy();
    const no = within(screen.getByRole('group', { name: /Check before you offer/ }));
    expect(no.getByText(/^Booked at that time/)).toBeTruthy();
    expect(no.getByText(/^Would be 16 hours with you that week, and they want 12 at most/)).toBeTruthy();
    expect(no.getByText(/^Didn’t come on/)).toBeTruthy();
    const [kwame, yusuf] = no.getAllByRole<HTMLInputElement>('checkbox');
    expect(yusuf?.disabled).toBe(true);
    fireEvent.click(yes.getByRole('checkbox', { name: /Priya/ }));
    fireEvent.click(kwame as HTMLElement);
    // Two spots are open.
    expect(yes.getByRole<HTMLInputElement>('checkbox', { name: /Tomasz/ }).disabled).toBe(true);
    const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send 2 offers' });
    await waitFor(() => expect(send.disabled).toBe(false));
    fireEvent.click(send);
    expect(await screen.findByText(/^Kwame: /)).toBeTruthy();
    expect(api.inputs('rebook.offer').map(({ workerId }) => workerId)).toEqual([id('b1'), id('b3')]);
  });
});

describe('dragging a person', () => {
  it('says whether they can take the shift, and offers it to them', async () => {
    const { api } = open(1280, '/roster', [shift({ headCount: 4, people: [] }), week[2] as RosterShift]);
    const match = {
      worker: { workerId: id('a1'), name: 'Leila Haddad', photoPath: null },
      pools: [],
      timesWorked: 2,
    };
    api.on({
      'pools.workers': { items: [], nextCursor: null },
      'rebook.candidates': [
        {
          ...match,
          weekHoursMax: null,
          weekMinutes: 2_280,
          isBooked: true,
          missedAt: null,
          refusal: null,
          match: [],
        },
      ],
      'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
    });
    await press('Show people to assign');
    const chip = await screen.findByText('Leila Haddad', { selector: '.roster-person' });
    const cardOf = (end: string) => document.querySelector(`[data-shift="${id(end)}"]`) as HTMLElement;
    const card = cardOf('01');
    document.elementFromPoint = () => cardOf('03');
    fireEvent.pointerDown(chip, { button: 0, pointerType: 'mouse', clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 50, clientY: 50 });
    expect(screen.getByText('Drop on a shift with an open spot to offer it.')).toBeTruthy();
    document.elementFromPoint = () => card;
    fireEvent.pointerMove(document, { clientX: 60, clientY: 60 });
    // The strip of people read them once.
    expect(api.calls('rebook.candidates')).toHaveLength(1);
    expect(
      await screen.findByText(
        /Leila Haddad.*Booked at that time.*Would be 44 of 40 hours with you that week/,
      ),
    ).toBeTruthy();
    expect(card.classList.contains('over')).toBe(true);
    fireEvent.pointerUp(document, { clientX: 60, clientY: 60 });
    const sheet = await screen.findByRole('dialog', { name: 'Offer to people you know' });
    expect(
      (await within(sheet).findByRole<HTMLInputElement>('checkbox', { name: /Leila Haddad/ })).checked,
    ).toBe(true);
  });

  it('says why nobody is chosen for someone the shift can’t be offered to', async () => {
    const { api } = open(1280, '/roster', [shift({ headCount: 4, people: [] }), week[2] as RosterShift]);
    api.on({ 'pools.workers': { items: [], nextCursor: null }, 'rebook.candidates': [] });
    await press('Show people to assign');
    const chip = await screen.findByText('Leila Haddad', { selector: '.roster-person' });
    document.elementFromPoint = () => document.querySelector(`[data-shift="${id('01')}"]`);
    fireEvent.pointerDown(chip, { button: 0, pointerType: 'mouse', clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 60, clientY: 60 });
    fireEvent.pointerUp(document, { clientX: 60, clientY: 60 });
    const sheet = within(await screen.findByRole('dialog', { name: 'Offer to people you know' }));
    expect(await sheet.findByText(/^Leila Haddad isn’t among the people/)).toBeTruthy();
  });
});

describe('moving a shift', () => {
  const late = {
    title: 'Porter',
    people: [],
    startsAt: '2026-11-25T17:00:00Z',
    endsAt: '2026-11-25T23:30:00Z',
  };
  const openMoves = (shifts: RosterShift[]) => {
    const rendered = open(1280, '/roster', shifts);
    rendered.api.on({
      'jobs.get': sampleJob({ id: id('01'), version: 4 }),
      'jobs.update': sampleJob({ id: id('01'), version: 5 }),
      'roster.copy': { copies: [{ jobId: id('09'), status: 'open', offers: 0 }], leftOut: [] },
      'jobs.close': sampleJob({ id: id('09'), status: 'closed' }),
    });
    return rendered;
  };
  const dragTo = async (day: string, { altKey = false } = {}) => {
    const card = (await screen.findAllByRole('link', { name: /10:00|18:00/ }))[0] as HTMLElement;
    document.elementFromPoint = () => document.querySelector(`[data-drop="${day}"]`);
    fireEvent.pointerDown(card, { button: 0, pointerType: 'mouse', clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 200, clientY: 40, altKey });
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40, altKey });
  };
  const friday = { startsAt: '2026-11-27T17:00:00.000Z', endsAt: '2026-11-27T23:30:00.000Z' };

  it('moves one by dragging it to another day, and undoes it', async () => {
    const { api } = openMoves([shift(late)]);
    await dragTo('2026-11-27');
    expect(await screen.findByText(/^Porter moved to Fri.27.Nov, 18:00–00:30$/)).toBeTruthy();
    await press('Undo');
    await waitFor(() =>
      expect(api.inputs('jobs.update')).toEqual([
        { jobId: id('01'), version: 4, ...friday },
        { jobId: id('01'), version: 5, startsAt: late.startsAt, endsAt: late.endsAt },
      ]),
    );
  });

  it('asks before booked people are asked to agree, and sends nothing without a yes', async () => {
    const { api } = openMoves([shift()]);
    await dragTo('2026-11-27');
    const text = await screen.findByText(/^1 person is asked to agree.*1 open offer is replaced/);
    expect(text).toBeTruthy();
    await press('Don’t move');
    expect(api.calls('jobs.update')).toHaveLength(0);
    await dragTo('2026-11-27');
    await press('Move and ask');
    expect(await screen.findByText(/keep the old time until they agree/)).toBeTruthy();
    expect(api.calls('jobs.update')).toHaveLength(1);
  });

  it('refuses a past day, and a shift that has started', async () => {
    const { api } = openMoves([shift({ ...late, startsAt: '2026-11-23T09:00:00Z' })]);
    await dragTo('2026-11-27');
    expect(await screen.findByText(/can’t be moved any more/)).toBeTruthy();
    cleanup();
    const ahead = openMoves([shift({ startsAt: '2026-11-25T09:00:00Z', endsAt: '2026-11-25T15:00:00Z' })]);
    await dragTo('2026-11-23');
    expect(await screen.findByText('This is in the past. Choose a later time.')).toBeTruthy();
    for (const server of [api, ahead.api]) expect(server.calls('jobs.update')).toHaveLength(0);
  });

  it('copies with Alt, and undoes it', async () => {
    const { api } = openMoves([shift(late)]);
    await dragTo('2026-11-24', { altKey: true });
    await press('Undo');
    expect(api.inputs('roster.copy')).toMatchObject([{ jobIds: [id('01')], days: -1, asDrafts: false }]);
    await waitFor(() => expect(api.inputs('jobs.close')).toEqual([{ jobId: id('09') }]));
  });

  it.each([390, 1280])('moves one from the menu, to other hours too, at %i', async (width) => {
    const { api } = open(width, '/roster', [shift({ ...late, status: 'draft' })]);
    api.on({ 'jobs.get': sampleJob({ version: 4 }), 'jobs.update': sampleJob({ version: 5 }) });
    if (width < 1280) await press(/^Wednesday 25 November/);
    await press(/^Actions for Porter/);
    await press(/^Move to another day/);
    const sheet = within(await screen.findByRole('dialog', { name: 'Move to another day' }));
    fireEvent.change(sheet.getByLabelText('Day'), { target: { value: '2026-11-22' } });
    await press('Move shift');
    expect(await sheet.findByText('This is in the past. Choose a later time.')).toBeTruthy();
    fireEvent.change(sheet.getByLabelText('Day'), { target: { value: '2026-11-27' } });
    fireEvent.change(sheet.getByLabelText('From'), { target: { value: '19:00' } });
    await press('Move shift');
    await waitFor(() =>
      expect(api.inputs('jobs.update')).toEqual([
        { jobId: id('01'), version: 4, startsAt: '2026-11-27T18:00:00.000Z', endsAt: friday.endsAt },
      ]),
    );
  });
});

describe('adding a shift', () => {
  const times = { startsAt: '2026-11-24T09:00:00Z', endsAt: '2026-11-24T15:00:00Z' };
  const like = sampleJob({
    id: id('03'),
    title: 'Barista',
    timeZone: 'Europe/Amsterdam',
    headCount: 1,
    ...times,
  });
  const openAdd = async (width: number, shifts = week) => {
    const rendered = open(width, '/roster', shifts);
    rendered.api.on({ 'jobs.get': like, 'jobTemplates.list': [], 'roster.add': sampleJob() });
    return rendered;
  };

  it('posts one like the row from an empty cell, on its day', async () => {
    const { api } = await openAdd(1280);
    await press('Add Barista on Wednesday 25 November');
    const sheet = await screen.findByRole('dialog', { name: 'Add shift' });
    expect((await within(sheet).findByLabelText<HTMLInputElement>('Day')).value).toBe('2026-11-25');
    await press('Post shift');
    await waitFor(() =>
      expect(api.inputs('roster.add')).toEqual([
        {
          jobId: id('03'),
          startsAt: '2026-11-25T09:00:00.000Z',
          endsAt: '2026-11-25T15:00:00.000Z',
          headCount: 1,
          asDraft: false,
        },
      ]),
    );
    expect(await screen.findByText(/published · Wed.25.Nov/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Add Barista on Tuesday/ })).toBeNull();
  });

  it('confirms before posting the same shift on a day that has it', async () => {
    const { api } = await openAdd(1280, [shift()]);
    api.on({
      'jobs.get': sampleJob({ id: id('01'), title: 'Barista', timeZone: 'Europe/Amsterdam', ...times }),
      'roster.sameShiftDays': { days: ['2026-11-24'] },
    });
    await press('Add Barista on Wednesday 25 November');
    const day = await screen.findByLabelText<HTMLInputElement>('Day');
    fireEvent.change(day, { target: { value: '2026-11-24' } });
    await press('Post shift');
    expect(await screen.findByText(/already a Barista shift, 10:00–16:00, on Tue.24.Nov/)).toBeTruthy();
    expect(api.calls('roster.add')).toHaveLength(0);
    await press('Publish as it is');
    await waitFor(() => expect(api.calls('roster.add')).toHaveLength(1));
  });

  it('begins soon on the pressed day when its hours have begun', async () => {
    const { api } = await openAdd(1280);
    await press('Add Barista on Monday 23 November');
    expect((await screen.findByLabelText<HTMLInputElement>('Day')).value).toBe('2026-11-23');
    expect(screen.queryByText('This is in the past. Choose a later time.')).toBeNull();
    await press('Post shift');
    await waitFor(() =>
      expect(api.inputs('roster.add')).toMatchObject([
        { startsAt: '2026-11-23T10:15:00.000Z', endsAt: '2026-11-23T16:15:00.000Z' },
      ]),
    );
  });

  it("lists each kind of the week's shifts once, and a new one with the day", async () => {
    await openAdd(390);
    await press('Wednesday 25 November, no shifts');
    await press('Add shift');
    const sheet = await screen.findByRole('dialog', { name: 'Add shift' });
    expect(await within(sheet).findByText('Planned this week')).toBeTruthy();
    expect(within(sheet).getAllByRole('button', { name: /Barista|Waiter/ })).toHaveLength(2);
    const fresh = within(sheet).getByRole('link', { name: /New kind of shift/ });
    expect(fresh.getAttribute('href')).toBe('/create-job?day=2026-11-25');
  });

  it("lists the previous week's shifts in an empty week", async () => {
    const { api } = await openAdd(1280, []);
    api.on({ 'roster.week': ({ from }) => ({ shifts: from === '2026-11-16' ? week : [], more: false }) });
    await screen.findByText('No shifts this week');
    fireEvent.click(screen.getAllByRole('button', { name: 'Add shift' })[0] as HTMLElement);
    expect(await screen.findByText('Planned the week before')).toBeTruthy();
  });
});

describe('copying last week', () => {
  const last = [
    shift({ startsAt: '2026-11-17T09:00:00Z', endsAt: '2026-11-17T15:00:00Z' }),
    shift({
      jobId: id('05'),
      title: 'Porter',
      headCount: 2,
      people: (['no_show_reported', 'contested'] as const).map((status) => ({
        id: id('e5'),
        workerId: id('a5'),
        name: 'Tim',
        status,
        giveaway: null,
        hours: null,
        asksDayOff: false,
      })),
      startsAt: '2026-11-19T17:00:00Z',
      endsAt: '2026-11-19T21:00:00Z',
    }),
    shift({ jobId: id('06'), title: 'Night', instantHire: true, startsAt: '2026-11-20T22:00:00Z' }),
    shift({ jobId: id('07'), title: 'Monday', startsAt: '2026-11-16T07:00:00Z' }),
    shift({ jobId: id('08'), title: 'Idea', status: 'draft' }),
  ];
  const openCopy = async (copy: Handlers = {}) => {
    const rendered = open(1280);
    rendered.api.on({
      'roster.week': ({ from }) => ({ shifts: from === '2026-11-16' ? last : week, more: false }),
      ...copy,
    });
    await screen.findByRole('table', { name: 'Roster' });
    await press('Copy last week');
    return { ...rendered, sheet: await screen.findByRole('dialog', { name: 'Copy last week' }) };
  };

  it('previews every date, the conflicts and the cost, and posts the selection', async () => {
    const { api, sheet } = await openCopy({
      'roster.copy': ({ jobIds }) => ({
        copies: jobIds.map((jobId) => ({ jobId, status: 'open', offers: 0 })),
        leftOut: [],
      }),
    });
    const boxes = await within(sheet).findAllByRole<HTMLInputElement>('checkbox');
    expect(
      boxes.slice(0, 4).map((box) => [box.closest('label')?.textContent, box.checked, box.disabled]),
    ).toMatchObject([
      [expect.stringContaining('BaristaAlready planned'), false, false],
      [expect.stringContaining('18:00–22:00 Porter2 people'), true, false],
      [expect.stringContaining('NightInstant hire, to be posted on its own, 3 people'), false, true],
      [expect.stringContaining('MondayIn the past'), false, true],
    ]);
    expect(within(sheet).getByText('Thursday 26 November')).toBeTruthy();
    expect(sheet.textContent).toContain('Cost with our fee€217.80');
    fireEvent.click(boxes[0] as HTMLInputElement);
    await press('Post 2 shifts');
    await waitFor(() =>
      expect(api.inputs('roster.copy')).toEqual([
        {
          businessId: expect.any(String),
          jobIds: [id('01'), id('05')],
          days: 7,
          asDrafts: false,
          withPeople: false,
        },
      ]),
    );
    expect(await screen.findByText('2 shifts posted')).toBeTruthy();
  });

  it('offers the shifts to the people booked on them', async () => {
    const { api, sheet } = await openCopy({
      'roster.copy': ({ jobIds }) => ({
        copies: jobIds.map((jobId) => ({ jobId, status: 'in_review', offers: 0 })),
        leftOut: [{ workerId: id('a1'), code: 'worker/unreachable' }],
      }),
    });
    fireEvent.click(await within(sheet).findByLabelText(/^Offer them to the same people/));
    expect(within(sheet).getAllByText(/Leila Haddad/)).not.toEqual([]);
    for (const box of within(sheet).getAllByRole<HTMLInputElement>('checkbox', { checked: false }))
      if (!box.disabled) fireEvent.click(box);
    fireEvent.click(within(sheet).getByRole('radio', { name: /^Keep it paused/ }));
    await press('Post and send 1 offer');
    await waitFor(() =>
      expect(api.inputs('roster.copy')).toMatchObject([
        { jobIds: [id('01'), id('05')], withPeople: true, asDrafts: false, ifDeclined: 'nobody' },
      ]),
    );
    const news =
      /^2 shifts posted.*0 offers sent\. We're checking 2 .* No offers were sent .* You can't contact Leila Haddad\.$/;
    expect(await screen.findByText(news)).toBeTruthy();
  });

  it('shows why it is rejected, and copies nothing', async () => {
    const { sheet } = await openCopy({
      'roster.copy': () => {
        throw refuse('branch/closed');
      },
    });
    await within(sheet).findByText('Thursday 26 November');
    await press('Save as drafts');
    expect(await within(sheet).findByText(/This branch is closed/)).toBeTruthy();
  });
});
