import { reliability } from '@nearhand/contract/hiring/reliability';
import { read } from '../../platform/http/bind.ts';
import { myReliability, reliabilityOfBusiness, reliabilityOfWorker } from './reliability-views.ts';

export const reliabilityRoutes = {
  mine: read(reliability.mine, myReliability),
  ofWorker: read(reliability.ofWorker, reliabilityOfWorker),
  ofBusiness: read(reliability.ofBusiness, reliabilityOfBusiness),
};
