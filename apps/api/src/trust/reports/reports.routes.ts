import { reports } from '@nearhand/contract/trust/reports';
import { read, write } from '../../platform/http/bind.ts';
import { decideCase } from './report-cases.ts';
import { contestReport, createReport, myReports } from './reports.ts';

export const reportsRoutes = {
  create: write(reports.create, createReport),
  contest: write(reports.contest, contestReport),
  mine: read(reports.mine, myReports),
  decide: write(reports.decide, decideCase),
};
