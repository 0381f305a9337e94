import { statements } from '@nearhand/contract/money/statements';
import { read } from '../../platform/http/bind.ts';
import { myYear } from './statement-year.service.ts';
import { businessLine, businessStatement, myLine, myStatement } from './statements.service.ts';

export const statementsRoutes = {
  mine: read(statements.mine, myStatement),
  line: read(statements.line, myLine),
  forBusiness: read(statements.forBusiness, businessStatement),
  businessLine: read(statements.businessLine, businessLine),
  year: read(statements.year, myYear),
};
