import { operators } from '@nearhand/contract/operators';
import { read } from '../../platform/http/bind.ts';
import { openCases } from './operators.service.ts';

export const operatorsRoutes = { cases: read(operators.cases, openCases) };
