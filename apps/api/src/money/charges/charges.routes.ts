import { charges } from '@nearhand/contract/money/charges';
import { read, write } from '../../platform/http/bind.ts';
import { getCharge } from './charges.ts';
import { refundBalance } from './refunds.ts';

export const chargesRoutes = {
  get: read(charges.get, getCharge),
  refund: write(charges.refund, refundBalance),
};
