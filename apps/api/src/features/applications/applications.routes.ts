import { applications } from '@nearhand/contract/applications';
import { read, write } from '../../platform/http/bind.ts';
import {
  applicantsOfBusiness,
  applicantsOfJob,
  applicationsOfWorker,
  getApplication,
  myApplications,
} from './application-views.service.ts';
import {
  submitApplication,
  updateApplication,
  viewApplication,
  withdrawApplication,
} from './applications.service.ts';

export const applicationsRoutes = {
  submit: write(applications.submit, submitApplication),
  mine: read(applications.mine, myApplications),
  get: read(applications.get, getApplication),
  update: write(applications.update, updateApplication),
  withdraw: write(applications.withdraw, withdrawApplication),
  forJob: read(applications.forJob, applicantsOfJob),
  forBusiness: read(applications.forBusiness, applicantsOfBusiness),
  ofWorker: read(applications.ofWorker, applicationsOfWorker),
  view: write(applications.view, viewApplication),
};
