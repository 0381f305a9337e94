import { defineTask } from '../../platform/tasks/tasks.ts';
import { runLapse, runOutcomeDue, runReminder } from './interview-timers.service.ts';
import { lapse, outcomeDue, reminder } from './interviews.timers.ts';

export const interviewsTasks = [
  defineTask({ ...lapse, run: (scope, { interviewId }) => runLapse(scope, interviewId) }),
  defineTask({ ...reminder, run: runReminder }),
  defineTask({ ...outcomeDue, run: runOutcomeDue }),
];
