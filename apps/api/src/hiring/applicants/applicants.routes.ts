import { applicants } from '@nearhand/contract/hiring/applicants';
import { read, write } from '../../platform/http/bind.ts';
import {
  moveApplications,
  rejectApplication,
  shortlistApplication,
  unshortlistApplication,
  viewApplication,
} from './applicant-lifecycle.ts';
import { applicantsOfBusiness, applicantsOfJob, applicationsOfWorker } from './applicant-lists.ts';
import { getApplicant } from './applicant-views.ts';

export const applicantsRoutes = {
  ofJob: read(applicants.ofJob, applicantsOfJob),
  ofBusiness: read(applicants.ofBusiness, applicantsOfBusiness),
  ofWorker: read(applicants.ofWorker, applicationsOfWorker),
  get: read(applicants.get, getApplicant),
  view: write(applicants.view, viewApplication),
  shortlist: write(applicants.shortlist, shortlistApplication),
  unshortlist: write(applicants.unshortlist, unshortlistApplication),
  reject: write(applicants.reject, rejectApplication),
  bulk: write(applicants.bulk, moveApplications),
};
