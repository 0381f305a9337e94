import { holds } from '@nearhand/contract/money/holds';
import { read, write } from '../../platform/http/bind.ts';
import { payHold } from './hold-checkout.service.ts';
import { getHold } from './hold-views.service.ts';

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
};
