import { platformHealth } from '@nearhand/contract/trust/platform-health';
import { read, write } from '../../platform/http/bind.ts';
import { listFailedTasks, platformFigures, retryFailedTask } from './platform-health.service.ts';

export const platformHealthRoutes = {
  get: read(platformHealth.get, platformFigures),
  failedTasks: read(platformHealth.failedTasks, listFailedTasks),
  retryTask: write(platformHealth.retryTask, retryFailedTask),
};
