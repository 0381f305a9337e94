import { jobs } from '@nearhand/contract/hiring/jobs';
import { read, write } from '../../platform/http/bind.ts';
import { updateJob } from './job-edits.ts';
import { archiveJob, closeJob, pauseJob, publishJob, reopenJob } from './job-lifecycle.ts';
import { getJob, listedJobs, seriesOfJob, similarJobs } from './job-views.ts';
import { createJob, deleteDraft, duplicateJob } from './jobs.ts';

export const jobsRoutes = {
  get: read(jobs.get, getJob),
  similar: read(jobs.similar, similarJobs),
  listed: read(jobs.listed, listedJobs),
  series: read(jobs.series, seriesOfJob),
  create: write(jobs.create, createJob),
  update: write(jobs.update, updateJob),
  publish: write(jobs.publish, publishJob),
  pause: write(jobs.pause, pauseJob),
  reopen: write(jobs.reopen, reopenJob),
  close: write(jobs.close, closeJob),
  archive: write(jobs.archive, archiveJob),
  duplicate: write(jobs.duplicate, duplicateJob),
  deleteDraft: write(jobs.deleteDraft, deleteDraft),
};
