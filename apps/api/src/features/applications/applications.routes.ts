import { applications } from '@nearhand/contract/applications';
import { read, write } from '../../platform/http/bind.ts';
import { applicantsOfBusiness, applicantsOfJob, applicationsOfWorker } from './applicant-lists.service.ts';
import {
  moveApplications,
  rejectApplication,
  shortlistApplication,
  unshortlistApplication,
  viewApplication,
} from './applicant-moves.service.ts';
import { getApplicant, getApplication, myApplications } from './application-views.service.ts';
import { submitApplication, updateApplication, withdrawApplication } from './applications.service.ts';
import { boardOfBusiness, boardOfJob } from './board.service.ts';
import { joinWaitlist, leaveWaitlist } from './waitlist-places.service.ts';

export const applicationsRoutes = {
  submit: write(applications.submit, submitApplication),
  mine: read(applications.mine, myApplications),
  get: read(applications.get, getApplication),
  update: write(applications.update, updateApplication),
  withdraw: write(applications.withdraw, withdrawApplication),
  forJob: read(applications.forJob, applicantsOfJob),
  forBusiness: read(applications.forBusiness, applicantsOfBusiness),
  ofWorker: read(applications.ofWorker, applicationsOfWorker),
  board: read(applications.board, boardOfJob),
  boardOfBusiness: read(applications.boardOfBusiness, boardOfBusiness),
  applicant: read(applications.applicant, getApplicant),
  view: write(applications.view, viewApplication),
  shortlist: write(applications.shortlist, shortlistApplication),
  unshortlist: write(applications.unshortlist, unshortlistApplication),
  reject: write(applications.reject, rejectApplication),
  bulk: write(applications.bulk, moveApplications),
  joinWaitlist: write(applications.joinWaitlist, joinWaitlist),
  leaveWaitlist: write(applications.leaveWaitlist, leaveWaitlist),
};
