import { reviews } from '@nearhand/contract/trust/reviews';
import { read, write } from '../../platform/http/bind.ts';
import { givenReviews, reviewsOfBusiness, reviewsOfWorker, reviewsToWrite } from './review-lists.ts';
import { keepReview } from './review-removal.ts';
import { editReview, replyToReview, reviewsOfEngagement, writeReview } from './reviews.ts';

export const reviewsRoutes = {
  write: write(reviews.write, writeReview),
  edit: write(reviews.edit, editReview),
  reply: write(reviews.reply, replyToReview),
  ofEngagement: read(reviews.ofEngagement, reviewsOfEngagement),
  toWrite: read(reviews.toWrite, reviewsToWrite),
  given: read(reviews.given, givenReviews),
  ofBusiness: read(reviews.ofBusiness, reviewsOfBusiness),
  ofWorker: read(reviews.ofWorker, reviewsOfWorker),
  keep: write(reviews.keep, keepReview),
};
