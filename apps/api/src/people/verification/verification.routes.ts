import { verification } from '@nearhand/contract/people/verification';
import { read, write } from '../../platform/http/bind.ts';
import { checkCode, confirmPhone, sendPhoneCode } from './phone-codes.ts';
import { overviewOf } from './verification.ts';

export const verificationRoutes = {
  overview: read(verification.overview, overviewOf),
  sendPhoneCode: write(verification.sendPhoneCode, sendPhoneCode),
  // A wrong code counts as an attempt even if the transaction rolls back.
  confirmPhone: write(verification.confirmPhone, confirmPhone, { prepare: checkCode, stored: false }),
};
