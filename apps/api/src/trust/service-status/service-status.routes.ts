import { serviceStatus } from '@nearhand/contract/trust/service-status';
import { read } from '../../platform/http/bind.ts';
import { getServiceState } from './service-status.service.ts';

export const serviceStatusRoutes = {
  get: read(serviceStatus.get, getServiceState),
};
