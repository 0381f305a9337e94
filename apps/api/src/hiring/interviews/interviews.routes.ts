import { interviews } from '@nearhand/contract/hiring/interviews';
import { read, write } from '../../platform/http/bind.ts';
import { completeInterview, contestInterview, reportInterviewNoShow } from './interview-outcomes.service.ts';
import { getInterview, myInterviews } from './interview-views.service.ts';
import {
  cancelInterview,
  keepInterview,
  pickInterview,
  proposeInterview,
  rescheduleInterview,
} from './interviews.service.ts';

export const interviewsRoutes = {
  propose: write(interviews.propose, proposeInterview),
  mine: read(interviews.mine, myInterviews),
  get: read(interviews.get, getInterview),
  pick: write(interviews.pick, pickInterview),
  reschedule: write(interviews.reschedule, rescheduleInterview),
  keep: write(interviews.keep, keepInterview),
  cancel: write(interviews.cancel, cancelInterview),
  complete: write(interviews.complete, completeInterview),
  reportNoShow: write(interviews.reportNoShow, reportInterviewNoShow),
  contest: write(interviews.contest, contestInterview),
};
