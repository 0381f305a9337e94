import { operators } from '@nearhand/contract/trust/operators';
import { read, write } from '../../platform/http/bind.ts';
import { decideReport, frozen, openCases, openReports, unfreeze } from './operators.service.ts';

export const operatorsRoutes = {
  cases: read(operators.cases, openCases),
  reports: read(operators.reports, openReports),
  decideReport: write(operators.decideReport, decideReport),
  frozen: read(operators.frozen, frozen),
  unfreeze: write(operators.unfreeze, unfreeze),
};
