import { appeals } from '@nearhand/contract/trust/appeals';
import { write } from '../../platform/http/bind.ts';
import { createAppeal, decideAppeal } from './appeals.service.ts';

export const appealsRoutes = {
  create: write(appeals.create, createAppeal),
  decide: write(appeals.decide, decideAppeal),
};
