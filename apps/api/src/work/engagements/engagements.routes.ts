import { engagements } from '@nearhand/contract/work/engagements';
import { read, write } from '../../platform/http/bind.ts';
import { engagementsOfBusiness, getEngagement, myEngagements } from './engagement-views.service.ts';
import {
  cancelEngagement,
  confirmEngagement,
  contestNoShow,
  reportNoShow,
  startEngagement,
} from './engagements.service.ts';

export const engagementsRoutes = {
  mine: read(engagements.mine, myEngagements),
  forBusiness: read(engagements.forBusiness, engagementsOfBusiness),
  get: read(engagements.get, getEngagement),
  confirm: write(engagements.confirm, confirmEngagement),
  start: write(engagements.start, startEngagement),
  cancel: write(engagements.cancel, cancelEngagement),
  reportNoShow: write(engagements.reportNoShow, reportNoShow),
  contest: write(engagements.contest, contestNoShow),
};
