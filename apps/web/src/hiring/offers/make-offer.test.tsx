import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { sampleOffer } from '../../../test/offers.samples.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleWallet } from '../../money/wallet/wallet.samples.ts';
import { sampleWork } from '../../work/engagements/engagements.samples.ts';
import { sampleJob } from '../jobs/jobs.samples.ts';
import { MakeOffer } from './make-offer.part.tsx';

it('sends an offer once, however fast it is pressed', async () => {
  const { terms } = sampleWork();
  const onDone = vi.fn();
  const { api } = renderPart(
    <MakeOffer
      applicationId="0193aaaa-0000-7000-8000-0000000000c1"
      jobId={sampleJob().id}
      workerName="Leila Haddad"
      onDone={onDone}
      onMade={vi.fn()}
      onClose={vi.fn()}
    />,
    {
      session: 'merchant',
      api: {
        'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
        'jobs.get': sampleJob(),
        'offers.preview': {
          terms,
          seatsFree: 1,
          expiresAt: '2100-01-01T00:00:00Z',
          workerBooked: false,
          balanceMinor: 9_000_000,
        },
        'offers.make': sampleOffer(),
      },
    },
  );
  fireEvent.click(await screen.findByRole('radio', { name: /balance/i }));
  const offer = screen.getByRole('button', { name: /^Offer / });
  fireEvent.click(offer);
  fireEvent.click(offer);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(api.calls('offers.make')).toHaveLength(1);
});
