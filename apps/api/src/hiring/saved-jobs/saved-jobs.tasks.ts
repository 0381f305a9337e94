import { defineTask } from '../../platform/tasks/tasks.ts';
import { notifySavers, savedJobNews } from './saved-job-news.service.ts';

/** Set when a saved job changed, is about to fill or ended. */
const notify = defineTask({ ...savedJobNews, run: notifySavers });

export const savedJobsTasks = [notify];
