import { screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleCharge } from '../wallet/wallet.fixtures.ts';
import ReturnedCharge from './returned-charge.tsx';

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

const { id } = sampleCharge();
const back = (charge: () => unknown) =>
  renderPart(
    <>
      <ReturnedCharge />
      <Address />
    </>,
    {
      path: `/create-job?job=7&charge=${id}`,
      session: 'business',
      api: { 'charges.get': charge as never, 'wallet.get': refuse as never },
    },
  );

describe('coming back from the bank', () => {
  it('shows on the same page when the money arrived, then forgets the charge', async () => {
    let status: 'processing' | 'succeeded' = 'processing';
    const { api } = back(() => sampleCharge({ purpose: 'top_up', status, amountMinor: 4_000 }));
    await waitFor(() => expect(screen.getByText('/create-job?job=7')).toBeTruthy());
    await waitFor(() => expect(api.inputs('charges.get')).toContainEqual({ chargeId: id }));
    expect(screen.queryByText(/added to your balance/)).toBeNull();
    status = 'succeeded';
    expect(await screen.findByText('€40 added to your balance', {}, { timeout: 10_000 })).toBeTruthy();
  });

  it("shows why the payment wasn't confirmed", async () => {
    back(() => sampleCharge({ status: 'failed', failure: 'authentication_failed' }));
    expect(await screen.findByText(/The payment wasn't confirmed/)).toBeTruthy();
  });
});
