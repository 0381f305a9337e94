import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { AnswerOf, Handlers } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { BankTransfer } from './bank-transfer.tsx';

const view: AnswerOf<'bankTransfers.get'> = {
  problem: null,
  account: { holder: 'Nearhand client money', iban: 'BE71096123456769', bic: '', bankName: 'Belfius' },
  reference: 'RF60NH10000001',
  code: 'BCD',
  test: true,
  payments: [
    {
      id: '0193aaaa-0000-7000-8000-000000000001',
      bookedOn: '2026-11-20',
      amountMinor: 25_005,
      currency: 'EUR',
      payerName: 'Lindengracht Horeca BV',
    },
  ],
};
const open = (api: Handlers = {}) =>
  renderPart(<BankTransfer business={sampleBusiness()} />, {
    session: 'business',
    api: { 'bankTransfers.get': view, ...api },
  });

describe('BankTransfer', () => {
  it('shows account and reference in fours, copies them bare, and lists what arrived', async () => {
    const writeText = vi.fn(async () => {});
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    open();
    expect(await screen.findByText('RF60 NH10 0000 01')).toBeTruthy();
    expect(screen.getByText('BE71 0961 2345 6769')).toBeTruthy();
    expect(screen.queryByText('BIC')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Copy: Reference' }));
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith('RF60NH10000001'));
    expect(screen.getByText('€250.05')).toBeTruthy();
  });

  it('makes a test transfer of the typed amount with a test provider only', async () => {
    const makeTest = vi.fn(() => ({ state: 'credited' as const }));
    open({ 'bankTransfers.makeTest': makeTest });
    fireEvent.change(await screen.findByLabelText('Amount'), { target: { value: '12.50' } });
    fireEvent.click(screen.getByRole('button', { name: 'Make a test transfer' }));
    await vi.waitFor(() => expect(makeTest).toHaveBeenCalled());
    expect(makeTest.mock.calls[0]).toMatchObject([{ amountMinor: 1_250 }, {}]);
  });

  it.each([
    ['off', /don’t take bank transfers yet/],
    ['other_currency', /in EUR only/],
    ['not_verified', /Verify your business first/],
  ] as const)('says why there is no transfer: %s', async (problem, text) => {
    open({ 'bankTransfers.get': { ...view, problem, account: null, reference: null, code: null } });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText('Make a test transfer')).toBeNull();
  });
});
