import { jobReviews } from '@nearhand/contract/trust/job-reviews';
import { write } from '../../platform/http/bind.ts';
import { openJobInReview, refuseJobInReview } from './job-reviews.service.ts';

export const jobReviewsRoutes = {
  open: write(jobReviews.open, openJobInReview),
  refuse: write(jobReviews.refuse, refuseJobInReview),
};
