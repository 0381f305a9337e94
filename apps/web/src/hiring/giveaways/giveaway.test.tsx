import type { Giveaway } from '@nearhand/contract/hiring/giveaways';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleEngagement } from '../../work/engagements/engagements.fixtures.ts';

const id = (n: number) => `01900000-0000-7000-8000-0000000000${n}`;
const giveaway = (change: Partial<Giveaway> = {}): Giveaway => ({
  id: id(11),
  version: 2,
  status: 'open',
  audience: 'colleagues',
  needsApproval: true,
  side: 'taker',
  jobId: id(12),
  business: { id: id(13), name: 'Kopi and Crumb' },
  title: 'Evening service',
  area: 'Haarlem',
  startsAt: '2026-11-25T16:00:00Z',
  endsAt: '2026-11-25T21:00:00Z',
  timeZone: 'Europe/Amsterdam',
  breakMinutes: 30,
  paidMinutes: 270,
  workerGetsMinor: 7_650,
  currency: 'EUR',
  minimumMinutes: 240,
  confirmBy: '2026-11-25T00:00:00Z',
  colleague: null,
  swap: null,
  giver: null,
  taker: null,
  engagementId: null,
  actions: ['take'],
  createdAt: '2026-11-21T08:00:00Z',
  ...change,
});
const open = (path: string, api: Handlers, session: 'worker' | 'business' = 'worker') =>
  renderApp(path, { session, now: '2026-11-21T10:00:00Z', api });

describe('a shift that is given away', () => {
  it('is taken by a colleague, who then waits for the business', async () => {
    let current = giveaway();
    open(`/giveaway?id=${id(11)}`, {
      'giveaways.get': () => current,
      'giveaways.take': () => {
        current = giveaway({ status: 'waiting', actions: ['step-back'] });
        return current;
      },
      'calendar.conflicts': [
        {
          kind: 'week',
          startsAt: '2026-11-22T23:00:00Z',
          endsAt: '2026-11-29T23:00:00Z',
          minutes: 990,
          hoursMax: 12,
        },
      ],
    });
    expect(await screen.findByText(/Take it, and Kopi and Crumb decides/)).toBeTruthy();
    expect(screen.getByText('€76.50')).toBeTruthy();
    expect(screen.getByText(/^Confirm by Wed 25 Nov, 01:00/)).toBeTruthy();
    expect(screen.getByText('At least 4 h paid if they send you home')).toBeTruthy();
    expect(await screen.findByText(/^The week of Mon.* would be 16.h 30.min\. You want 12/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Take shift' }));
    expect(await screen.findByRole('button', { name: 'Step back' })).toBeTruthy();
    expect(screen.getByText("It's yours once Kopi and Crumb agrees.")).toBeTruthy();
  });

  it('is approved by the business, which sees both names', async () => {
    const { api } = open(
      `/giveaway?id=${id(11)}`,
      {
        'giveaways.get': giveaway({
          status: 'waiting',
          side: 'business',
          giver: { id: id(14), name: 'Leila Haddad' },
          taker: { id: id(15), name: 'Noor Bakker' },
          actions: ['approve', 'refuse'],
        }),
        'giveaways.approve': () => {
          throw refuse('giveaway/not-eligible');
        },
      },
      'business',
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Agree and book Noor Bakker' }));
    expect(await screen.findByText(/This shift can't be taken/)).toBeTruthy();
    await waitFor(() => expect(api.calls('giveaways.get')).toHaveLength(2));
    expect(screen.getByRole('button', { name: 'Keep Leila Haddad booked' })).toBeTruthy();
    expect(api.calls('giveaways.approve').map(({ input }) => input)).toEqual([
      { giveawayId: id(11), version: 2 },
    ]);
  });

  it('is hidden from ineligible colleagues', async () => {
    open(`/giveaway?id=${id(11)}`, {
      'giveaways.get': () => {
        throw refuse('giveaway/not-found');
      },
    });
    expect(await screen.findByText("This shift isn't open to you")).toBeTruthy();
  });
});

describe('the ways out of a shift', () => {
  const work = sampleEngagement({ id: id(16), status: 'booked', actions: ['cancel'] });
  const ways = (options: { mode: 'off' | 'approval' | 'free'; colleagues: number; waiting: number }) =>
    open(`/giveaway?work=${work.id}`, {
      'engagements.get': work,
      'giveaways.options': { ...options, named: [], giveaway: null },
      'giveaways.offer': giveaway({ side: 'giver', actions: ['withdraw'] }),
      'giveaways.get': giveaway({ side: 'giver', actions: ['withdraw'] }),
    });

  it('offers it to colleagues and opens the giveaway', async () => {
    const { api } = ways({ mode: 'approval', colleagues: 3, waiting: 1 });
    expect(await screen.findByText('3 people could take it.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Release to waitlist' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Offer to colleagues' }));
    await waitFor(() => expect(address()).toBe(`/giveaway?id=${id(11)}`));
    expect(api.calls('giveaways.offer')[0]?.input).toMatchObject({
      audience: 'colleagues',
    });
    expect(await screen.findByRole('button', { name: 'Keep my shift' })).toBeTruthy();
  });

  it('include cancelling when the others fail to load', async () => {
    open(`/giveaway?work=${work.id}`, {
      'engagements.get': work,
      'giveaways.options': () => {
        throw refuse('request/unavailable');
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel booking' }));
    expect(await screen.findByText('Cancel this job?')).toBeTruthy();
  });

  it('show that the business rejected before', async () => {
    open(`/giveaway?work=${work.id}`, {
      'engagements.get': work,
      'giveaways.options': {
        mode: 'approval',
        colleagues: 1,
        waiting: 0,
        named: [],
        giveaway: giveaway({ side: 'giver', status: 'refused', actions: [] }),
      },
    });
    expect(await screen.findByText('Kopi and Crumb keeps the shift as it was booked.')).toBeTruthy();
  });

  it('contain only cancelling when the branch requires it', async () => {
    ways({ mode: 'off', colleagues: 3, waiting: 1 });
    expect(await screen.findByText(/doesn't let workers give away their shifts/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Offer to colleagues' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel booking' }));
    expect(await screen.findByText('Cancel this job?')).toBeTruthy();
  });
});

describe('a shift for one colleague', () => {
  const swap = {
    engagementId: id(21),
    title: 'Morning bar',
    area: 'Haarlem',
    startsAt: '2026-11-27T08:00:00Z',
    endsAt: '2026-11-27T12:00:00Z',
    timeZone: 'Europe/Amsterdam',
    workerGetsMinor: 6_000,
    currency: 'EUR',
  } as const;

  it('is offered to the chosen one, alone or in exchange for a shift of theirs', async () => {
    const work = sampleEngagement({ id: id(16), status: 'booked', actions: ['cancel'] });
    const offered = giveaway({
      audience: 'colleague',
      side: 'giver',
      colleague: 'Noor B.',
      swap,
      actions: ['withdraw'],
    });
    const { api } = open(`/giveaway?work=${work.id}`, {
      'engagements.get': work,
      'giveaways.options': {
        mode: 'approval',
        colleagues: 2,
        waiting: 0,
        named: [{ workerId: id(22), name: 'Noor B.', shifts: [swap] }],
        giveaway: null,
      },
      'giveaways.offer': offered,
      'giveaways.get': offered,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Choose a colleague' }));
    expect(await screen.findByRole('button', { name: 'Offer it to Noor B.' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Swap for Morning bar/ }));
    await waitFor(() => expect(address()).toBe(`/giveaway?id=${id(11)}`));
    expect(api.calls('giveaways.offer')[0]?.input).toEqual({
      engagementId: work.id,
      audience: 'colleague',
      colleagueId: id(22),
      swapEngagementId: swap.engagementId,
    });
    expect(await screen.findByText(/You get this shift/)).toBeTruthy();
  });

  it('can be declined by the one who was asked', async () => {
    let current = giveaway({
      audience: 'colleague',
      colleague: 'Leila H.',
      swap,
      actions: ['take', 'decline'],
    });
    open(`/giveaway?id=${id(11)}`, {
      'giveaways.get': () => current,
      'giveaways.withdraw': () => {
        current = giveaway({
          audience: 'colleague',
          colleague: 'Leila H.',
          swap,
          status: 'refused',
          actions: [],
        });
        return current;
      },
    });
    expect(await screen.findByText(/You give this shift/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Swap shifts' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText('The shift stays as it was booked.')).toBeTruthy();
  });
});
