import { engagements } from '@nearhand/contract/work/engagements';
import { read, write } from '../../platform/http/bind.ts';
import { answerDayOff, askDayOff, dayOffSilenceTask } from './days-off.ts';
import { engagementsOfBusiness, getEngagement, myEngagements, workingNow } from './engagement-views.ts';
import {
  cancelEngagement,
  confirmEngagement,
  confirmWatchTask,
  contestNoShow,
  noShowEndTask,
  reportNoShow,
  startEngagement,
} from './engagements.ts';
import { answerShiftChange, changeExpiryTask } from './shift-changes.ts';

export const engagementsTasks = [confirmWatchTask, noShowEndTask, changeExpiryTask, dayOffSilenceTask];

export const engagementsRoutes = {
  mine: read(engagements.mine, myEngagements),
  forBusiness: read(engagements.forBusiness, engagementsOfBusiness),
  workingNow: read(engagements.workingNow, workingNow),
  get: read(engagements.get, getEngagement),
  confirm: write(engagements.confirm, confirmEngagement),
  start: write(engagements.start, startEngagement),
  cancel: write(engagements.cancel, cancelEngagement),
  answerChange: write(engagements.answerChange, answerShiftChange),
  askDayOff: write(engagements.askDayOff, askDayOff),
  answerDayOff: write(engagements.answerDayOff, answerDayOff),
  reportNoShow: write(engagements.reportNoShow, reportNoShow),
  contest: write(engagements.contest, contestNoShow),
};
