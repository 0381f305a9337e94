import { autoSubmitTask, settlementTask } from './timesheet-clock.service.ts';

export const timesheetsTasks = [autoSubmitTask, settlementTask];
