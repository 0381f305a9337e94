import { minuteMs } from '@nearhand/contract/durations';
import { type AnyTask, queueOf, type TaskQueue, type TaskScope } from './tasks.ts';

/** Longer than all time limits of a task's calls together, so a task that reaches it is stuck. */
export const deadlinesMs: Readonly<Record<TaskQueue, number>> = {
  money: 3 * minuteMs,
  timers: 3 * minuteMs,
  messages: 3 * minuteMs,
  housekeeping: 120 * minuteMs,
};

/** Runs a task up to its deadline. An abandoned run may still finish and overlap with its retry (ADR 105). */
export async function runInTime(
  task: AnyTask,
  scope: TaskScope,
  payload: unknown,
  ms: number = deadlinesMs[queueOf(task)],
): Promise<void> {
  const work = task.run(scope, task.payload.parse(payload));
  let timer: NodeJS.Timeout | undefined;
  let overdue = false;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      overdue = true;
      reject(new Error(`${task.name} took longer than ${ms / 1_000} s and was given up`));
    }, ms);
  });
  const ending = work.then(
    () => 'finished',
    (error) => {
      if (!overdue) throw error;
      scope.log.error({ err: error }, `task ${task.name} failed after its deadline`);
      return 'failed';
    },
  );
  try {
    await Promise.race([ending, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
