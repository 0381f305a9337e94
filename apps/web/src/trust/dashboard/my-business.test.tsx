import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleListedJob, sampleSeriesTotals } from '../../hiring/jobs/jobs.fixtures.ts';
import { sampleApplicant } from '../../hiring/pipeline/pipeline.fixtures.ts';
import { sampleCharge, sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleWork } from '../../work/engagements/engagements.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const counts = { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
const figures = (change: Partial<AnswerOf<'dashboard.figures'>> = {}): AnswerOf<'dashboard.figures'> => ({
  currency: 'EUR',
  currencies: ['EUR'],
  timeZone: 'Europe/Amsterdam',
  months: [],
  filled: [],
  medianHours: null,
  medianHoursBefore: null,
  ...change,
});
const toApprove = sampleWork({
  id: id('e7'),
  side: 'business',
  status: 'submitted',
  actions: ['approve'],
  next: {
    kind: 'auto-approve',
    at: '2026-11-22T10:00:00Z',
    since: '2026-11-19T10:00:00Z',
    amountMinor: null,
  },
});

function open(api: Handlers = {}, options: { path?: string; role?: 'owner' | 'recruiter' | 'finance' } = {}) {
  const { path = '/tabs/menu/business', role = 'owner' } = options;
  return renderApp(path, {
    session: 'business',
    now: '2026-11-21T10:00:00Z',
    api: {
      'notifications.list': { items: [], nextCursor: null, unread: 0 },
      'businesses.mine': [
        sampleBusiness({ role, actions: role === 'finance' ? [] : ['edit', 'create-job'] }),
      ],
      'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
      'applicants.ofBusiness': { items: [], nextCursor: null },
      'engagements.forBusiness': { items: [], nextCursor: null, counts },
      'wallet.get': sampleWallet({ availableMinor: 5_000, canManage: role !== 'recruiter' }),
      'dashboard.figures': figures(),
      'budgets.mine': { currency: 'EUR', budgets: [] },
      ...api,
    },
  });
}
const part = (name: string) => screen.findByRole('region', { name });

describe('the dashboard of a business', () => {
  it('asks users without a business to register one', async () => {
    open({ 'businesses.mine': [] });
    expect(await screen.findByRole('link', { name: /Register/ })).toBeTruthy();
  });

  it('has an invitation to another team, to join or decline', async () => {
    const teamInvitationId = id('11');
    const { api } = open({
      'team.received': [
        {
          id: teamInvitationId,
          businessId: id('12'),
          businessName: 'Zoutman Feesten',
          role: 'recruiter',
          branches: null,
          invitedBy: 'Nadia Zoutman',
          expiresAt: '2026-11-28T10:00:00Z',
        },
      ],
      'team.declineReceived': [],
      'team.acceptReceived': { businessId: id('12'), role: 'recruiter' },
      'applicants.ofBusiness': never,
      'pipeline.board': never,
    });
    expect(await screen.findByText(/Nadia Zoutman invites you as: Recruiter/)).toBeTruthy();
    await press('Join Zoutman Feesten');
    await waitFor(() => expect(api.inputs('team.acceptReceived')).toEqual([{ teamInvitationId }]));
  });

  it('has the budget requests that an owner decides', async () => {
    const budget = {
      period: 'month',
      from: '2026-12-01',
      kind: 'member',
      branchId: null,
      memberId: id('05'),
      name: 'Sam Okafor',
      limitMinor: 50_000,
      raisedMinor: 0,
      usedMinor: 45_325,
    } as const;
    const request = {
      id: id('07'),
      status: 'open',
      jobId: id('08'),
      jobTitle: 'Barista',
      memberName: 'Sam Okafor',
      workerName: 'Kerem Aydin',
      payMinor: 1_850,
      period: 'month',
      from: '2026-12-01',
      amountMinor: 12_100,
      currency: 'EUR',
      createdAt: '2026-11-21T10:00:00Z',
      startsAt: '2026-12-04T09:00:00Z',
      timeZone: 'Europe/Amsterdam',
      exceeded: [budget],
      reason: '',
    } as const;
    const { api } = open({
      'businesses.mine': [sampleBusiness({ budgetRequests: 1 })],
      'budgets.list': {
        day: '2026-11-21',
        currency: 'EUR',
        budgets: [budget],
        requests: [{ ...request, exceeded: [budget] }],
        canChange: true,
      },
      'budgets.decide': { ...request, status: 'approved', exceeded: [] },
    });
    await press('Approve €121');
    await waitFor(() =>
      expect(api.inputs('budgets.decide')).toMatchObject([{ budgetRequestId: request.id, approve: true }]),
    );
  });

  it('of a closed business is read-only', async () => {
    open({ 'businesses.mine': [sampleBusiness({ status: 'closed', actions: [] })] });
    expect(await screen.findByRole('heading', { name: 'This business is closed' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Statement' })).toBeTruthy();
    for (const name of ['Add money', 'Cards', 'Create job'])
      expect([screen.queryByRole('button', { name }), screen.queryByRole('link', { name })]).toEqual([
        null,
        null,
      ]);
    expect(screen.queryByText(/Create one|Nothing is waiting/)).toBeNull();
  });

  it('counts a series once, as its list of jobs does', async () => {
    const { api } = open({
      'businesses.mine': [sampleBusiness({ openJobs: 20 })],
      'jobs.listed': { items: [], nextCursor: null, counts: { open: 14 }, total: 14 },
    });
    const jobs = await part('Jobs');
    expect(within(jobs).getByText('14')).toBeTruthy();
    expect(api.inputs('jobs.listed')[0]).toMatchObject({ status: 'open', sort: 'soonest', grouped: true });
  });

  it('leads from a series to its shifts, and from a single job to its applicants', async () => {
    const totals = sampleSeriesTotals();
    open({
      'jobs.listed': {
        items: [
          sampleListedJob({ id: id('52'), title: 'Barista', seriesTotals: totals }),
          sampleListedJob({ id: id('53'), title: 'Courier' }),
        ],
        nextCursor: null,
        counts: { open: 2 },
        total: 2,
      },
    });
    const link = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');
    expect(await link(/^Barista/)).toBe(`/listed-job?status=open&series=${totals.seriesId}`);
    expect(await link(/^Courier/)).toBe(`/job-applicants/${id('53')}`);
  });

  it('shows nothing pending only when everything was answered', async () => {
    const response = Promise.withResolvers<AnswerOf<'applicants.ofBusiness'>>();
    open({ 'applicants.ofBusiness': () => response.promise });
    await screen.findByRole('status', { name: 'Loading' });
    expect(screen.queryByText(/Nothing is waiting/)).toBeNull();
    response.resolve({ items: [], nextCursor: null });
    await screen.findByText(/No open jobs/);
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText(/Nothing is waiting for you/)).toBeTruthy();
  });

  it("counts nothing offline when a part isn't on the device, and shows it", async () => {
    const { api } = open({
      'applicants.ofBusiness': () => {
        throw refuse('request/internal');
      },
      'engagements.forBusiness': ({ group }) => ({
        items: group === 'to_approve' ? [toApprove] : [],
        nextCursor: null,
        counts: { ...counts, to_approve: 1 },
      }),
    });
    await screen.findByText("We couldn't load your applicants.");
    setOnline(api, false);
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText(/^Some of it isn't kept on this device/)).toBeTruthy();
    expect(within(waiting).queryByText(/application/)).toBeNull();
    expect(within(waiting).queryByText(/Nothing is waiting/)).toBeNull();
    api.on({ 'applicants.ofBusiness': { items: [], nextCursor: null } });
    setOnline(api, true);
    await waitFor(() => expect(within(waiting).queryByText(/kept on this device/)).toBeNull());
  });

  it('shows an empty state without records', async () => {
    const refused = () => {
      throw refuse('request/internal');
    };
    const { api } = open({ 'applicants.ofBusiness': refused, 'engagements.forBusiness': refused });
    await screen.findByText("We couldn't load your applicants.");
    setOnline(api, false);
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText(/^Applicants and payments aren't kept/)).toBeTruthy();
    setOnline(api, true);
  });

  it('begins with verification and the first steps for a new business, without empty charts', async () => {
    const draft = sampleBusiness({ status: 'draft', actions: ['edit', 'create-job', 'submit'] });
    const { api } = open({
      'businesses.mine': [draft],
      'wallet.get': sampleWallet({ cards: [] }),
      'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
    });
    const steps = await part('First steps');
    const links = () =>
      within(steps)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'));
    expect(links()).toEqual([
      '/create-job',
      '/tabs/menu/business?cards',
      `/edit-business?part=team&business=${draft.id}`,
    ]);
    const request = screen.getByRole('button', { name: 'Request verification' });
    expect(request.compareDocumentPosition(steps)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByText(/Verification .* usually takes two working days/)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Waiting for you' })).toBeNull();
    expect(await screen.findByText(/appear here after your first hire/)).toBeTruthy();
    fireEvent.click(within(steps).getByRole('link', { name: /Add a card/ }));
    expect(await screen.findByRole('dialog', { name: 'Cards' })).toBeTruthy();
    api.on({ 'jobs.listed': { items: [], nextCursor: null, counts: { draft: 1 }, total: 0 } });
    signal({ kind: 'record', record: 'job', id: id('13') });
    await screen.findByText('1 draft to finish');
    expect(links()[0]).toBe('/create-job');
    api.on({ 'jobs.listed': { items: [], nextCursor: null, counts: { open: 1 }, total: 1 } });
    signal({ kind: 'record', record: 'job', id: id('13') });
    await waitFor(() => expect(links()[0]).toBe('/find-workers'));
  });

  it('hides the empty state when payments failed to load', async () => {
    const { api } = open({
      'engagements.forBusiness': () => {
        throw refuse('request/internal');
      },
    });
    const waiting = await part('Waiting for you');
    await within(waiting).findByText("We couldn't load pending payments.");
    expect(within(waiting).queryByText(/Nothing is waiting/)).toBeNull();
    api.on({ 'engagements.forBusiness': { items: [], nextCursor: null, counts } });
    fireEvent.click(within(waiting).getByRole('button', { name: 'Try again' }));
    expect(await within(waiting).findByText(/Nothing is waiting for you/)).toBeTruthy();
  });

  it('begins with who is late, and sorts pending items by deadline, across pay and applicants', async () => {
    const missing = sampleWork({
      id: id('e8'),
      side: 'business',
      status: 'confirmed',
      worker: { id: id('a3'), name: 'Bram de Wit', photoPath: null },
      terms: { ...sampleWork().terms, startsAt: '2026-11-21T07:27:00Z' },
    });
    const early = sampleApplicant({ status: 'submitted', viewedAt: null, decideBy: '2026-11-21T20:00:00Z' });
    const late = sampleApplicant({
      id: id('c5'),
      decideBy: '2026-11-25T20:00:00Z',
      worker: { ...early.worker, workerId: id('d5'), name: 'Omar Said' },
    });
    open({
      'applicants.ofBusiness': { items: [late, early], nextCursor: null },
      'engagements.forBusiness': ({ group }) => ({
        items: group === 'to_approve' ? [toApprove] : group === 'late' ? [missing] : [],
        nextCursor: null,
        counts: { ...counts, to_approve: 1, late: 1 },
      }),
    });
    const waiting = await part('Waiting for you');
    await within(waiting).findByText(/Release payment to/);
    const rows = within(waiting)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringMatching(/^Bram de Wit is late.*2.h.33.min late, due at/),
      expect.stringContaining('Leila Haddad'),
      expect.stringContaining('Release payment to'),
      expect.stringContaining('Omar Said'),
    ]);
    expect(within(waiting).getByText('1 person late, 2 applications, 1 payment')).toBeTruthy();
    expect(
      within(waiting)
        .getByRole('link', { name: /Bram de Wit/ })
        .getAttribute('href'),
    ).toBe(`/tabs/menu/jobs/engagement/${missing.id}`);
    // The colors depend on the time left, not on its share of the whole deadline.
    const colors = [...waiting.querySelectorAll('.ring-clock circle:last-child')].map((circle) =>
      circle.getAttribute('stroke'),
    );
    expect([colors[0], colors.at(-1)]).toEqual(['var(--bad)', 'var(--wait)']);
  });

  it('has one row for someone who applied for several jobs', async () => {
    const items = ['c1', 'c2', 'c3'].map((end) =>
      sampleApplicant({ id: id(end), decideBy: '2026-11-25T20:00:00Z' }),
    );
    open({ 'applicants.ofBusiness': { items, nextCursor: null } });
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText('3 applications')).toBeTruthy();
    expect(within(waiting).getByText(/ and 2 other jobs/)).toBeTruthy();
    expect(within(waiting).getAllByRole('listitem')).toHaveLength(1);
  });

  it('counts applicants without a row, with a link', async () => {
    const items = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((end) =>
      sampleApplicant({
        id: id(end),
        decideBy: '2026-11-25T20:00:00Z',
        worker: { ...sampleApplicant().worker, workerId: id(`d${end.at(-1)}`) },
      }),
    );
    open({ 'applicants.ofBusiness': { items, nextCursor: null } });
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText('6 applications')).toBeTruthy();
    const more = within(waiting).getByRole('link', { name: /2 more applications to decide on/ });
    expect(more.getAttribute('href')).toBe('/all-job-applicants');
    expect(within(waiting).getAllByRole('listitem')).toHaveLength(5);
  });

  it('loads every page of applicants before it sorts', async () => {
    const { api } = open({
      'applicants.ofBusiness': ({ cursor }) =>
        cursor
          ? {
              items: [
                sampleApplicant({
                  decideBy: '2026-11-21T12:00:00Z',
                  worker: { ...sampleApplicant().worker, workerId: id('d9') },
                }),
              ],
              nextCursor: null,
            }
          : {
              items: [sampleApplicant({ id: id('c9'), decideBy: '2026-11-29T12:00:00Z' })],
              nextCursor: 'more',
            },
    });
    const waiting = await part('Waiting for you');
    await waitFor(() => expect(within(waiting).getAllByRole('listitem')).toHaveLength(2));
    expect(api.inputs('applicants.ofBusiness').map(({ cursor }) => cursor)).toEqual([undefined, 'more']);
  });

  it('shows owed pay first, with a link to pay it', async () => {
    const [balance] = sampleWallet().balances;
    open({
      'wallet.get': sampleWallet({ balances: [{ ...balance, owedMinor: 1_250 } as never] }),
    });
    const waiting = await part('Waiting for you');
    expect(await within(waiting).findByText('You still owe €12.50')).toBeTruthy();
    expect(
      within(waiting)
        .getByRole('link', { name: /You still owe/ })
        .getAttribute('href'),
    ).toBe('/release-payment');
    expect(within(waiting).queryByText(/Nothing is waiting/)).toBeNull();
  });

  it('shows what is to be set aside for a series, and from when', async () => {
    const [balance] = sampleWallet().balances;
    const planned = { plannedMinor: 33_000, plannedHolds: 3, plannedFrom: '2027-01-08T08:00:00Z' };
    open({ 'wallet.get': sampleWallet({ balances: [{ ...balance, ...planned } as never] }) });
    const label = await screen.findByText(/To set aside for 3 shifts, from .*8 Jan/);
    expect(label.closest('p')?.textContent).toContain('€330');
  });

  it('fails in one part only', async () => {
    const { api } = open({
      'applicants.ofBusiness': () => {
        throw networkError();
      },
      'wallet.get': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your applicants.")).toBeTruthy();
    expect(await screen.findByText("We couldn't load your balance")).toBeTruthy();
    expect(await screen.findByText(/No open jobs/)).toBeTruthy();
    api.on({ 'applicants.ofBusiness': { items: [sampleApplicant()], nextCursor: null } });
    fireEvent.click(within(await part('Waiting for you')).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Leila Haddad/)).toBeTruthy();
  });

  it('shows finance money and pay to release, without forbidden requests', async () => {
    const refused = () => {
      throw refuse('business/not-allowed');
    };
    const { api } = open(
      {
        'jobs.listed': refused,
        'applicants.ofBusiness': refused,
        'engagements.forBusiness': {
          items: [sampleWork({ side: 'business', status: 'submitted', actions: ['approve'] })],
          nextCursor: null,
          counts: { ...counts, to_approve: 5 },
        },
      },
      { role: 'finance' },
    );
    expect(await screen.findByText('Your role is Finance')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Figures' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Statement' })).toBeTruthy();
    const waiting = within(await part('Waiting for you'));
    expect(waiting.getByText('Release payment to Leila Haddad')).toBeTruthy();
    expect(waiting.getByText('4 more payments to release')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect([...api.calls('jobs.listed'), ...api.calls('applicants.ofBusiness')]).toEqual([]);
  });

  it('shows recruiters no figures and no link to the money', async () => {
    const { api } = open({}, { role: 'recruiter' });
    await part('Waiting for you');
    expect(await screen.findByText('€50')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add money' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Statement' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Figures' })).toBeNull();
    expect(api.calls('dashboard.figures')).toEqual([]);
  });
});

describe('sending money back before the business closes', () => {
  const path = '/tabs/menu/business?refund';

  it('opens directly from the link, with the whole amount', async () => {
    open({}, { path: `${path}=all` });
    const dialog = within(await screen.findByRole('dialog', { name: 'Send money back' }));
    expect(dialog.getByRole('button', { name: 'Send €50 back' })).toBeTruthy();
    expect(await dialog.findByLabelText('Amount')).toBeTruthy();
  });

  it('says that an empty balance has nothing to send back', async () => {
    open({ 'wallet.get': sampleWallet({ availableMinor: 0, canManage: true }) }, { path });
    const dialog = within(await screen.findByRole('dialog', { name: 'Send money back' }));
    expect(dialog.getByText('There’s no money to send back.')).toBeTruthy();
    expect(dialog.queryByLabelText('Amount')).toBeNull();
  });

  it("isn't opened by a link without permission", async () => {
    open({}, { path, role: 'recruiter' });
    await screen.findByText('€50');
    expect(screen.queryByRole('dialog', { name: 'Send money back' })).toBeNull();
  });
});

describe('adding money', () => {
  const path = '/tabs/menu/business?add=5000';
  const sheet = async () => within(await screen.findByRole('dialog', { name: 'Add money' }));
  const amount = (dialog: Awaited<ReturnType<typeof sheet>>) => dialog.getByRole<HTMLInputElement>('textbox');

  it('starts with an amount missing elsewhere', async () => {
    open({}, { path });
    expect(amount(await sheet()).value).toBe('50');
  });

  it("isn't opened by a link without permission", async () => {
    open({}, { path, role: 'recruiter' });
    await screen.findByText('€50');
    expect(screen.queryByRole('dialog', { name: 'Add money' })).toBeNull();
  });

  it('requires the minimum, and charges the card once', async () => {
    const { api } = open(
      { 'wallet.topUp': sampleCharge({ purpose: 'top_up', amountMinor: 5_000 }), 'charges.get': never },
      { path },
    );
    const dialog = await sheet();
    fireEvent.change(amount(dialog), { target: { value: '1' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Add money' }));
    expect(dialog.getByText(/^At least/)).toBeTruthy();
    fireEvent.change(amount(dialog), { target: { value: '50' } });
    const send = dialog.getByRole('button', { name: 'Add €50' });
    fireEvent.click(send);
    fireEvent.click(send);
    expect(await dialog.findByText(/Charging €50/)).toBeTruthy();
    expect(api.inputs('wallet.topUp')).toMatchObject([
      { businessId: sampleBusiness().id, amountMinor: 5_000, currency: 'EUR', cardId: id('a1') },
    ]);
  });

  it('with a lost response is resent with the same key', async () => {
    const { api } = open(
      {
        'wallet.topUp': () => {
          throw networkError();
        },
      },
      { path },
    );
    const dialog = await sheet();
    await press('Add €50');
    expect(await dialog.findByText(/reach|connection/i)).toBeTruthy();
    expect(amount(dialog).value).toBe('50');
    api.on({
      'wallet.topUp': sampleCharge({ purpose: 'top_up', status: 'succeeded', amountMinor: 5_000 }),
      'charges.get': never,
    });
    await press('Add €50');
    await waitFor(() => expect(api.calls('wallet.topUp')).toHaveLength(2));
    const [first, second] = api.calls('wallet.topUp').map(({ idempotencyKey }) => idempotencyKey);
    expect(second).toBe(first);
  });

  it('shows why the card was declined, and accepts another one', async () => {
    const { api } = open(
      {
        'wallet.topUp': ({ cardId }) =>
          sampleCharge({
            purpose: 'top_up',
            ...(cardId === id('a1')
              ? { status: 'failed', failure: 'card_declined' }
              : { id: id('c2'), status: 'succeeded' }),
            amountMinor: 5_000,
          }),
        'charges.get': never,
      },
      { path },
    );
    const dialog = await sheet();
    await press('Add €50');
    expect(await dialog.findByText(/The bank declined this card/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('radio', { name: /4242/ }));
    await press('Add €50');
    expect(await screen.findByText('€50 added to the balance')).toBeTruthy();
    const keys = api.calls('wallet.topUp').map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(2);
  });
});
