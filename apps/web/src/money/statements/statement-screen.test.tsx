import type { StatementLine } from '@nearhand/contract/money/statements';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, setOnline } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { BusinessLines } from './business-lines.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const line = (change: Partial<StatementLine> = {}): StatementLine => ({
  id: id('51'),
  at: '2026-11-20T15:00:00Z',
  kind: 'release',
  amountMinor: 10_800,
  grossMinor: 10_800,
  feeMinor: 0,
  currency: 'EUR',
  balanceMinor: 25_800,
  about: 'Weekend barista',
  workOn: null,
  party: 'Kopi & Crumb',
  status: 'paid',
  engagementId: id('e1'),
  withdrawalId: null,
  ...change,
});
const elementText = ({ textContent }: Element) => textContent.replaceAll('\u00a0', ' ');
const statement = (
  items: StatementLine[],
  change: Partial<AnswerOf<'statements.mine'>> = {},
): AnswerOf<'statements.mine'> => ({
  items,
  nextCursor: null,
  currency: 'EUR',
  currencies: ['EUR'],
  timeZone: 'Europe/Amsterdam',
  totals: {
    openingMinor: 0,
    inMinor: 10_800,
    outMinor: 2_000,
    closingMinor: 8_800,
    earnedMinor: 10_800,
    tipsMinor: 500,
    feesMinor: 0,
    withdrawnMinor: 2_000,
  },
  ...change,
});

function open(api: Handlers = {}, path = '/user-transaction') {
  return renderApp(path, {
    session: 'worker',
    now: '2026-11-21T10:00:00Z',
    api: { 'statements.mine': statement([line()]), ...api },
  });
}

describe('the statement of a worker', () => {
  it('shows what came in, what went out and what is left', async () => {
    open();
    const text = (await screen.findByLabelText('Totals')).textContent;
    for (const part of ['€108', '€5', '€20', '€88']) expect(text).toContain(part);
    expect(screen.getByText('+€108')).toBeTruthy();
  });

  it('shows where pay will appear when empty', async () => {
    open({ 'statements.mine': statement([]) });
    expect(await screen.findByText('Your pay, tips and withdrawals will appear here.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find work nearby' })).toBeTruthy();
  });

  it('keeps its filters in the address, and can be cleared without matches', async () => {
    const { api } = open({
      'statements.mine': ({ group }) => statement(group === 'tips' ? [] : [line()]),
    });
    fireEvent.click(await screen.findByRole('radio', { name: 'Tips' }));
    expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy();
    expect(address()).toBe('/user-transaction?group=tips');
    await press('Clear filters');
    expect(await screen.findByText('Kopi & Crumb')).toBeTruthy();
    expect(address()).toBe('/user-transaction');
    expect(api.inputs('statements.mine').map(({ group }) => group)).toEqual(['all', 'tips', 'all']);
  });

  it("loads the address's month, both days included, and ignores an invalid one", async () => {
    const first = open({}, '/user-transaction?month=2026-02');
    await screen.findByText('Kopi & Crumb');
    expect(first.api.inputs('statements.mine')[0]).toMatchObject({ from: '2026-02-01', to: '2026-02-28' });
    first.unmount();
    const second = open({}, '/user-transaction?month=2026-13');
    await screen.findByText('Kopi & Crumb');
    expect(second.api.inputs('statements.mine')[0]?.from).toBeUndefined();
  });

  it('shows an error with a retry, and stays available without a network', async () => {
    const { api } = open({
      'statements.mine': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your statement")).toBeTruthy();
    api.on({ 'statements.mine': statement([line()]) });
    await press('Try again');
    expect(await screen.findByText('Kopi & Crumb')).toBeTruthy();
    setOnline(api, false);
    fireEvent.click(screen.getByRole('radio', { name: 'Tips' }));
    fireEvent.click(screen.getByRole('radio', { name: 'All' }));
    expect(await screen.findByText('Kopi & Crumb')).toBeTruthy();
  });

  it('downloads the receipt of a payment from its line, or shows why not', async () => {
    const detail: AnswerOf<'statements.line'> = {
      ...line(),
      parts: [],
      evidence: {
        startsAt: null,
        endsAt: null,
        checkedInAt: null,
        checkedOutAt: null,
        paidMinutes: null,
        approvedAt: null,
        approvedBy: null,
        timeZone: null,
      },
      receiptId: id('61'),
      invoiceId: null,
      branch: null,
      invoiceNumber: null,
    };
    const { api } = open(
      {
        'statements.line': detail,
        'downloads.receipt': () => {
          throw refuse('statement/not-found');
        },
      },
      `/user-transaction?line=${id('51')}`,
    );
    await press('Receipt');
    expect(await screen.findByText('We can’t find this entry.')).toBeTruthy();
    expect(api.inputs('downloads.receipt')).toEqual([{ receiptId: id('61') }]);
  });

  it('opens a linked line, and shows when it is missing', async () => {
    open(
      {
        'statements.line': () => {
          throw refuse('statement/not-found');
        },
      },
      `/user-transaction?line=${id('77')}`,
    );
    expect(await screen.findByText("We couldn't load this entry")).toBeTruthy();
    expect(screen.getByText('Kopi & Crumb')).toBeTruthy();
  });

  it("is saved as displayed, and shows why it couldn't be", async () => {
    const { api } = open(
      {
        'downloads.statement': () => {
          throw refuse('request/too-many', { retryAfterSeconds: 30 });
        },
      },
      '/user-transaction?group=earned&month=2026-11',
    );
    await screen.findByText('Kopi & Crumb');
    await press('CSV');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(api.inputs('downloads.statement')).toMatchObject([
      { group: 'earned', from: '2026-11-01', to: '2026-11-30', format: 'csv' },
    ]);
  });

  it('keeps the currencies apart', async () => {
    const { api } = open({
      'statements.mine': ({ currency = 'EUR' }) =>
        statement([line({ currency })], { currency, currencies: ['EUR', 'GBP'] }),
    });
    await press('GBP');
    await waitFor(() => expect(address()).toBe('/user-transaction?currency=GBP'));
    expect(await screen.findByText('+£108')).toBeTruthy();
    expect(api.inputs('statements.mine').at(-1)?.currency).toBe('GBP');
  });

  it('loads more lines on demand', async () => {
    open({
      'statements.mine': ({ cursor }) =>
        cursor
          ? statement([line({ id: id('52'), party: 'Hotel Brouwers' })])
          : statement([line()], { nextCursor: 'more' }),
    });
    await press('Show more');
    expect(await screen.findByText('Hotel Brouwers')).toBeTruthy();
    expect(screen.getByText('Kopi & Crumb')).toBeTruthy();
  });
});

describe('the statement of a business', () => {
  it.each([390, 1280])('shows the fee of each entry and their sum under Fees, at %i', async (width) => {
    const empty = { branch: null, paidMinutes: null, invoiceNumber: null };
    const fees = [line({ feeMinor: 1_105 }), line({ id: id('52'), kind: 'correction', feeMinor: -105 })];
    renderApp('/merchant-transaction?group=fees', {
      session: 'business',
      now: '2026-11-21T10:00:00Z',
      width,
      api: {
        'statements.forBusiness': {
          items: fees.map((fee) => ({ ...fee, amountMinor: 0, grossMinor: 12_155, ...empty })),
          nextCursor: null,
          currency: 'EUR',
          currencies: ['EUR'],
          timeZone: 'Europe/Amsterdam',
          totals: {
            openingMinor: 0,
            inMinor: 0,
            outMinor: 0,
            closingMinor: 0,
            balanceMinor: 0,
            heldMinor: 0,
            paidMinor: 11_050,
            feesMinor: 1_000,
            creditOwedMinor: 40_000,
          },
        },
      },
    });
    expect(await screen.findByText('−€11.05')).toBeTruthy();
    expect(screen.getByText('+€1.05')).toBeTruthy();
    expect(screen.getByText('−€10')).toBeTruthy();
    expect(screen.getByText('Credit owed').nextSibling?.textContent).toBe('€400');
    expect(screen.queryByText('€121.55')).toBeNull();
  });

  it('shows the branch, the paid time, negative for reversals, and the invoice', () => {
    const columns = { branch: 'Centrum', paidMinutes: 330, invoiceNumber: 'NHF-2026-000041' };
    renderPart(
      <BusinessLines
        lines={[
          { ...line(), ...columns },
          { ...line({ id: id('52'), kind: 'correction' }), ...columns, paidMinutes: -330 },
          { ...line({ id: id('53'), kind: 'hold' }), branch: null, paidMinutes: null, invoiceNumber: null },
        ]}
        timeZone="Europe/Amsterdam"
        openId={null}
        onOpen={() => {}}
      />,
    );
    const rows = screen.getAllByRole('row').map((row) => [...row.children].map(elementText).slice(3, 6));
    expect(rows).toEqual([
      ['Branch', 'Hours', 'Invoice'],
      ['Centrum', '5 h 30 min', 'NHF-2026-000041'],
      ['Centrum', '−5 h 30 min', 'NHF-2026-000041'],
      ['', '', ''],
    ]);
  });

  it('names the day of the work, and leaves out columns that no entry fills', () => {
    const empty = { branch: null, paidMinutes: null, invoiceNumber: null };
    renderPart(
      <BusinessLines
        lines={[{ ...line({ party: 'Leila Haddad', about: 'Barista', workOn: '2026-12-14' }), ...empty }]}
        timeZone="Europe/Amsterdam"
        openId={null}
        onOpen={() => {}}
      />,
    );
    expect(screen.getAllByRole('columnheader').map(elementText)).toEqual([
      'Date',
      'Entry',
      'For',
      'Status',
      'Amount',
      'Balance',
    ]);
    expect(screen.getByText(/^Leila Haddad, Barista, Mon.14.Dec/)).toBeTruthy();
  });

  it('is its own page for bank transfers, without the views of a statement', async () => {
    renderApp('/merchant-transaction?show=transfer', {
      session: 'business',
      api: {
        'bankTransfers.get': {
          problem: 'off',
          account: null,
          reference: null,
          code: null,
          test: false,
          payments: [],
        },
      },
    });
    expect(await screen.findByRole('heading', { name: 'Add money by bank transfer' })).toBeTruthy();
    expect(await screen.findByText(/don’t take bank transfers yet/)).toBeTruthy();
    expect(screen.queryByRole('radiogroup')).toBeNull();
    expect(document.title).toContain('Add money by bank transfer');
  });

  it('is closed to recruiters, with whom to ask', async () => {
    renderApp('/merchant-transaction', {
      session: 'business',
      api: {
        'businesses.mine': [sampleBusiness({ role: 'recruiter' })],
        'engagements.forBusiness': never,
        'interviews.mine': never,
      },
    });
    const text = await screen.findByText(/it must be Owner, Manager or Finance/);
    expect(within(document.body).queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(text).toBeTruthy();
  });
});
