import { addReviewStars, findReviewStars } from './business-rating.sql.ts';

/** For reviews alone: counts a published review of a business, or takes a removed one out (ADR 171). */
export const countBusinessReview = addReviewStars;

/** How many published reviews gave a business one star, two stars, and so on. */
export const businessStarCounts = findReviewStars;
