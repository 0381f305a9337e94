import type { OpenChargeback } from '@nearhand/contract/trust/chargebacks';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { ChargebackFacts } from './chargeback-facts.tsx';

const chargeId = '0193aaaa-0000-7000-8000-00000000000a';
const chargeback = {
  chargeId,
  business: { id: chargeId, name: 'Bar Noord' },
  purpose: 'hold' as const,
  description: 'Barista on Saturday',
  currency: 'EUR' as const,
  amountMinor: 10_890,
  chargebackMinor: 10_890,
  borneMinor: 0,
  providerRef: 'pi_1',
  engagementId: null,
  chargedAt: '2026-11-20T09:00:00.000Z',
};
const open: OpenChargeback = {
  ref: 'dp_1',
  amountMinor: 10_890,
  openedAt: '2026-11-21T09:00:00.000Z',
  answerBy: '2026-12-05T09:00:00.000Z',
  answer: null,
};
const show = (state: Partial<OpenChargeback> | null, mine = true) =>
  renderPart(<ChargebackFacts chargeback={chargeback} mine={mine} />, {
    session: 'worker',
    api: {
      'chargebacks.evidence': {
        open: state === null ? [] : [{ ...open, ...state }],
        text: 'The work was done.',
        pdf: null,
      },
      'chargebacks.answer': { ref: 'dp_1', status: 'created' },
    },
  });

describe('the answer to a chargeback', () => {
  it('starts from the record, and is sent after a confirmation', async () => {
    const { api } = show({});
    const field = await screen.findByLabelText('Answer');
    expect(field).toHaveProperty('value', 'The work was done.');
    fireEvent.change(field, { target: { value: 'They worked. The work was done.' } });
    const ask = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Send to the bank' }));
      return screen.findByRole('alertdialog', { name: 'Send this answer?' });
    };
    fireEvent.click(within(await ask()).getByRole('button', { name: 'Not yet' }));
    expect(api.calls('chargebacks.answer')).toEqual([]);
    fireEvent.click(within(await ask()).getByRole('button', { name: 'Send to the bank' }));
    await screen.findByText('Answer on its way to the bank');
    expect(api.calls('chargebacks.answer')).toMatchObject([
      { input: { chargeId, ref: 'dp_1', text: 'They worked. The work was done.' } },
    ]);
  });

  it.each([
    [{ answerBy: null }, 'This chargeback can’t be answered.'],
    [
      { answerBy: null, answer: { status: 'sent' as const, by: 'Jonas Weber', at: open.openedAt } },
      /^Sent to the bank\. Its decision will appear here\. Jonas Weber/,
    ],
    [null, 'Answer it at the payment provider. The outcome arrives from there.'],
  ])('shows what is left to do (%#)', async (state, words) => {
    show(state);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByLabelText('Answer')).toBeNull();
  });

  it('requires the operator who claimed the case', async () => {
    const { api } = show({}, false);
    expect(await screen.findByText('Claim the case to read the record and to answer.')).toBeTruthy();
    expect(api.calls('chargebacks.evidence')).toEqual([]);
  });
});
