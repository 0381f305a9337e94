import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, type InputOf, networkError } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleTerms } from '../../work/engagements/engagements.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { OfferActions, OfferAnswer } from '../offers/offer-answer.tsx';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { OfferSheet } from './offer-sheet.tsx';
import { SeriesDecision } from './series-decision.tsx';

afterEach(async () => {
  if (screen.queryByRole('alertdialog')) await press('OK');
  cleanup();
});

const businessId = '0193aaaa-0000-7000-8000-0000000000b1';
const seriesId = '0193aaaa-0000-7000-8000-0000000000d1';
const days = [28, 29, 30];
const idOf = (day: number) => `0193aaaa-0000-7000-8000-0000000000${day}`;

describe('a decision about the shifts of a series', () => {
  const applications = days.map((day) =>
    sampleApplicant({
      id: idOf(day),
      jobId: idOf(day),
      seriesId,
      jobStartsAt: `2026-11-${day}T07:00:00Z`,
      actions: ['shortlist', 'offer', 'reject'],
    }),
  );
  const show = (api: Handlers = {}, decided = applications) =>
    renderPart(<SeriesDecision applications={decided} businessId={businessId} />, {
      session: 'business',
      api: {
        'offers.preview': ({ applicationId }) => ({
          terms: sampleTerms({
            workerGetsMinor: 10_800,
            holdMinor: 11_880,
            startsAt: `2026-11-${applicationId.slice(-2)}T07:00:00Z`,
          }),
          spotsFree: 1,
          expiresAt: '2100-01-01T00:00:00Z',
          workerBooked: false,
        }),
        'jobs.get': sampleJob(),
        'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
        'offers.make': sampleOffer({ side: 'business' }),
        'applicants.bulk': ({ items }) => ({
          results: items.map(({ applicationId }) => ({
            applicationId,
            ok: true,
            code: null,
            status: null,
            by: null,
          })),
        }),
        ...api,
      },
    });

  const inMonth = (month: string, usedMinor: number): AnswerOf<'budgets.forJob'> => ({
    currency: 'EUR',
    budgets: [
      {
        period: 'month',
        from: `${month}-01`,
        kind: 'business',
        branchId: null,
        memberId: null,
        name: '',
        limitMinor: 25_000,
        raisedMinor: 0,
        usedMinor,
      },
    ],
    mayExceed: false,
    requests: [],
  });
  const lastButton = (name: string) =>
    screen.getAllByRole<HTMLButtonElement>('button', { name }).at(-1) as HTMLButtonElement;

  it('offers shifts that fit the budget of each month', async () => {
    show({ 'budgets.forJob': ({ jobId }) => inMonth(jobId === idOf(30) ? '2026-12' : '2026-11', 0) });
    await press('Offer 3 shifts');
    expect(await screen.findByText(/€12.40 of the budget left after this .*November 2026/)).toBeTruthy();
    expect(screen.getByText(/€131.20 of the budget left after this .*December 2026/)).toBeTruthy();
    await waitFor(() => expect(lastButton('Offer 3 shifts').disabled).toBe(false));
  });

  it('asks an owner for the shifts of the month over its budget', async () => {
    const { api } = show({
      'budgets.forJob': ({ jobId }) =>
        jobId === idOf(28) ? inMonth('2026-11', 0) : inMonth('2026-12', 10_000),
      'budgets.ask': () => Promise.reject(networkError()),
    });
    await press('Offer 3 shifts');
    await screen.findByText(/€87.60 over budget .*December 2026/);
    expect(lastButton('Over budget').disabled).toBe(true);
    await press('Ask an owner');
    await waitFor(() =>
      expect(api.inputs('budgets.ask')).toMatchObject([
        { jobId: idOf(29), applicationId: idOf(29), amountMinor: 23_760 },
      ]),
    );
  });

  it('offers the selected shifts at once, with their sum', async () => {
    const { api } = show();
    fireEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement);
    await press('Offer 2 shifts');
    expect(await screen.findByText('€237.60')).toBeTruthy();
    const buttons = () => screen.getAllByRole('button', { name: 'Offer 2 shifts' });
    await waitFor(() => expect((buttons().at(-1) as HTMLButtonElement).disabled).toBe(false));
    fireEvent.click(buttons().at(-1) as HTMLElement);
    await waitFor(() =>
      expect(api.calls('offers.make')).toMatchObject([
        { input: { applicationId: idOf(28), alsoFor: [idOf(30)] } },
      ]),
    );
  });

  it('offers the dates of a block together, from the balance', async () => {
    const block = applications.map((application) => ({ ...application, asBlock: true }));
    const { api } = show({}, block);
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked, disabled }) => checked && disabled)).toEqual([true, true, true]);
    await press('Offer 3 shifts');
    expect(await screen.findByText(/is set aside from your balance\.$/)).toBeTruthy();
    await waitFor(() => expect(lastButton('Offer 3 shifts').disabled).toBe(false));
    fireEvent.click(lastButton('Offer 3 shifts'));
    await waitFor(() =>
      expect(api.inputs('offers.make')).toMatchObject([
        { alsoFor: [idOf(29), idOf(30)], funding: { from: 'balance' } },
      ]),
    );
  });

  it('shortlists all shifts at once', async () => {
    const { api } = show();
    await press('Shortlist');
    await waitFor(() =>
      expect(api.calls('applicants.bulk')).toMatchObject([
        {
          input: {
            businessId,
            action: 'shortlist',
            items: days.map((day) => ({ applicationId: idOf(day) })),
          },
        },
      ]),
    );
  });
});

describe('an offer from the board', () => {
  const applications = days.map((day) =>
    sampleApplicant({
      id: idOf(day),
      jobId: idOf(day),
      seriesId,
      shiftsApplied: 3,
      jobStartsAt: `2026-11-${day}T07:00:00Z`,
      actions: ['offer'],
    }),
  );

  it('covers all shifts applied for, at a pay of at least that of each', async () => {
    const { api } = renderPart(
      <OfferSheet applicant={applications[1] as (typeof applications)[number]} onClose={vi.fn()} />,
      {
        session: 'business',
        api: {
          'applicants.ofWorker': applications,
          'jobs.get': sampleJob(),
          'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
          'offers.preview': ({ applicationId, payMinor }) => {
            const pay = payMinor ?? (applicationId === idOf(30) ? 1_700 : 1_600);
            return {
              terms: sampleTerms({ payMinor: pay, workerGetsMinor: pay * 6, holdMinor: pay * 7 }),
              spotsFree: 1,
              expiresAt: '2100-01-01T00:00:00Z',
              workerBooked: false,
            };
          },
          'offers.make': sampleOffer({ side: 'business' }),
        },
      },
    );
    expect(await screen.findAllByRole<HTMLInputElement>('checkbox', { checked: true })).toHaveLength(3);
    expect(await screen.findByText('€294')).toBeTruthy();
    type('Hourly pay', '15');
    expect(problemAt('Hourly pay')).toBe("Enter the job's pay of €16 or more.");
    expect(screen.queryByText('€294')).toBeNull();
    type('Hourly pay', '16,50');
    expect(await screen.findByText('€300')).toBeTruthy();
    await press('Offer 3 shifts');
    await waitFor(() =>
      expect(api.inputs('offers.make')).toMatchObject([
        { applicationId: idOf(28), alsoFor: [idOf(29), idOf(30)], payMinor: 1_650 },
      ]),
    );
  });
});

describe('a change of open offers', () => {
  const change = (pays: readonly number[], jobPay: (applicationId?: string) => number) =>
    renderPart(
      <OfferSheet
        applicant={sampleApplicant({ id: idOf(28), jobId: idOf(28), seriesId, shiftsApplied: 3 })}
        replaces={pays.map((payMinor, index) =>
          sampleOffer({
            id: idOf(days[index] ?? 0),
            applicationId: idOf(days[index] ?? 0),
            terms: sampleTerms({ payMinor }),
          }),
        )}
        onClose={vi.fn()}
      />,
      {
        session: 'business',
        api: {
          'jobs.get': sampleJob(),
          'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
          'offers.preview': ({ applicationId, payMinor }) => ({
            terms: sampleTerms({ payMinor: payMinor ?? jobPay(applicationId) }),
            spotsFree: 1,
            expiresAt: '2100-01-01T00:00:00Z',
            workerBooked: false,
          }),
          'offers.make': sampleOffer({ side: 'business' }),
        },
      },
    );

  it('starts at a pay that lowers none of them, and names their pays', async () => {
    const { api } = change([2_000, 1_800], () => 1_600);
    expect(await screen.findByText('For all ticked shifts. Their offers are €18–€20 now.')).toBeTruthy();
    // The wallet decides how to pay, and enables the button.
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change 2 offers' }).disabled).toBe(false),
    );
    await press('Change 2 offers');
    await waitFor(() => expect(api.inputs('offers.make')).toMatchObject([{ payMinor: 2_000 }]));
  });

  it("keeps the pay of each job where the offers don't exceed it", async () => {
    const { api } = change([1_600, 1_700], (id) => (id === idOf(29) ? 1_700 : 1_600));
    expect(
      await screen.findByText("The job's pay or more. Shifts that pay more keep their pay."),
    ).toBeTruthy();
    // The wallet decides how to pay, and enables the button.
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change 2 offers' }).disabled).toBe(false),
    );
    await press('Change 2 offers');
    await waitFor(() => expect(api.inputs('offers.make')).toHaveLength(1));
    expect(api.inputs('offers.make')[0]?.payMinor).toBeUndefined();
  });
});

describe('offers for the shifts of a series', () => {
  const offers = days.map((day) =>
    sampleOffer({
      id: idOf(day),
      seriesId,
      actions: ['accept', 'decline'],
      terms: sampleTerms({
        workerGetsMinor: 10_800,
        startsAt: `2026-11-${day}T07:00:00Z`,
        endsAt: `2026-11-${day}T13:00:00Z`,
      }),
    }),
  );
  const handlers = (): Handlers => ({
    'profiles.mine': sampleProfile(),
    'offers.get': offers[0],
    'offers.mine': { items: offers, nextCursor: null },
    'offers.accept': { ...(offers[0] as (typeof offers)[number]), status: 'accepted' as const },
    'calendar.mine': [],
  });
  const answer = (api: Handlers = {}) =>
    renderPart(<OfferActions offerId={idOf(28)} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: { ...handlers(), ...api },
    });
  const bookedOn = (day: string) => ({
    kind: 'engagement' as const,
    id: idOf(27),
    title: 'Late barista',
    businessName: 'Kopi & Crumb',
    startsAt: `${day}T12:00:00Z`,
    endsAt: `${day}T20:00:00Z`,
    timeZone: 'Europe/Amsterdam',
    status: 'booked' as const,
    where: 'Jordaan',
    path: '/',
  });
  const sentIds = ({ offerId, alsoFor = [], declines = [] }: InputOf<'offers.accept'>) => ({
    accepts: [offerId, ...alsoFor.map((ref) => ref.offerId)],
    declines: declines.map((ref) => ref.offerId),
  });

  it('name the zone of their times and every rate once', async () => {
    const inNewYork = offers.map((offer, at) => ({
      ...offer,
      terms: { ...offer.terms, timeZone: 'America/New_York', payMinor: 1_600 + 100 * at },
    }));
    renderPart(<OfferAnswer offerId={idOf(28)} pay={payOfTerms(sampleTerms())} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: {
        ...handlers(),
        'offers.get': inNewYork[0],
        'offers.mine': { items: inNewYork, nextCursor: null },
      },
    });
    await screen.findByText(/for 3 shifts/);
    const [text = ''] = (document.body.textContent ?? '').split('Reply by');
    expect(text.match(/New.York time/g)).toHaveLength(1);
    expect(text.match(/your time/g)).toHaveLength(1);
    expect(text).toMatch(/€16–.?€18.? an hour/);
  });

  it('say of each shift when its pay is set aside', async () => {
    const later = offers.map((offer, at) => ({
      ...offer,
      funding: 'planned' as const,
      terms: {
        ...offer.terms,
        plannedFunding: { at: `2026-11-2${at + 1}T08:00:00Z`, by: `2026-11-2${at + 6}T08:00:00Z` },
      },
    }));
    renderPart(<OfferAnswer offerId={idOf(28)} pay={payOfTerms(sampleTerms())} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: { ...handlers(), 'offers.get': later[0], 'offers.mine': { items: later, nextCursor: null } },
    });
    await screen.findByText(/for 3 shifts/);
    const text = document.body.textContent ?? '';
    const dates = text.match(/Pay set aside on .*?\d\d:\d\d.*?at the latest by .*?\d\d:\d\d/g) ?? [];
    expect(new Set(dates).size).toBe(3);
    expect(text).toMatch(/The dates are given with each shift/);
  });

  it('are all accepted at once', async () => {
    const { api } = answer();
    await press('Choose dates');
    expect(await screen.findAllByRole('checkbox')).toHaveLength(3);
    await press(/^Accept 3 shifts for €324/);
    await waitFor(() => expect(api.calls('offers.accept')).toHaveLength(1));
    expect(api.inputs('offers.accept').map(sentIds)).toEqual([
      { accepts: [idOf(28), idOf(29), idOf(30)], declines: [] },
    ]);
  });

  it('of a block are accepted or declined all together, and not next to other work', async () => {
    const block = offers.map((offer) => ({ ...offer, asBlock: true }));
    const ofBlock = { 'offers.get': block[0], 'offers.mine': { items: block, nextCursor: null } };
    const { api } = answer(ofBlock);
    await press('Accept all dates');
    const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked, disabled }) => checked && disabled)).toEqual([true, true, true]);
    await press(/^Accept 3 shifts for €324/);
    await waitFor(() => expect(api.inputs('offers.accept').map(sentIds)[0]?.accepts).toHaveLength(3));
    await press('OK');
    cleanup();
    answer({ ...ofBlock, 'calendar.mine': [bookedOn('2026-11-29')] });
    await press('Accept all dates');
    expect(await screen.findByText(/^You need to be free on all dates to accept/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Accept 0 shifts/ }).disabled).toBe(true);
    await press('Decline');
    expect(await screen.findByText('The dates go together, so you decline all of them.')).toBeTruthy();
  });

  it.each([
    [true, [idOf(29)]],
    [false, []],
  ])('are accepted in part, and the others declined on request: %s', async (declining, declines) => {
    const { api } = answer();
    await press('Choose dates');
    fireEvent.click((await screen.findAllByRole('checkbox'))[1] as HTMLElement);
    const decline = await screen.findByRole('checkbox', {
      name: /Decline the other shift: Sun\s29\sNov, 08:00/,
    });
    if (declining) fireEvent.click(decline);
    await press(/^Accept 2 shifts for €216/);
    await waitFor(() => expect(api.calls('offers.accept')).toHaveLength(1));
    const booked = await screen.findByRole('alertdialog', { name: 'You’re booked for 2 shifts' });
    expect(booked.textContent).toMatch(/Sat\s28\sNov, 08:00.*Mon\s30\sNov, 08:00/s);
    expect(booked.textContent?.includes('1 more shift is still offered to you until')).toBe(!declining);
    expect(api.inputs('offers.accept').map(sentIds)).toEqual([{ accepts: [idOf(28), idOf(30)], declines }]);
  });

  it("mark a date with other booked work, which can't be accepted", async () => {
    const { api } = answer({ 'calendar.mine': [bookedOn('2026-11-29')] });
    await press('Choose dates');
    expect(await screen.findByText("You're booked then: Late barista")).toBeTruthy();
    expect(screen.getAllByRole<HTMLInputElement>('checkbox')[1]?.disabled).toBe(true);
    await press(/^Accept 2 shifts for €216/);
    await waitFor(() => expect(api.calls('offers.accept')).toHaveLength(1));
    expect(api.inputs('offers.accept').map(sentIds)).toEqual([
      { accepts: [idOf(28), idOf(30)], declines: [] },
    ]);
  });

  it("can't be selected when the calendar fails to load", async () => {
    let fails = true;
    answer({
      'calendar.mine': () => {
        if (fails) throw new Error('network');
        return [bookedOn('2026-11-29')];
      },
    });
    await press('Choose dates');
    expect(await screen.findByText('We couldn’t check your calendar')).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    fails = false;
    await press('Try again');
    expect(await screen.findByText("You're booked then: Late barista")).toBeTruthy();
  });

  it('can be selected once the calendar has loaded, beyond its first range too', async () => {
    const calendar = Promise.withResolvers<never[]>();
    const { api } = answer({
      'calendar.mine': () => calendar.promise,
      'offers.mine': {
        items: offers.map((offer) => ({
          ...offer,
          terms: { ...offer.terms, startsAt: '2027-04-28T07:00:00Z', endsAt: '2027-04-28T13:00:00Z' },
        })),
        nextCursor: null,
      },
    });
    await press('Choose dates');
    expect(screen.queryByRole('checkbox')).toBeNull();
    calendar.resolve([]);
    expect(await screen.findAllByRole('checkbox')).toHaveLength(3);
    expect(api.inputs('calendar.mine').some(({ to }) => to > '2027-04-28')).toBe(true);
  });

  it('show their sum, and the amount of each date', async () => {
    renderPart(<OfferAnswer offerId={idOf(28)} pay={sampleJob().pay} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: handlers(),
    });
    expect(await screen.findByText('for 3 shifts')).toBeTruthy();
    expect(screen.getByText('€324')).toBeTruthy();
    expect(screen.getAllByText(/^€108/)).toHaveLength(3);
  });

  it('show the deadline to confirm at each date that has one', async () => {
    const dated = offers.map((offer, at) => {
      const { startsAt } = offer.terms;
      return { ...offer, terms: { ...offer.terms, confirmBy: at === 0 ? null : startsAt } };
    });
    const api = { ...handlers(), 'offers.mine': { items: dated, nextCursor: null } };
    renderPart(<OfferAnswer offerId={idOf(28)} pay={sampleJob().pay} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: { ...api, 'offers.get': dated[0] ?? sampleOffer() },
    });
    expect(await screen.findByText('Confirm each shift by its deadline')).toBeTruthy();
    expect(screen.getAllByText(/Confirm by .*Nov/)).toHaveLength(2);
  });

  it.each(['accepted', 'declined', 'expired', 'withdrawn'] as const)(
    'are left out of the terms of one that is %s',
    async (status) => {
      const own = sampleOffer({ ...offers[0], status, actions: [] });
      renderPart(<OfferAnswer offerId={idOf(28)} pay={sampleJob().pay} />, {
        session: 'worker',
        now: '2026-11-20T09:00:00Z',
        api: {
          ...handlers(),
          'offers.get': own,
          'offers.mine': { items: offers.slice(1), nextCursor: null },
        },
      });
      expect((await screen.findAllByText(/28\sNov/)).length).toBeGreaterThan(0);
      // The list of open offers must have had time to arrive.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(screen.queryByText(/29\sNov/)).toBeNull();
      expect(screen.queryByText('€324')).toBeNull();
    },
  );

  it.each([
    [true, [idOf(29), idOf(30)]],
    [false, []],
  ])('are declined at once: %s', async (all, alsoFor) => {
    const { api } = renderPart(<OfferActions offerId={idOf(28)} />, {
      session: 'worker',
      now: '2026-11-20T09:00:00Z',
      api: {
        'profiles.mine': sampleProfile(),
        'offers.get': offers[0],
        'offers.mine': { items: offers, nextCursor: null },
        'offers.decline': { ...(offers[0] as (typeof offers)[number]), status: 'declined' as const },
      },
    });
    await screen.findByRole('button', { name: 'Choose dates' });
    await press('Decline');
    const check = await screen.findByRole('checkbox', { name: 'Decline all 3 shifts' });
    if (!all) fireEvent.click(check);
    await press(all ? 'Decline all 3 shifts' : /^Decline Sat\s28\sNov, 08:00/);
    await waitFor(() => expect(api.calls('offers.decline')).toHaveLength(1));
    const [call] = api.calls('offers.decline');
    expect(call?.input.alsoFor?.map(({ offerId }) => offerId)).toEqual(alsoFor);
  });
});
