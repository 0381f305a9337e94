import type { Engagement } from '@nearhand/contract/work/engagements';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement, sampleTerms } from './engagements.fixtures.ts';
import { WorkActs } from './work-acts.tsx';
import { WorkExits } from './work-detail.tsx';
import { TodayCards } from './work-list.tsx';

const confirmed = vi.hoisted(() => vi.fn());
vi.mock('./engagements.api.ts', async (original) => ({
  ...(await original<typeof import('./engagements.api.ts')>()),
  useConfirmEngagement: () => ({ mutateAsync: confirmed }),
}));

afterEach(cleanup);

const now = new Date('2026-11-21T14:00:00Z');
const claim = (by: 'worker' | 'business', amountMinor: number, paidMinutes: number) => ({
  id: by,
  round: 1,
  by,
  startsAt: '2026-11-21T07:00:00Z',
  endsAt: '2026-11-21T13:00:00Z',
  breakMinutes: 0,
  paidMinutes,
  amountMinor,
  note: by === 'business' ? 'You left at noon.' : '',
  at: '2026-11-21T13:30:00Z',
  flags: [],
});

function show(change: Partial<Engagement>) {
  const work = sampleEngagement(change);
  return renderPart(
    <>
      <WorkActs work={work} now={now} onPosition={vi.fn()} />
      <WorkExits work={work} />
    </>,
  );
}
const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent);

describe('what the worker can do', () => {
  it("comes from the server's actions, and is empty without any", () => {
    show({ status: 'completed', actions: [] });
    expect(buttons()).toEqual([]);
    cleanup();
    show({ status: 'delivered', actions: ['dispute'] });
    expect(buttons()).toEqual(['Open a dispute']);
    cleanup();
    show({ status: 'checked_out', actions: ['submit-hours'] });
    expect(buttons()).toEqual(['Submit hours']);
  });

  it('continues after a check-out: back in before the start, the hours after it', () => {
    const early = sampleTerms({ startsAt: '2026-11-21T14:30:00Z', endsAt: '2026-11-21T20:00:00Z' });
    show({ status: 'checked_out', actions: ['check-in'], terms: early });
    expect(buttons()[0]).toBe('Check in again');
    expect(screen.getByText(/^Checked out by mistake\?/)).toBeTruthy();
    expect(buttons()).not.toContain('Submit hours');
    cleanup();
    const begun = { ...early, startsAt: '2026-11-21T13:50:00Z' };
    show({ status: 'checked_out', actions: ['check-in'], terms: begun });
    expect(buttons().slice(0, 2)).toEqual(['Submit hours', 'Check in again']);
  });

  it.each([
    ['2026-11-21T14:00:00Z', 'Leave 5 h 39 min early?', 'The shift runs until'],
    ['2026-11-21T14:30:00Z', 'Check out before the shift starts?', 'The shift starts at'],
  ])('confirms before leaving long before the end, begun at %s', (startsAt, title, words) => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const terms = sampleTerms({ startsAt, endsAt: '2026-11-21T19:39:00Z' });
    show({ status: 'checked_in', actions: ['start-break', 'check-out'], terms });
    fireEvent.click(screen.getByRole('button', { name: 'Check out' }));
    expect(screen.getByText(title)).toBeTruthy();
    expect(screen.getByText(new RegExp(words))).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Stay checked in' }));
    vi.useRealTimers();
  });

  it('shows both sides of a counter-proposal with the difference', () => {
    show({
      status: 'counter_proposed',
      actions: ['accept-counter', 'submit-hours', 'dispute'],
      claims: [claim('worker', 10_800, 360), claim('business', 9_000, 300)],
    });
    expect(screen.getByText('Round 1 of 3')).toBeTruthy();
    expect(screen.getByText('€18 less than you submitted.')).toBeTruthy();
    expect(screen.getByText('“You left at noon.”')).toBeTruthy();
    expect(buttons()).toEqual(['Open a dispute']);
  });

  it('shows whether cancelling is late before it is done', () => {
    show({
      actions: ['cancel'],
      cancelling: { late: true, compensationMinor: 0, freeUntil: null, setAsideAgain: false },
      terms: sampleTerms({ kind: 'task' }),
    });
    fireEvent.click(screen.getByRole('button', { name: 'Cancel booking' }));
    expect(screen.getByText('This is a late cancellation.')).toBeTruthy();
  });

  it('requires a reason before cancelling', () => {
    show({ actions: ['cancel'], terms: sampleTerms({ kind: 'task' }) });
    fireEvent.click(screen.getByRole('button', { name: 'Cancel booking' }));
    const [, send] = screen.getAllByRole('button', { name: 'Cancel booking' });
    if (send) fireEvent.click(send);
    expect(screen.getByText('Write a sentence about what happened.')).toBeTruthy();
  });

  it.each(['the work', 'its card'])(
    'shows on %s why a confirmation was rejected, even after its button is gone',
    async (where) => {
      vi.useFakeTimers({ now, toFake: ['Date'] });
      let refuse = (_: Error): void => {};
      confirmed.mockReturnValue(
        new Promise((_, reject) => {
          refuse = reject;
        }),
      );
      const deadline = {
        kind: 'auto-submit' as const,
        amountMinor: null,
        at: '2026-11-22T01:00:00Z',
        since: '2026-11-18T10:00:00Z',
      };
      const terms = sampleTerms({ startsAt: '2026-11-21T20:00:00Z', endsAt: '2026-11-21T23:00:00Z' });
      const page = (change: Partial<Engagement>) => {
        const work = sampleEngagement({ terms, next: deadline, ...change });
        return where === 'the work' ? (
          <WorkActs work={work} now={now} onPosition={vi.fn()} />
        ) : (
          <TodayCards items={[work]} now={now} />
        );
      };
      const { rerender } = renderPart(page({ status: 'booked', actions: ['confirm', 'cancel'] }));
      fireEvent.click(screen.getByRole('button', { name: "Confirm I'll be there" }));
      rerender(page({ status: 'confirmed', actions: ['cancel'] }));
      await act(async () => refuse(new Error('too late')));
      expect(screen.queryByRole('button', { name: "Confirm I'll be there" })).toBeNull();
      expect(screen.getByRole('alert').textContent).not.toBe('');
      vi.useRealTimers();
    },
  );
});
