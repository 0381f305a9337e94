import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { AskDayOff, DayOffCard } from './day-off.tsx';
import { sampleEngagement } from './engagements.fixtures.ts';

const now = '2026-11-17T12:00:00Z';
const dayOff = {
  id: '0193aaaa-0000-7000-8000-00000000d001',
  status: 'open' as const,
  reason: 'My sister marries.',
  answerBy: '2026-11-18T12:00:00Z',
  createdAt: now,
  answers: ['grant' as const, 'refuse' as const],
};

it('asks with a reason, only while the worker still may', async () => {
  const work = sampleEngagement({
    dayOffAsk: { until: '2026-11-18T07:00:00Z', answerBy: '2026-11-18T12:00:00Z' },
  });
  const { api } = renderPart(<AskDayOff work={work} onDone={() => {}} />, {
    now,
    api: {
      'engagements.askDayOff': { ...work, dayOffAsk: null, dayOff: { ...dayOff, answers: ['withdraw'] } },
    },
  });
  expect(screen.getByText(/You can ask until Wed.18.Nov/)).toBeTruthy();
  expect(screen.getByText(/don’t answer by Wed.18.Nov, 13:00/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Ask for the day off' }));
  const send = () => screen.getAllByRole('button', { name: 'Ask for the day off' }).at(-1) as HTMLElement;
  await screen.findByRole('dialog');
  fireEvent.click(send());
  expect(await screen.findByText('Say briefly why you need the day off.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Reason for Kopi & Crumb'), { target: { value: dayOff.reason } });
  fireEvent.click(send());
  await waitFor(() =>
    expect(api.inputs('engagements.askDayOff')).toMatchObject([{ version: 1, reason: dayOff.reason }]),
  );
});

it.each([
  ['business', 'refuse', 'Keep booked', 'They stay booked'],
  ['worker', 'withdraw', 'Withdraw request', 'You stay booked'],
] as const)('lets the %s %s', async (side, answer, label, toast) => {
  const work = sampleEngagement({ side, dayOff: { ...dayOff, answers: [answer] } });
  const { api } = renderPart(<DayOffCard work={work} />, {
    now,
    session: side,
    api: { 'engagements.answerDayOff': { ...work, dayOff: { ...dayOff, status: 'refused', answers: [] } } },
  });
  fireEvent.click(screen.getByRole('button', { name: label }));
  expect(await screen.findByText(toast)).toBeTruthy();
  expect(api.inputs('engagements.answerDayOff')).toMatchObject([{ dayOffId: dayOff.id, answer }]);
});

it.each([
  ['confirmed', true],
  ['given_away', false],
  ['checked_in', false],
  ['cancelled_by_worker', false],
] as const)('says that the worker stays booked while the booking is %s: %s', (status, isBooked) => {
  const work = sampleEngagement({ status, dayOff: { ...dayOff, status: 'refused', answers: [] } });
  renderPart(<DayOffCard work={work} />, { now });
  expect(screen.queryByText(/^You stay booked/) !== null).toBe(isBooked);
});

it('tells the business what its silence does, and takes its answer', async () => {
  const work = sampleEngagement({ side: 'business', dayOff });
  const { api } = renderPart(<DayOffCard work={work} />, {
    now,
    api: { 'engagements.answerDayOff': { ...work, dayOff: { ...dayOff, status: 'granted', answers: [] } } },
  });
  expect(screen.getByRole('heading', { name: 'Leila Haddad asks for this day off' })).toBeTruthy();
  expect(screen.getByText(/If you don’t answer by .*Their other days stay booked/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Grant day off' }));
  await waitFor(() =>
    expect(api.inputs('engagements.answerDayOff')).toEqual([
      { engagementId: work.id, dayOffId: dayOff.id, answer: 'grant' },
    ]),
  );
});
