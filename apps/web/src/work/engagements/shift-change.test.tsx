import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement, sampleTerms } from './engagements.fixtures.ts';
import { ShiftChangeCard } from './shift-change.tsx';

const before = sampleTerms();
const after = sampleTerms({
  startsAt: '2026-11-21T08:00:00Z',
  endsAt: '2026-11-21T16:00:00Z',
  workerGetsMinor: 14_400,
  holdMinor: 15_840,
  paidMinutes: 480,
});
const change = {
  id: '0193aaaa-0000-7000-8000-00000000c001',
  status: 'open' as const,
  before,
  after,
  answerBy: '2026-11-20T09:00:00Z',
  createdAt: '2026-11-19T09:00:00Z',
  updatedAt: '2026-11-19T09:00:00Z',
  togetherCount: 3,
  answers: ['accept' as const, 'decline' as const, 'leave' as const],
};

const now = '2026-11-19T12:00:00Z';

it('shows old and new to the worker, who answers for all shifts or for one', async () => {
  const work = sampleEngagement({ change });
  const { api } = renderPart(<ShiftChangeCard work={work} />, {
    now,
    api: { 'engagements.answerChange': { ...work, change: { ...change, status: 'accepted', answers: [] } } },
  });
  expect(screen.getByRole('heading', { name: 'Kopi & Crumb wants to change this shift' })).toBeTruthy();
  expect(screen.getByText(/New: .*09:00.*17:00/)).toBeTruthy();
  expect(screen.getByText(/Agreed: .*08:00.*14:00/).tagName).toBe('S');
  expect(screen.getByText(/New: €144 to you/)).toBeTruthy();
  expect(screen.queryByText(/Westerstraat/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Accept for 3 shifts' })).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Accept change' }));
  await waitFor(() =>
    expect(api.inputs('engagements.answerChange')).toMatchObject([
      { changeId: change.id, answer: 'accept', together: false },
    ]),
  );
});

it('shows the business what it pays, and no answers', () => {
  renderPart(
    <ShiftChangeCard work={sampleEngagement({ side: 'business', change: { ...change, answers: [] } })} />,
    { now },
  );
  expect(screen.getByRole('heading', { name: 'You asked Leila Haddad to accept a change' })).toBeTruthy();
  expect(screen.getByText(/New: €158.40 including the fee/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('names all shifts that the worker leaves', async () => {
  const work = sampleEngagement({ change });
  const { api } = renderPart(<ShiftChangeCard work={work} />, {
    now,
    api: { 'engagements.answerChange': { ...work, change: { ...change, status: 'cancelled', answers: [] } } },
  });
  expect(screen.getByRole('button', { name: 'Keep 3 shifts as agreed' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Leave 3 shifts without a mark' }));
  expect(await screen.findByText('Leave 3 shifts?')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Leave 3 shifts' }));
  await waitFor(() =>
    expect(api.inputs('engagements.answerChange')).toMatchObject([{ answer: 'leave', together: true }]),
  );
});

it.each([
  ['declined', 'booked', now, true],
  ['declined', 'booked', '2026-11-21T12:00:00Z', false],
  ['expired', 'cancelled_by_merchant', now, false],
  ['cancelled', 'cancelled_by_worker', now, true],
] as const)('shows a change that is %s on work that is %s, at %s: %s', (answer, status, at, isShown) => {
  const work = sampleEngagement({ status, change: { ...change, status: answer, answers: [] } });
  renderPart(<ShiftChangeCard work={work} />, { now: at });
  expect(screen.queryByRole('region', { name: 'Change to the shift' }) !== null).toBe(isShown);
});
