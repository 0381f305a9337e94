import { holds } from '@nearhand/contract/money/holds';
import { read, write } from '../../platform/http/bind.ts';
import { getHold, payHold } from './hold-checkout.ts';

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
};
