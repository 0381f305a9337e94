import { operatorLog } from '@nearhand/contract/trust/operator-log';
import { read } from '../../platform/http/bind.ts';
import { searchLog, verifyLog } from './operator-log.service.ts';

export const operatorLogRoutes = {
  search: read(operatorLog.search, searchLog),
  verify: read(operatorLog.verify, verifyLog),
};
