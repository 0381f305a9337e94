import { applications } from '@nearhand/contract/hiring/applications';
import { read, write, writeAfter } from '../../platform/http/bind.ts';
import { getApplication, myApplications } from './application-views.service.ts';
import {
  readForSubmission,
  submitApplication,
  updateApplication,
  withdrawApplication,
} from './applications.service.ts';

export const applicationsRoutes = {
  submit: writeAfter(applications.submit, readForSubmission, submitApplication),
  mine: read(applications.mine, myApplications),
  get: read(applications.get, getApplication),
  update: write(applications.update, updateApplication),
  withdraw: write(applications.withdraw, withdrawApplication),
};
