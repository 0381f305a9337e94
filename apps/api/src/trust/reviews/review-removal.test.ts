import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useEndedWork } from '../../../test/use-ended-work.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { findProfanity } from './review-views.ts';
import { makeReview } from './reviews.fixtures.ts';

const app = useTestApp();
const cast = useEndedWork(app);
let operator: Person;
beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});

const review = (person: Person, words: object = {}) =>
  makeReview(app.db, app.scopeOf(person), cast.engagementId, words);
const flagged = async () => {
  const { items } = await operator.api.cases.list({ kind: 'flagged_review', limit: 100 });
  return items.map(({ subjectId }) => subjectId);
};
const factsOf = async (subjectId: string) =>
  (await operator.api.cases.get({ kind: 'flagged_review', subjectId })).facts;

describe('findProfanity', () => {
  it.each([
    ['What the FUCK', ['fuck']],
    ['sh1t place', ['shit']],
    ['fuuuuck off', ['fuck']],
    ['Scunthorpe, a classic assessment, shiitake and cockpit', []],
    ['They paid me in full.', []],
  ])('finds in "%s": %j', (text, words) => {
    expect(findProfanity(text)).toEqual(words);
  });
});

describe('flagged reviews in the queue', () => {
  it('include reviews and replies with flagged words, until they are gone', async () => {
    const { id: reviewId, version } = await review(cast.leila, { stars: 1, body: 'A shit place.' });
    expect(await flagged()).toEqual([reviewId]);
    const chat = await operator.api.cases.chat({ kind: 'flagged_review', subjectId: reviewId });
    expect(chat.from).not.toBeNull();
    expect(await factsOf(reviewId)).toMatchObject({
      review: { words: ['shit'], body: 'A shit place.', side: 'worker', author: 'Leila Haddad' },
    });
    await cast.leila.api.reviews.edit({ reviewId, version, stars: 1, body: 'A bad place.' });
    expect(await flagged()).toEqual([]);
    await review(cast.nadia);
    await cast.nadia.api.reviews.reply({ reviewId, body: 'What a bitch.' });
    expect(await factsOf(reviewId)).toMatchObject({
      review: { replyBody: 'What a bitch.', words: ['bitch'] },
    });
  });
});

describe('reviews.keep', () => {
  it('clears the flag, for uninvolved operators', async () => {
    const { id: reviewId } = await review(cast.leila, { body: 'A shitty kitchen.' });
    const caseRef = { kind: 'flagged_review', subjectId: reviewId } as const;
    await makeOperator(app.db, app, cast.leila);
    expect(await failure(cast.leila.api.reviews.keep({ reviewId }))).toMatchObject({ status: 403 });
    await operator.api.cases.claim(caseRef);
    expect(await operator.api.reviews.keep({ reviewId })).toEqual({ id: reviewId });
    expect(await flagged()).not.toContain(reviewId);
    expect(await failure(cast.nadia.api.reviews.keep({ reviewId }))).toMatchObject({
      status: 403,
      code: 'operator/required',
    });
  });
});
