import { nearby } from '@nearhand/contract/hiring/nearby';
import { read } from '../../platform/http/bind.ts';
import { countNearby, nearbyJobs } from './nearby.service.ts';

export const nearbyRoutes = {
  search: read(nearby.search, nearbyJobs),
  count: read(nearby.count, countNearby),
};
