import { defineTask } from '../../platform/tasks.ts';
import {
  fill,
  fillApplications,
  runApplicationClock,
  tellClosed,
  tellOfClosing,
} from './application-endings.service.ts';
import { clock } from './applications.clock.ts';
import { moveDecideBys, startMovedTask } from './decide-by.service.ts';
import { rankLiveOfJob, rankLiveOfWorker } from './match-scores.service.ts';
import { rankJobTask, rankWorkerTask } from './ranking.service.ts';

/** Set when an application is submitted, by `insertApplication`; sets itself again. */
const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

/** Set by the offers slice when the last seat of a job is hired. */
const fillTask = defineTask({ ...fill, run: (scope, { jobId }) => fillApplications(scope, jobId) });

/** Set when a job is closed, one for each 200 of its workers. */
const tellClosedTask = defineTask({ ...tellClosed, run: tellOfClosing });

/** Set when what a job asks for has changed. */
const rankJob = defineTask({ ...rankJobTask, run: (scope, { jobId }) => rankLiveOfJob(scope, jobId) });
/** Set when what is known of a worker has changed. */
const rankWorker = defineTask({
  ...rankWorkerTask,
  run: (scope, { workerId }) => rankLiveOfWorker(scope, workerId),
});

/** Set when the work of a job begins at another time. */
const startMoved = defineTask({ ...startMovedTask, run: (scope, { jobId }) => moveDecideBys(scope, jobId) });

export const applicationsTasks = [clockTask, fillTask, tellClosedTask, rankJob, rankWorker, startMoved];
