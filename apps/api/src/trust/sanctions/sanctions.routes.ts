import { sanctions } from '@nearhand/contract/trust/sanctions';
import { read, write } from '../../platform/http/bind.ts';
import { getSanction, imposeSanction, liftSanction, mySanctions, sanctionReversal } from './sanctions.ts';
import { removeFlaggedReview } from './word-sanctions.ts';

export const sanctionsRoutes = {
  mine: read(sanctions.mine, mySanctions),
  get: read(sanctions.get, getSanction),
  impose: write(sanctions.impose, imposeSanction),
  reversal: read(sanctions.reversal, sanctionReversal),
  lift: write(sanctions.lift, liftSanction),
  removeReview: write(sanctions.removeReview, removeFlaggedReview),
};
