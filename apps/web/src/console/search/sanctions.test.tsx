import { textFor } from '@nearhand/contract/texts-by-language';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { ImposeSanction } from './sanctions.tsx';

const id = '01a1fbbc-d019-79f0-8086-994049deb373';

it('suspends only for a chosen time, and after a look at what it stops', async () => {
  const item = {
    kind: 'business' as const,
    id,
    title: 'Kopi Crumb',
    status: 'verified' as const,
    of: null,
    email: null,
    createdAt: '2026-11-01T09:00:00.000Z',
  };
  const { api } = renderPart(
    <ImposeSanction
      item={item}
      running={{ openJobs: 4, bookings: 1 }}
      access={{ reason: 'They wrote about it' }}
      onChange={async () => {}}
    />,
    {
      session: 'worker',
      api: {
        'sanctions.impose': () => {
          throw refuse('sanction/not-possible');
        },
      },
    },
  );
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
  const choose = (label: RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  await press('Decide about this business');
  fireEvent.click(screen.getByRole('radio', { name: /^Suspend/ }));
  choose(/^Which rule/, 'real-jobs');
  choose(/^Start from a template/, 'nl');
  choose(/^Start from a template/, 'en');
  const { value } = screen.getByLabelText<HTMLTextAreaElement>(/^Facts/);
  expect(textFor(value, 'en')).toBe('The job does not exist as it was posted.');
  expect(textFor(value, 'nl')).toBe('De klus bestaat niet zoals die is geplaatst.');
  await press('Start the suspension');
  await screen.findByText('Choose how long it lasts.');
  choose(/^For how long/, 'endless');
  await press('Start the suspension');
  await screen.findByText('Suspend Kopi Crumb?');
  await screen.findByText(/until it is lifted\. 4 jobs are hidden\. 1 booking goes on\. It is notified/);
  expect(api.calls('sanctions.impose')).toEqual([]);
  await press('Suspend');
  await screen.findByRole('alert');
  expect(api.inputs('sanctions.impose')).toMatchObject([{ measure: 'suspension', endsAt: null }]);
});
