import { autoSubmitTask, settlementTask } from './timesheet-clock.ts';

export const timesheetsTasks = [autoSubmitTask, settlementTask];
