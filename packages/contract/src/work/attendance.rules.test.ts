import { expect, it } from 'vitest';
import { checkInReachM, checkInWindow, windowProblem } from './attendance.rules.ts';
import { workLimits } from './limits.ts';

it('check-in opens before the start and closes at the end, both inclusive', () => {
  const window = checkInWindow(
    { startsAt: new Date('2026-11-21T09:00:00Z'), endsAt: new Date('2026-11-21T17:00:00Z') },
    60,
  );
  const at = (time: string) => windowProblem(new Date(`2026-11-21T${time}Z`), window);
  expect(at('07:59:59.999')).toBe('too-early');
  expect(at('08:00:00.000')).toBeNull();
  expect(at('17:00:00.000')).toBeNull();
  expect(at('17:00:00.001')).toBe('too-late');
});

it('an inexact position widens the check-in area only up to the cap', () => {
  expect(checkInReachM(150, 40)).toBe(190);
  expect(checkInReachM(150, 50_000)).toBe(150 + workLimits.accuracyCapM);
});
