import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { TransparencyPage } from './transparency-page.tsx';

const outcomes = { received: 0, medianHours: null };

it('opens on the last month, and on this month at a press', async () => {
  const { api } = renderPart(<TransparencyPage />, {
    session: 'worker',
    api: {
      'transparency.report': ({ from, until }) => ({
        from,
        until,
        notices: { ...outcomes, actioned: 0, dismissed: 0 },
        decisions: [],
        automatedDetections: 0,
        authorityReports: 0,
        appeals: { ...outcomes, upheld: 0, overturned: 0 },
      }),
    },
  });
  const today = new Date().toISOString().slice(0, 10);
  const firstDay = `${today.slice(0, 8)}01`;
  const last = await screen.findByRole('button', { name: 'Last month', pressed: true });
  expect(last).toBeTruthy();
  expect((api.inputs('transparency.report').at(-1) as { until: string }).until < firstDay).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'This month so far' }));
  await waitFor(() =>
    expect(api.inputs('transparency.report').at(-1)).toEqual({ from: firstDay, until: today }),
  );
});
