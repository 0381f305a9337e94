import type { Budget, BudgetRequest } from '@nearhand/contract/money/budgets';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { problemAt, type } from '../../../test/typing.ts';
import { BudgetNotes, MyBudget, OverBudget } from './budgets.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const budget = (change: Partial<Budget> = {}): Budget => ({
  period: 'month',
  from: '2026-12-01',
  kind: 'member',
  branchId: null,
  memberId: id('05'),
  name: 'Sam Okafor',
  limitMinor: 50_000,
  raisedMinor: 0,
  usedMinor: 45_325,
  ...change,
});
const request: BudgetRequest = {
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
  createdAt: '2026-11-21T10:00:00.000Z',
  startsAt: '2026-12-04T09:00:00.000Z',
  timeZone: 'Europe/Amsterdam',
  exceeded: [budget()],
  reason: '',
};
const list = (change: Partial<AnswerOf<'budgets.list'>> = {}): AnswerOf<'budgets.list'> => ({
  day: '2026-12-02',
  currency: 'EUR',
  budgets: [
    budget({ kind: 'business', memberId: null, name: '', limitMinor: null, usedMinor: 120_000 }),
    budget({
      kind: 'branch',
      memberId: null,
      branchId: id('04'),
      name: 'Jordaan',
      limitMinor: 40_000,
      usedMinor: 42_075,
    }),
    budget(),
  ],
  requests: [request],
  canChange: true,
  ...change,
});
const open = (api: Handlers = {}) =>
  renderApp('/merchant-transaction?show=budgets', {
    session: 'business',
    now: '2026-12-02T10:00:00Z',
    api: {
      'businesses.mine': [sampleBusiness()],
      'engagements.forBusiness': never,
      'interviews.mine': never,
      'budgets.list': list(),
      ...api,
    },
  });

describe('the budgets of a business', () => {
  it('open at the month of the first request, and stay there after the decision', async () => {
    const onDay = (day: string, requests: BudgetRequest[]) => list({ day, requests });
    let requests = [request];
    const { api } = open({
      'budgets.list': ({ day }) => onDay(day ?? '2026-11-30', requests),
      'budgets.decide': () => {
        requests = [];
        return { ...request, status: 'approved' as const };
      },
    });
    expect(await screen.findByRole('heading', { name: 'Budgets for December 2026' })).toBeTruthy();
    await press('Approve €121');
    await waitFor(() => expect(screen.queryByText('Budget requests')).toBeNull());
    expect(screen.getByRole('heading', { name: 'Budgets for December 2026' })).toBeTruthy();
    expect(api.inputs('budgets.list').some(({ day }) => day === '2026-12-01')).toBe(true);
  });

  it('show the remaining or exceeded amount, and change at the field', async () => {
    const { api } = open({ 'budgets.set': list() });
    expect((await screen.findByText('€46.75 left of €500')).closest('li')?.textContent).toContain(
      'Sam Okafor',
    );
    expect(screen.getByText('€420.75 used of €400: €20.75 over').closest('li')?.textContent).toContain(
      'Jordaan',
    );
    expect(screen.getByText('€1,200 used')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: /Sam Okafor/ }));
    for (const [text, problem] of [
      ['0', 'Enter more than 0'],
      ['abc', 'Enter an amount'],
      ['', 'Enter an amount'],
      ['99999999999', 'At most'],
    ] as const) {
      type('Monthly limit', text);
      await press('Save limit');
      expect(problemAt('Monthly limit')).toContain(problem);
    }
    expect(api.calls('budgets.set')).toEqual([]);
    type('Monthly limit', '600,50');
    await press('Save limit');
    await waitFor(() =>
      expect(api.calls('budgets.set').map(({ input }) => input)).toMatchObject([
        { period: 'month', branchId: null, memberId: id('05'), limitMinor: 60_050 },
      ]),
    );
  });

  it('let only an owner decide on requests', async () => {
    const { api } = open({
      'budgets.decide': ({ approve }) => ({ ...request, status: approve ? 'approved' : 'refused' }),
    });
    await press('Approve €121');
    await waitFor(() =>
      expect(api.calls('budgets.decide').map(({ input }) => input)).toEqual([
        { budgetRequestId: id('07'), approve: true, reason: '' },
      ]),
    );
  });

  it('show an owner the job, its time and the limit, and send the reason for a rejection', async () => {
    const { api } = open({ 'budgets.decide': { ...request, status: 'refused' } });
    const row = (await screen.findByText('Sam Okafor wants to set aside €121')).closest('li');
    expect(row?.textContent).toMatch(/Barista · Fri.4.Dec, 10:00/);
    expect(row?.textContent).toContain('For Kerem Aydin, at €18.50 an hour');
    expect(row?.textContent).toContain(
      'Sam Okafor, December 2026: €453.25 used of €500. This goes €74.25 over it.',
    );
    await press('Refuse');
    fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: 'December is full.' } });
    const sheet = screen.getByRole('dialog', { name: 'Refuse Sam Okafor’s request for €121?' });
    expect(within(sheet).getByText('Barista, Kerem Aydin')).toBeDefined();
    fireEvent.click(within(sheet).getByRole('button', { name: 'Refuse' }));
    await waitFor(() =>
      expect(api.inputs('budgets.decide')).toEqual([
        { budgetRequestId: id('07'), approve: false, reason: 'December is full.' },
      ]),
    );
  });

  it('keep the reason of a rejection that fails', async () => {
    open({ 'budgets.decide': () => Promise.reject(refuse('budget/decided')) });
    await press('Refuse');
    fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: 'December is full.' } });
    const sheet = screen.getByRole('dialog', { name: 'Refuse Sam Okafor’s request for €121?' });
    fireEvent.click(within(sheet).getByRole('button', { name: 'Refuse' }));
    expect(await within(sheet).findByRole('alert')).toBeDefined();
    expect(within(sheet).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('December is full.');
  });

  it('are read-only for a manager', async () => {
    open({ 'budgets.list': list({ canChange: false }) });
    const section = (await screen.findByText('Budget requests')).closest('section') as HTMLElement;
    expect(within(section).queryByRole('button')).toBeNull();
    expect(screen.queryByRole('button', { name: /Sam Okafor/ })).toBeNull();
    expect(screen.getByText(/Only owners can change them/)).toBeDefined();
  });
});

describe('the budgets of a week', () => {
  it('are listed apart, changed as such, and step by week', async () => {
    const { api } = open({
      'budgets.list': ({ day }) =>
        list({
          day: day ?? '2026-12-02',
          requests: [],
          budgets: [budget(), budget({ period: 'week', from: '2026-11-30', limitMinor: 12_000 })],
        }),
      'budgets.set': list(),
    });
    fireEvent.click(await screen.findByRole('radio', { name: 'By week' }));
    expect(
      (await screen.findByRole('heading', { name: /Budgets for the week of Mon.30.Nov/ })).textContent,
    ).toBeTruthy();
    await press('Next week');
    await waitFor(() => expect(api.inputs('budgets.list').at(-1)).toMatchObject({ day: '2026-12-07' }));
    fireEvent.click(await screen.findByRole('button', { name: /Sam Okafor/ }));
    type('Weekly limit', '0');
    await press('Save limit');
    expect(problemAt('Weekly limit')).toContain('Enter more than 0');
    type('Weekly limit', '150');
    await press('Save limit');
    await waitFor(() =>
      expect(api.inputs('budgets.set')).toMatchObject([{ period: 'week', limitMinor: 15_000 }]),
    );
  });
});

describe('the own limit of a member', () => {
  it("shows this month's remaining amount", async () => {
    renderPart(<MyBudget businessId={id('01')} />, {
      session: 'business',
      api: { 'budgets.mine': { currency: 'EUR', budgets: [budget()] } },
    });
    expect(await screen.findByText('December 2026')).toBeDefined();
    expect(screen.getByText('€46.75 left of €500')).toBeDefined();
  });
});

describe('a job over budget', () => {
  const data = {
    jobId: id('08'),
    amountMinor: 12_100,
    kind: 'member',
    name: 'Sam Okafor',
    period: 'month',
    from: '2026-12-01',
    overMinor: 7_425,
    currency: 'EUR',
  } as const;

  it('asks the owners once it is stored', async () => {
    const { api } = renderPart(<OverBudget data={data} canAsk />, {
      session: 'business',
      api: { 'budgets.ask': request },
    });
    expect(screen.getByText(/€74.25 over budget \(your limit, December 2026\)/)).toBeDefined();
    await press('Ask an owner');
    expect(await screen.findByText(/You asked the owners/)).toBeDefined();
    expect(api.inputs('budgets.ask')).toEqual([{ jobId: id('08'), period: 'month', amountMinor: 12_100 }]);
  });

  it("is saved as a draft first if it isn't", () => {
    renderPart(<OverBudget data={data} canAsk={false} />, { session: 'business', api: {} });
    expect(screen.getByText(/Save it as a draft/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Ask an owner' })).toBeNull();
  });
});

describe('the note at an offer', () => {
  const note = (change: Partial<AnswerOf<'budgets.forJob'>> = {}, api: Handlers = {}) =>
    renderPart(<BudgetNotes offers={[{ job: { jobId: id('08') }, amountMinor: 12_100 }]} />, {
      session: 'business',
      api: {
        'budgets.forJob': {
          currency: 'EUR',
          budgets: [budget({ kind: 'branch', name: 'Jordaan', limitMinor: 900_000 }), budget()],
          mayExceed: false,
          requests: [],
          ...change,
        },
        ...api,
      },
    });

  it('shows the remaining amount of the tightest budget', async () => {
    note({
      budgets: [budget({ usedMinor: 0 }), budget({ kind: 'branch', name: 'Jordaan', limitMinor: 900_000 })],
    });
    expect(
      await screen.findByText(/€379 of the budget left after this \(your limit, December 2026\)/),
    ).toBeDefined();
  });

  it('asks an owner once, and shows why not', async () => {
    const { api } = note({}, { 'budgets.ask': () => Promise.reject(refuse('budget/not-exceeded')) });
    expect(await screen.findByText(/€74.25 over budget \(your limit, December 2026\)/)).toBeDefined();
    await press('Ask an owner');
    expect(await screen.findByText(/This fits the budget/)).toBeDefined();
    expect(api.calls('budgets.ask').map(({ input }) => input)).toEqual([
      { jobId: id('08'), period: 'month', amountMinor: 12_100 },
    ]);
  });

  it('excludes the offer that the new one replaces', async () => {
    const { api } = renderPart(
      <BudgetNotes offers={[{ job: { jobId: id('08'), replaces: id('09') }, amountMinor: 12_100 }]} />,
      {
        session: 'business',
        api: {
          'budgets.forJob': {
            currency: 'EUR',
            budgets: [budget()],
            mayExceed: false,
            requests: [],
          },
          'budgets.ask': request,
        },
      },
    );
    await press('Ask an owner');
    const sent = { jobId: id('08'), replaces: id('09') };
    expect(api.calls('budgets.forJob')[0]?.input).toMatchObject(sent);
    await waitFor(() => expect(api.calls('budgets.ask')[0]?.input).toMatchObject(sent));
  });

  it('waits for the reply to the same amount, and lets an owner exceed it', async () => {
    const waiting = note({ requests: [request] });
    expect(await screen.findByText(/You asked the owners/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Ask an owner' })).toBeNull();
    waiting.unmount();
    note({ mayExceed: true });
    expect(await screen.findByText(/As an owner, you can still make the offer/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Ask an owner' })).toBeNull();
  });
});
