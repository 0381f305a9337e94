import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import type { Invitation } from '@nearhand/contract/hiring/invitations';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleWorkToReview } from '../../trust/reviews/reviews.fixtures.ts';
import { sampleEngagement, sampleTerms, sampleWork } from '../../work/engagements/engagements.fixtures.ts';
import { sampleApplication } from '../applications/applications.fixtures.ts';
import { queueApplication } from '../applications/outbox.api.ts';
import { sampleInterview } from '../interviews/interviews.fixtures.ts';
import { sampleCard } from '../jobs/jobs.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const none = { items: [], nextCursor: null };
const pageOf = <Item,>(...items: Item[]) => ({ items, nextCursor: null });
const invitation = (change: Partial<Invitation> = {}): Invitation => ({
  id: id('d9'),
  status: 'sent',
  message: 'We liked your last shift.',
  at: '2026-11-20T09:00:00Z',
  job: sampleCard({ id: id('09'), title: 'Terrace waiter' }),
  ...change,
});
const booked = sampleWork({
  terms: sampleTerms({ startsAt: '2026-11-28T07:00:00Z', endsAt: '2026-11-28T13:00:00Z' }),
});

const nothing: Handlers = {
  'engagements.mine': none,
  'applications.mine': none,
  'offers.mine': none,
  'invitations.mine': none,
  'notifications.list': { ...none, unread: 0 },
};

function open(api: Handlers = {}, options: { path?: string; width?: number; now?: string } = {}) {
  return renderApp(options.path ?? '/tabs/menu/my-work', {
    session: 'worker',
    now: options.now ?? '2026-11-21T10:00:00Z',
    width: options.width || undefined,
    api: {
      ...nothing,
      ...api,
    },
  });
}
const section = async (name: string) => {
  const heading = await screen.findByRole('heading', { name });
  return heading.closest('section') as HTMLElement;
};

describe('my work', () => {
  it('explains itself to guests, and shows unverified users what is missing', async () => {
    const guest = renderApp('/tabs/menu/my-work');
    const login = await screen.findByRole('link', { name: 'Log in' });
    expect(login.getAttribute('href')).toBe('/login?next=%2Ftabs%2Fmenu%2Fmy-work');
    guest.unmount();
    renderApp('/tabs/menu/my-work', { session: 'unverified' });
    expect(await screen.findByText('Verify your email first')).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('starts with applications when nothing is booked, and links to jobs when there are none', async () => {
    open();
    expect(await screen.findByRole('radio', { name: 'Applications', checked: true })).toBeTruthy();
    expect(await screen.findByText('No active applications')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find work nearby' }).getAttribute('href')).toBe(
      '/tabs/menu/explore',
    );
  });

  it("has its second column on a desktop before the first response, so the list doesn't shift", async () => {
    open({ 'engagements.mine': never, 'applications.mine': never }, { width: 1280 });
    expect(await screen.findByRole('complementary', { name: 'Details' })).toBeTruthy();
  });

  it('starts with booked work, pay first', async () => {
    open({ 'engagements.mine': ({ group }) => (group === 'live' ? pageOf(booked) : none) });
    const link = await screen.findByRole('link', { name: 'Weekend barista' });
    const card = link.closest('article') as HTMLElement;
    expect(card.textContent).toMatch(/^€108not secured yet/);
    expect(screen.getByRole('radio', { name: 'Booked', checked: true })).toBeTruthy();
  });

  it('shows an application with its deadline, except those that became booked work', async () => {
    open({
      'applications.mine': pageOf(
        sampleApplication({ status: 'viewed' }),
        sampleApplication({ id: id('c2'), status: 'hired' }),
      ),
    });
    expect(await screen.findByText(/They'll reply by .*3 Dec/)).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('shows applications for shifts of a series as one, by date, with one reply deadline', async () => {
    const { job } = sampleApplication();
    const seriesId = job.id;
    const shift = (day: string) =>
      sampleApplication({
        id: id(day),
        decideBy: '2026-12-07T14:00:00Z',
        job: {
          ...job,
          id: id(`${Number(day) + 20}`),
          seriesId,
          startsAt: `2026-12-${day}T14:00:00Z`,
          endsAt: `2026-12-${day}T22:00:00Z`,
        },
      });
    open({
      'applications.mine': pageOf(shift('11'), shift('09'), shift('07'), sampleApplication()),
    });
    const [card, ...others] = await screen.findAllByRole('article');
    expect(others).toHaveLength(1);
    const text = card?.textContent ?? '';
    expect(text).toMatch(/^€408for 3 shifts.*7\sDec.*9\sDec.*11\sDec.*They'll reply by .*7\sDec.*$/);
    expect(text.match(/Amsterdam time/g)).toHaveLength(2);
    const link = within(card as HTMLElement).getByRole('link', { name: 'Front desk, evenings' });
    expect(link.getAttribute('href')).toBe(`/tabs/menu/my-work/${id('07')}`);
  });

  it('fails and reloads one list only', async () => {
    const { api } = open({
      'engagements.mine': pageOf(booked),
      'applications.mine': () => {
        throw refuse('request/internal');
      },
    });
    await screen.findByRole('link', { name: 'Weekend barista' });
    fireEvent.click(screen.getByRole('radio', { name: 'Applications' }));
    expect(await screen.findByText("We couldn't load your applications")).toBeTruthy();
    api.on({ 'applications.mine': pageOf(sampleApplication()) });
    const before = api.calls('engagements.mine').length;
    await press('Try again');
    expect(await screen.findByRole('link', { name: 'Front desk, evenings' })).toBeTruthy();
    expect(api.calls('engagements.mine')).toHaveLength(before);
  });

  it('stays readable without a network, with its age', async () => {
    const { api } = open({ 'engagements.mine': pageOf(booked) });
    await screen.findByRole('link', { name: 'Weekend barista' });
    setOnline(api, false);
    vi.setSystemTime('2026-11-21T10:20:00Z');
    signal({ kind: 'record', record: 'engagement', id: booked.id });
    expect(await screen.findByText(/Last updated: 20 min/)).toBeTruthy();
    expect(screen.getByText(/You can still check in and out/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Weekend barista' })).toBeTruthy();
  });

  it('moves a shift from the list to its check-in card a day ahead, while the page stays open', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'setInterval', 'clearInterval'],
      now: new Date('2026-11-27T06:59:50Z'),
    });
    const { api } = renderApp('/tabs/menu/my-work', {
      session: 'worker',
      api: { ...nothing, 'engagements.mine': ({ group }) => (group === 'live' ? pageOf(booked) : none) },
    });
    const link = await screen.findByRole('link', { name: 'Weekend barista' });
    expect(screen.queryByRole('link', { name: 'Open job' })).toBeNull();
    // Nothing is fetched offline, so only the clock renders the page again.
    setOnline(api, false);
    act(() => void vi.advanceTimersByTime(15_000));
    const part = await section('Tomorrow');
    expect(within(part).getByRole('link', { name: 'Open job' })).toBeTruthy();
    expect(screen.getByText('Nothing else is booked.')).toBeTruthy();
    expect(link.isConnected).toBe(false);
  });

  it('opens beside the list on a desktop', async () => {
    open(
      {
        'engagements.mine': pageOf(
          booked,
          sampleWork({
            ...booked,
            id: id('e2'),
            terms: sampleTerms({ ...booked.terms, title: 'Late barista' }),
          }),
        ),
        'engagements.get': ({ engagementId }) =>
          sampleEngagement({
            ...booked,
            id: engagementId,
            terms: sampleTerms({
              ...booked.terms,
              title: engagementId === booked.id ? 'Weekend barista' : 'Late barista',
            }),
          }),
        'reliability.ofBusiness': never,
      },
      { width: 1280 },
    );
    fireEvent.click(await screen.findByRole('link', { name: 'Late barista' }));
    const aside = await screen.findByRole('complementary', { name: 'Details' });
    expect(await within(aside).findByText(/^Late barista/)).toBeTruthy();
    expect(address()).toBe('/tabs/menu/my-work');
    expect(screen.getByRole('link', { name: 'Late barista', current: true })).toBeTruthy();
  });
});

describe('what needs attention', () => {
  it('is empty when nothing is pending', async () => {
    open();
    await screen.findByText('No active applications');
    expect(screen.queryByRole('heading', { name: 'Needs your attention' })).toBeNull();
  });

  it('shows offers first, with the remaining time, then invitations', async () => {
    open({
      'offers.mine': pageOf(sampleOffer({ expiresAt: '2026-11-21T15:30:00Z' })),
      'invitations.mine': pageOf(invitation(), invitation({ id: id('d8'), status: 'declined' })),
    });
    const part = await section('Needs your attention');
    await within(part).findByText('Kopi & Crumb invited you to apply');
    const cards = within(part).getAllByRole('article');
    expect(cards).toHaveLength(2);
    expect(cards[0]?.textContent).toMatch(/Offer: €108 from Kopi & Crumb.*5 h/);
  });

  it('leads with an interview that begins soon, and joins its call', async () => {
    const soon = {
      id: id('b1'),
      status: 'scheduled' as const,
      mode: 'video' as const,
      startsAt: '2026-11-21T10:06:00Z',
      answerBy: null,
      awaits: null,
    };
    open({
      'applications.mine': pageOf(sampleApplication({ interview: soon })),
      'interviews.get': sampleInterview({ id: id('b1'), mode: 'video', where: 'https://meet.example/x' }),
    });
    const part = await section('Your interview');
    expect(within(part).getByRole('heading', { name: /^Interview in 6\smin$/ })).toBeTruthy();
    const join = await within(part).findByRole('link', { name: 'Join the call' });
    expect(join.getAttribute('href')).toBe('https://meet.example/x');
    expect(screen.queryByRole('heading', { name: 'Upcoming interviews' })).toBeNull();
  });

  it('offers no call of an interview that is over', async () => {
    const times = { startsAt: '2026-11-21T09:20:00Z', endsAt: '2026-11-21T09:50:00Z' };
    const { api } = open({
      'applications.mine': pageOf(
        sampleApplication({
          interview: {
            id: id('b1'),
            status: 'scheduled',
            mode: 'video',
            startsAt: times.startsAt,
            answerBy: null,
            awaits: null,
          },
        }),
      ),
      'interviews.get': sampleInterview({ id: id('b1'), ...times }),
    });
    const part = await section('Your interview');
    expect(within(part).getByRole('heading', { name: /^Interview started 40\smin ago$/ })).toBeTruthy();
    await waitFor(() => expect(api.calls('interviews.get')).toHaveLength(1));
    await waitFor(() => expect(within(part).queryByRole('link', { name: 'Join the call' })).toBeNull());
  });

  it('asks for the review of ended work', async () => {
    open({ 'reviews.toWrite': pageOf(sampleWorkToReview()) });
    const part = await section('Needs your attention');
    const link = within(part).getByRole('link', { name: /^Review Kopi & Crumb/ });
    expect(link.getAttribute('href')).toBe(`/rating-review?write=${id('e1')}`);
  });

  it("shows a series' offers as one, by the first to expire and the weakest funding", async () => {
    const ofSeries = { seriesId: id('d1') };
    const first = sampleOffer(ofSeries);
    const later = sampleOffer({
      ...ofSeries,
      id: id('f2'),
      expiresAt: '2026-11-21T15:30:00Z',
      funding: 'not_funded',
    });
    later.terms = { ...later.terms, startsAt: '2026-12-20T09:00:00Z', endsAt: '2026-12-20T15:00:00Z' };
    open({ 'offers.mine': pageOf(first, later) });
    const part = await section('Needs your attention');
    const card = await within(part).findByRole('article');
    expect(card.textContent).toMatch(/Offer: €216 from Kopi & Crumb.*2 shifts from.*Not funded.*5 h/);
  });

  it("marks without a network what isn't on the device", async () => {
    const proposed = {
      id: id('b1'),
      status: 'proposed' as const,
      mode: 'video' as const,
      startsAt: null,
      answerBy: '2026-11-23T10:00:00Z',
      awaits: 'worker' as const,
    };
    const { api } = open({
      'offers.mine': pageOf(sampleOffer({ applicationId: id('c7') })),
      'invitations.mine': pageOf(invitation()),
      'applications.mine': pageOf(sampleApplication({ interview: proposed })),
    });
    const part = await section('Needs your attention');
    const links = async () => [
      await within(part).findByRole('link', { name: /^Offer: €108/ }),
      within(part).getByRole('link', { name: /^Pick a time/ }),
      within(part).getByRole('link', { name: 'See the job' }),
    ];
    expect((await links()).map((link) => link.getAttribute('aria-disabled'))).toEqual([null, null, null]);
    setOnline(api, false);
    expect((await links()).map((link) => link.getAttribute('aria-disabled'))).toEqual([
      'true',
      'true',
      'true',
    ]);
    fireEvent.click((await links())[1] as HTMLElement);
    expect(address()).toBe('/tabs/menu/my-work');
  });

  it("opens an offer from the device's lists without a network", async () => {
    const application = sampleApplication({
      status: 'offered',
      offer: {
        id: sampleOffer().id,
        status: 'sent',
        expiresAt: '2026-11-22T09:00:00Z',
        funding: 'funded',
        pay: payOfTerms(sampleOffer().terms),
      },
    });
    const { api } = open({
      'offers.mine': pageOf(sampleOffer({ applicationId: application.id })),
      'applications.mine': pageOf(application),
    });
    const part = await section('Needs your attention');
    const link = await within(part).findByRole('link', { name: /^Offer: €108/ });
    setOnline(api, false);
    expect(link.getAttribute('aria-disabled')).toBeNull();
    fireEvent.click(link);
    expect(await screen.findByRole('region', { name: 'The offer' })).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Accept for €108' })).toBeTruthy();
    expect(screen.getAllByText(/Last updated/).length).toBeGreaterThan(0);
  });

  it('shows an offer as expired until the server removes it', async () => {
    open({ 'offers.mine': pageOf(sampleOffer({ expiresAt: '2026-11-21T09:59:00Z' })) });
    const part = await section('Needs your attention');
    expect(within(part).getByText('Time is up')).toBeTruthy();
  });

  it("declines an invitation, and shows why it couldn't", async () => {
    let fails = true;
    const { api } = open({
      'invitations.mine': () => pageOf(invitation({ status: fails ? 'sent' : 'declined' })),
      'invitations.decline': () => {
        if (fails) throw networkError();
        return invitation({ status: 'declined' });
      },
    });
    const decline = async () => {
      await press('Decline');
      const sheet = await screen.findByRole('alertdialog', { name: 'Decline this invitation?' });
      fireEvent.click(within(sheet).getByRole('button', { name: 'Decline' }));
    };
    await press('Decline');
    fireEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
    expect(api.calls('invitations.decline')).toHaveLength(0);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await decline();
    const part = await section('Needs your attention');
    expect(await within(part).findByRole('alert')).toBeTruthy();
    fails = false;
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await decline();
    expect(await screen.findByText('Invitation declined')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Kopi & Crumb invited you to apply')).toBeNull());
    expect(api.inputs('invitations.decline')).toHaveLength(2);
  });

  it('asks to confirm tomorrow’s shift once, on its own card', async () => {
    const soon = sampleWork({
      terms: sampleTerms({ startsAt: '2026-11-21T17:00:00Z', endsAt: '2026-11-21T21:00:00Z' }),
      actions: ['confirm', 'cancel'],
      next: {
        kind: 'auto-submit',
        since: '2026-11-20T17:00:00Z',
        at: '2026-11-21T15:00:00Z',
        amountMinor: null,
      },
    });
    const { api } = open({
      'engagements.mine': pageOf(soon),
      'engagements.confirm': sampleEngagement({
        ...soon,
        actions: ['cancel'],
        status: 'confirmed',
        next: null,
      }),
      'engagements.get': sampleEngagement(soon),
    });
    const button = await screen.findByRole('button', { name: "Confirm I'll be there" });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText('Shift confirmed')).toBeTruthy();
    expect(api.inputs('engagements.confirm')).toEqual([{ engagementId: soon.id, version: 1, alsoFor: [] }]);
  });

  it('confirms the other shifts of the next days at the business with it', async () => {
    const deadline = {
      kind: 'confirm-by',
      since: '2026-11-20T17:00:00Z',
      at: '2026-11-21T01:00:00Z',
      amountMinor: null,
    } as const;
    const day = (date: number, id: string, businessId = sampleWork().business.id) =>
      sampleWork({
        id,
        business: { ...sampleWork().business, id: businessId },
        terms: sampleTerms({ startsAt: `2026-11-${date}T17:00:00Z`, endsAt: `2026-11-${date}T21:00:00Z` }),
        actions: ['confirm', 'cancel'],
        next: deadline,
      });
    const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
    const soon = day(21, id(1));
    const items = [soon, day(23, id(2)), day(24, id(3), id(9)), day(30, id(4))];
    const { api } = open({
      'engagements.mine': pageOf(...items),
      'engagements.confirm': sampleEngagement({
        ...soon,
        actions: ['cancel'],
        status: 'confirmed',
        next: null,
      }),
      'engagements.get': sampleEngagement(soon),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm all 2 shifts' }));
    expect(await screen.findByText('2 shifts confirmed')).toBeTruthy();
    expect(api.inputs('engagements.confirm')).toEqual([
      { engagementId: soon.id, version: 1, alsoFor: [id(2)] },
    ]);
  });
});

describe('applications that wait for a connection', () => {
  const entry = {
    jobId: id('01'),
    jobTitle: 'Book fair crew',
    businessName: 'Boekenbeurs',
    coverNote: 'Hello',
    answers: [],
    cv: null,
    key: id('fe'),
    since: '2026-11-21T09:50:00Z',
    refusal: null,
  };

  it('show that they are pending, and are sent once when it returns', async () => {
    const { api } = open();
    await screen.findByText('No active applications');
    setOnline(api, false);
    act(() => void queueApplication(entry));
    expect(await screen.findByText(/10 min.*It'll be sent as soon as you're back online/)).toBeTruthy();
    api.on({ 'applications.submit': sampleApplication({ id: id('c7') }) });
    setOnline(api, true);
    expect(await screen.findByText('Your application for Book fair crew was sent')).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Not sent yet' })).toBeNull();
    expect(api.calls('applications.submit').map(({ idempotencyKey }) => idempotencyKey)).toEqual([entry.key]);
    api.on({ 'applications.get': never });
    await press('View');
    await waitFor(() => expect(address()).toBe(`/tabs/menu/my-work/${id('c7')}`));
  });

  it('that were rejected stay, with the reason, until removed', async () => {
    const { api } = open({
      'applications.submit': () => {
        throw refuse('job/not-open', { status: 'closed' });
      },
    });
    await screen.findByText('No active applications');
    act(() => void queueApplication(entry));
    expect(await screen.findByText("We couldn't send your application for Book fair crew")).toBeTruthy();
    const part = await section('Not sent yet');
    expect(part.textContent).not.toContain('back online');
    await press("Don't send");
    expect(screen.queryByText('Book fair crew')).toBeNull();
    expect(api.calls('applications.submit')).toHaveLength(1);
  });
});

describe('the calendar', () => {
  const event = (change: Partial<CalendarEvent> = {}): CalendarEvent => ({
    kind: 'engagement',
    id: booked.id,
    title: 'Weekend barista',
    businessName: 'Kopi & Crumb',
    startsAt: '2026-11-28T07:00:00Z',
    endsAt: '2026-11-28T13:00:00Z',
    timeZone: 'Europe/Amsterdam',
    status: 'booked',
    where: 'Westerstraat 112',
    path: `/tabs/menu/my-work/engagement/${booked.id}`,
    ...change,
  });
  const path = '/tabs/menu/my-work?view=calendar';

  it('shows the month, links to its events, and marks overlaps', async () => {
    open(
      {
        'calendar.mine': [
          event(),
          event({ kind: 'interview', id: id('99'), title: 'Front desk', startsAt: '2026-11-28T12:00:00Z' }),
        ],
        'calendar.feed': { since: null },
      },
      { path },
    );
    const [link] = await screen.findAllByRole('link', { name: /Weekend barista/ });
    expect(link?.getAttribute('href')).toBe(`/tabs/menu/my-work/engagement/${booked.id}`);
    expect(screen.getAllByText(/overlap/i).length).toBeGreaterThan(0);
  });

  it('loads each month once, and returns to today', async () => {
    const { api } = open({ 'calendar.mine': [], 'calendar.feed': { since: null } }, { path });
    await screen.findByRole('heading', { name: 'November 2026' });
    await press('Next month');
    expect(await screen.findByRole('heading', { name: 'December 2026' })).toBeTruthy();
    await press('Today');
    expect(await screen.findByRole('heading', { name: 'November 2026' })).toBeTruthy();
    const spans = api
      .inputs('calendar.mine')
      .map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000);
    expect(spans).toHaveLength(2);
    for (const days of spans) expect(days).toBeLessThanOrEqual(44);
  });

  it('shows an error with a retry', async () => {
    const { api } = open(
      {
        'calendar.mine': () => {
          throw refuse('request/internal');
        },
        'calendar.feed': { since: null },
      },
      { path },
    );
    await screen.findByRole('alert');
    api.on({ 'calendar.mine': [event()] });
    await press('Try again');
    expect(await screen.findByRole('link', { name: /Weekend barista/ })).toBeTruthy();
  });
});
