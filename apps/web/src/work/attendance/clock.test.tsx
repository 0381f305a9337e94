import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement } from '../engagements/engagements.fixtures.ts';
import { queuedAttendance } from './attendance.api.ts';
import { ClockPart } from './clock.tsx';

afterEach(cleanup);

it('accepts the next press while the last one is still being sent on a slow network', async () => {
  const work = sampleEngagement({ status: 'checked_in', actions: ['start-break', 'check-out'] });
  renderPart(<ClockPart work={work} now={new Date('2026-11-21T14:00:00Z')} />, {
    session: 'worker',
    api: { 'attendance.startBreak': () => new Promise(() => {}) },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Start break' }));
  fireEvent.click(await screen.findByRole('button', { name: 'End break' }));
  await waitFor(() => expect(queuedAttendance().map(({ kind }) => kind)).toEqual(['startBreak', 'endBreak']));
});

it('explains before the start, but not after, that pay counts from the plan', async () => {
  const work = sampleEngagement({ status: 'checked_in', actions: ['start-break', 'check-out'] });
  const startsAt = Date.parse(work.terms.startsAt ?? '');
  const note = () => screen.queryByText(/Your pay counts from .*if the business agrees/);
  renderPart(<ClockPart work={work} now={new Date(startsAt - 60_000)} />, { session: 'worker' });
  expect(note()).toBeTruthy();
  cleanup();
  renderPart(<ClockPart work={work} now={new Date(startsAt)} />, { session: 'worker' });
  expect(note()).toBeNull();
});
