import type { RosterShift } from '@nearhand/contract/hiring/roster';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { never } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const shift = (change: Partial<RosterShift> = {}): RosterShift => ({
  jobId: id('01'),
  title: 'Barista',
  status: 'open',
  branch: null,
  startsAt: '2026-11-24T09:00:00Z',
  endsAt: '2026-11-24T15:00:00Z',
  timeZone: 'Europe/Amsterdam',
  headCount: 3,
  applicants: 2,
  currency: 'EUR',
  paidMinutes: 330,
  costMinor: 10_890,
  people: [
    { id: id('e1'), workerId: id('a1'), name: 'Leila Haddad', status: 'confirmed' },
    { id: id('c1'), workerId: id('a2'), name: 'Omar Said', status: 'offered' },
  ],
  ...change,
});
const week = [
  shift(),
  shift({ jobId: id('02'), title: 'Waiter', status: 'draft', headCount: 1, people: [] }),
  shift({
    jobId: id('03'),
    startsAt: '2026-11-28T09:00:00Z',
    endsAt: '2026-11-28T15:00:00Z',
    headCount: 1,
    people: [{ id: id('e3'), workerId: id('a1'), name: 'Leila Haddad', status: 'booked' }],
  }),
];
const open = (width: number, path = '/roster', shifts = week) =>
  renderApp(path, {
    session: 'merchant',
    now: '2026-11-23T10:00:00Z',
    width,
    api: {
      'roster.week': { shifts, more: false },
      'interviews.mine': never,
      'engagements.forBusiness': never,
    },
  });

describe('the roster', () => {
  it('shows a week by role with people, gaps and drafts, and what each day costs', async () => {
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
    // Three spots on Tuesday and one on Saturday; the draft costs nothing yet.
    expect(within(table).getByRole('columnheader', { name: /^Tue.24.Nov/ }).textContent).toContain('€326.70');
    expect(within(table).getAllByRole('columnheader')[0]?.textContent).toContain('€435.60');
    fireEvent.click(screen.getByRole('button', { name: 'Next week' }));
    await waitFor(() => expect(api.inputs('roster.week').at(-1)?.from).toBe('2026-11-30'));
  });

  it('shows one day at a time on a phone, with the gaps of each', async () => {
    open(390);
    await press('Tuesday 24 November, 1 gap');
    expect(await screen.findByRole('link', { name: /Omar Said/ })).toBeTruthy();
    await press('Wednesday 25 November, 0 gaps');
    expect(screen.getByText('No shifts on this day.')).toBeTruthy();
  });

  it('leads on from an empty week', async () => {
    open(1280, '/roster?week=2026-12-14', []);
    expect(await screen.findByText('No shifts this week')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'This week' })).toBeTruthy();
  });

  it.each(['2026-99-99', 'soon'])('opens at this week when the address asks for %s', async (week) => {
    const { api } = open(1280, `/roster?week=${week}`);
    await screen.findByRole('table', { name: 'Roster' });
    expect(api.inputs('roster.week')).toMatchObject([{ from: '2026-11-23' }]);
  });
});
