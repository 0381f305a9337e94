import { dashboard } from '@nearhand/contract/trust/dashboard';
import { read } from '../../platform/http/bind.ts';
import { businessFigures } from './dashboard.service.ts';

export const dashboardRoutes = { figures: read(dashboard.figures, businessFigures) };
