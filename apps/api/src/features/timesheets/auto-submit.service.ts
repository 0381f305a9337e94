import { minuteMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { enqueue } from '../../platform/tasks.ts';

/** The task that reminds a worker of the hours after a shift and puts them in when nobody did. */
export const autoSubmit = {
  name: 'timesheets.auto-submit',
  payload: z.object({ engagementId: z.uuid() }),
};

/** Minutes after the end at which a worker who has submitted nothing is reminded. */
const remindAfterMinutes = 60;

/** For booking: sets the timer of a shift that submits its hours by itself some hours after the end (product.md, Constants); again replaces it. */
export async function setAutoSubmit(
  tx: Tx,
  _scope: Pick<Scope, 'clock' | 'config'>,
  shift: { engagementId: string; endsAt: Date },
): Promise<void> {
  await enqueue(
    tx,
    autoSubmit,
    { engagementId: shift.engagementId },
    {
      runAt: new Date(shift.endsAt.getTime() + remindAfterMinutes * minuteMs),
      key: `${autoSubmit.name}/${shift.engagementId}`,
    },
  );
}
