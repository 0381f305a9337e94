import { analytics } from '@nearhand/contract/statements';
import { read } from '../../platform/http/bind.ts';
import { businessAnalytics } from './analytics.service.ts';

export const analyticsRoutes = { business: read(analytics.business, businessAnalytics) };
