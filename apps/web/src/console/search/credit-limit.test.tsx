import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { CreditLimitCard } from './credit-limit.tsx';

const businessId = '01a1fbbc-d019-79f0-8086-994049deb373';
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

it('refuses less than is owed and more for an unverified business, and ends a limit', async () => {
  const { api } = await renderPart(
    <CreditLimitCard businessId={businessId} access={{ reason: 'They asked to pay by invoice' }} />,
    {
      session: 'worker',
      api: {
        'secondApprovals.creditLimit': {
          currency: 'EUR',
          limitMinor: 50_000,
          owedMinor: 20_000,
          ended: false,
          aloneMinor: 100_000,
          mayRaise: false,
          changes: [],
        },
        'secondApprovals.setCreditLimit': ({ limitMinor }) => ({
          state: limitMinor === 0 ? ('set' as const) : ('waiting' as const),
        }),
      },
    },
  );
  await press('Open the credit limit');
  await type(/^Reason/, 'They have always paid on time.');
  await press('Set the limit');
  await screen.findByText('Enter an amount; 0 ends the limit.');
  await type(/^New limit/, '199.99');
  await press('Set the limit');
  await screen.findByText('The business owes €200. Enter that or more, or 0.');
  await type(/^New limit/, '500.01');
  await press('Set the limit');
  await screen.findByText('The business isn’t verified, so its limit can only be lowered or ended.');
  await type(/^New limit/, '1000.01');
  await screen.findByRole('button', { name: 'Ask a second person' });
  await type(/^New limit/, '0');
  await press('Set the limit');
  await screen.findByText('Limit set');
  expect(api.inputs('secondApprovals.setCreditLimit')).toEqual([
    { businessId, limitMinor: 0, currency: 'EUR', reason: 'They have always paid on time.' },
  ]);
});
