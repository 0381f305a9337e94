import { hourMs } from '@nearhand/contract/durations';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleWork } from '../../work/engagements/engagements.fixtures.ts';
import { ReleaseLine } from './waiting-for-you.tsx';

afterEach(cleanup);

function ringOf(sinceHours: number, leftHours: number): number {
  const from = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
  const next = {
    kind: 'auto-approve' as const,
    at: from(leftHours),
    since: from(-sinceHours),
    amountMinor: null,
  };
  const { container } = renderPart(
    <ReleaseLine work={sampleWork({ side: 'business', status: 'submitted', next })} first />,
  );
  const [filled, round] = (
    container.querySelectorAll('.ring-clock circle')[1]?.getAttribute('stroke-dasharray') ?? ''
  )
    .split(' ')
    .map(Number);
  return (filled ?? 0) / (round ?? 1);
}

it("counts a payment's ring from when it became pending, not from the usual time", () => {
  expect(ringOf(6, 6)).toBeCloseTo(0.5, 2);
  cleanup();
  expect(ringOf(60, 12)).toBeCloseTo(12 / 72, 2);
});

it('shows the deadline and the consequence of hours that need a review', () => {
  const at = new Date(Date.now() + 20 * hourMs).toISOString();
  const next = { kind: 'review' as const, at, since: new Date().toISOString(), amountMinor: 11_050 };
  const { container } = renderPart(
    <ReleaseLine work={sampleWork({ side: 'business', status: 'submitted', next })} first />,
  );
  expect(container.querySelector('.ring-clock')).not.toBeNull();
  expect(screen.getByText(/, €110\.50 is paid and a dispute opens /)).toBeTruthy();
});
