import { payoutReviews } from '@nearhand/contract/trust/payout-reviews';
import { write } from '../../platform/http/bind.ts';
import { refusePayout, releasePayout } from './payout-reviews.service.ts';

export const payoutReviewsRoutes = {
  release: write(payoutReviews.release, releasePayout),
  refuse: write(payoutReviews.refuse, refusePayout),
};
