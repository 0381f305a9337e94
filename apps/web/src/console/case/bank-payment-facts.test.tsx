import type { UnmatchedPayment } from '@nearhand/contract/money/bank-transfers';
import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { apiQuery } from '../console-api.ts';
import { BankPaymentFacts } from './bank-payment-facts.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const payment: UnmatchedPayment = {
  id: id('01'),
  bookedOn: '2026-11-20',
  amountMinor: 25_005,
  currency: 'EUR',
  payerName: 'Lindengracht Horeca BV',
  payerEnding: '6769',
  remittance: 'Top up',
  state: 'unmatched',
  reason: 'no_reference',
  receivedAt: '2026-11-21T09:00:00.000Z',
  suggestions: [
    {
      businessId: id('b1'),
      name: 'Bar Noord',
      legalName: 'Lindengracht Horeca BV',
      because: ['name', 'account'],
      problem: null,
    },
    {
      businessId: id('b9'),
      name: 'Bar Oost',
      legalName: 'Oost BV',
      because: ['reference'],
      problem: 'not_verified',
    },
  ],
};
const barZuid = {
  kind: 'business' as const,
  id: id('b2'),
  title: 'Bar Zuid',
  status: 'verified' as const,
  of: null,
  email: null,
  createdAt: '2026-11-01T09:00:00.000Z',
  similar: false,
};
const show = (mine = true) =>
  renderPart(
    <Routes>
      <Route path="/" element={<BankPaymentFacts payment={payment} mine={mine} />} />
      <Route path="/cases" element="The queue" />
    </Routes>,
    {
      session: 'worker',
      api: {
        'staffSearch.find': { items: [barZuid], nextCursor: null },
        'bankTransfers.assign': { ...payment, state: 'credited', reason: null },
        'bankTransfers.sendBack': { ...payment, state: 'sent_back' },
      },
    },
  );
const answer = async (title: string, button: string) => {
  const dialog = within(await screen.findByRole('alertdialog', { name: title }));
  fireEvent.click(dialog.getByRole('button', { name: button }));
};

describe('an unmatched transfer', () => {
  it('is only read without the claim', () => {
    show(false);
    expect(screen.getByText('Lindengracht Horeca BV')).toBeTruthy();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('is added to a balance after a question, and the closed case is not read again', async () => {
    const { api } = show();
    expect(screen.getByText(/has the payer’s name, got money from this account before/)).toBeTruthy();
    expect(
      screen.getByText(/has a number that was written \(check every digit\), the business isn’t verified/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add to Bar Oost' })).toBeNull();
    const refetch = vi.spyOn(queryClient, 'invalidateQueries');
    fireEvent.click(screen.getByRole('button', { name: 'Add to Bar Noord' }));
    await answer('Add €250.05 to the balance of Bar Noord?', 'Not yet');
    expect(api.calls('bankTransfers.assign')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Add to Bar Noord' }));
    await answer('Add €250.05 to the balance of Bar Noord?', 'Add €250.05');
    await screen.findByText('The queue');
    expect(api.inputs('bankTransfers.assign')).toEqual([{ bankPaymentId: id('01'), businessId: id('b1') }]);
    expect(refetch.mock.calls.map(([filters]) => filters)).toEqual([
      { queryKey: apiQuery.cases.key(), refetchType: 'none' },
      { queryKey: apiQuery.cases.counts.key() },
    ]);
  });

  it('is added to a business that the operator finds by name, for the case', async () => {
    const { api } = show();
    const box = screen.getByLabelText(/^Find the business/);
    fireEvent.change(box, { target: { value: 'ba' } });
    expect(screen.queryByText('Enter at least 3 characters.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(await screen.findByText('Enter at least 3 characters.')).toBeTruthy();
    fireEvent.change(box, { target: { value: 'Bar Zuid ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Add to Bar Zuid' }));
    await answer('Add €250.05 to the balance of Bar Zuid?', 'Add €250.05');
    await screen.findByText('The queue');
    expect(api.inputs('staffSearch.find')).toEqual([{ kind: 'business', words: 'Bar Zuid', limit: 10 }]);
    expect(api.inputs('bankTransfers.assign')).toEqual([{ bankPaymentId: id('01'), businessId: id('b2') }]);
  });

  it('says that businesses only have similar names or that more match, and adds to verified ones only', async () => {
    const { api } = show();
    const barWest = { ...barZuid, id: id('b3'), title: 'Bar West', status: 'submitted' as const };
    api.on({
      'staffSearch.find': ({ words }) =>
        words === 'Bar Zuit'
          ? { items: [{ ...barZuid, similar: true }], nextCursor: null }
          : { items: [barZuid, barWest], nextCursor: 'next' },
    });
    const search = (words: string) => {
      fireEvent.change(screen.getByLabelText(/^Find the business/), { target: { value: words } });
      fireEvent.click(screen.getByRole('button', { name: 'Search' }));
    };
    search('Bar Zuit');
    expect(await screen.findByText(/These are similar/)).toBeTruthy();
    expect(screen.queryByText(/^More businesses match/)).toBeNull();
    search('Bar');
    expect(await screen.findByText(/^More businesses match/)).toBeTruthy();
    expect(screen.queryByText(/These are similar/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Add to Bar Zuid' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Bar West' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add to Bar West' })).toBeNull();
  });

  it('keeps the note of a return until it is recorded', async () => {
    const { unmount } = show();
    fireEvent.change(screen.getByLabelText(/^How and why/), { target: { value: 'Paid twice' } });
    unmount();
    const { api } = show();
    expect(screen.getByLabelText(/^How and why/)).toHaveProperty('value', 'Paid twice');
    fireEvent.click(screen.getByRole('button', { name: 'It was sent back' }));
    await answer('Did our bank send €250.05 back?', 'It was sent back');
    await screen.findByText('The queue');
    expect(api.inputs('bankTransfers.sendBack')).toEqual([{ bankPaymentId: id('01'), note: 'Paid twice' }]);
  });
});
