import { savedJobs } from '@nearhand/contract/hiring/saved-jobs';
import { read, write } from '../../platform/http/bind.ts';
import { listSavedJobs, removeSavedJob, savedJobIds, saveJob } from './saved-jobs.service.ts';

export const savedJobsRoutes = {
  save: write(savedJobs.save, saveJob),
  remove: write(savedJobs.remove, removeSavedJob),
  ids: read(savedJobs.ids, savedJobIds),
  list: read(savedJobs.list, listSavedJobs),
};
