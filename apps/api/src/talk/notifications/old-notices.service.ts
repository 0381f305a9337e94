import { dayMs } from '@nearhand/contract/durations';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { forgetSilentDevices } from '../devices/devices.service.ts';
import { type Aged, deleteOldNotices, type Step, settleNotices } from './old-notices.sql.ts';

type Parts = Pick<TaskScope, 'db' | 'clock'>;

const readDays = 180;
const allDays = 400;
const silentDays = 180;

/** Per statement, so that none holds a day's worth of locks. */
const perStep = 2_000;

async function inSteps(step: (at: Step) => Promise<(Aged & { looked: number }) | undefined>): Promise<void> {
  let after: Aged | null = null;
  for (;;) {
    const last = await step({ after, limit: perStep });
    if (!last || last.looked < perStep) return;
    after = last;
  }
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);

/** For the runner, once a day: deletes old notices, and devices inactive for half a year (ADR 95). */
export async function forgetOldNotices({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  const old = { readBefore: daysBefore(now, readDays), before: daysBefore(now, allDays) };
  await inSteps((at) => deleteOldNotices(db, { ...old, ...at }));
  await forgetSilentDevices(db, daysBefore(now, silentDays));
}

/** For the runner, once a day: notices older than a day that can never be pending again stop asking, so that a list of what is pending stays short (ADR 16). */
export async function forgetSettledAsks({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  await inSteps((at) => settleNotices(db, { before: daysBefore(now, 1), now, ...at }));
}
