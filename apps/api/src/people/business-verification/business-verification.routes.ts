import { businessVerification } from '@nearhand/contract/people/business-verification';
import { read, write } from '../../platform/http/bind.ts';
import { decideVerification, reviewBusiness } from './business-decisions.ts';
import {
  addDocument,
  checkDomain,
  getVerification,
  lookAtDomain,
  removeDocument,
  startDomain,
} from './business-verification.ts';

export const businessVerificationRoutes = {
  get: read(businessVerification.get, getVerification),
  addDocument: write(businessVerification.addDocument, addDocument),
  removeDocument: write(businessVerification.removeDocument, removeDocument),
  startDomain: write(businessVerification.startDomain, startDomain),
  checkDomain: write(businessVerification.checkDomain, checkDomain, { prepare: lookAtDomain }),
  review: read(businessVerification.review, reviewBusiness),
  decide: write(businessVerification.decide, decideVerification),
};
