import { nearby } from '@nearhand/contract/hiring/nearby';
import { readRecent } from '../../platform/http/bind.ts';
import { countNearby, nearbyJobs } from './nearby.service.ts';

export const nearbyRoutes = {
  search: readRecent(nearby.search, nearbyJobs),
  count: readRecent(nearby.count, countNearby),
};
