import { Trans, useLingui } from '@lingui/react/macro';
import { findContactDetails } from '@nearhand/contract/people/contact-details.rules';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import type { OwnReview, ReviewToWrite } from '@nearhand/contract/trust/reviews';
import { type ReviewTag, reviewLimits, tagsFor } from '@nearhand/contract/trust/reviews.rules';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { reviewTagText } from './review.labels.ts';
import { useEditReview, useWriteReview } from './reviews.api.ts';
import { StarsField } from './stars.tsx';
import './reviews.css';

type Fields = { stars: number; tags: ReviewTag[]; body: string; again: boolean | null };

const writtenReview = (work: ReviewToWrite | OwnReview): OwnReview | null =>
  'version' in work ? work : null;

export function ReviewForm({
  work,
  startTags = [],
  onDone,
  onSkip,
}: {
  work: ReviewToWrite | OwnReview;
  startTags?: readonly ReviewTag[];
  onDone: (review: OwnReview) => void;
  onSkip?: () => void;
}) {
  const { t } = useLingui();
  const ownReview = writtenReview(work);
  const write = useWriteReview();
  const edit = useEditReview();
  const action = useAction();
  const draft = useSessionDraft<Fields>(
    ownReview ? `review ${ownReview.id} ${ownReview.version}` : `review ${work.engagementId}`,
    () =>
      ownReview
        ? { stars: ownReview.stars, tags: ownReview.tags, body: ownReview.body, again: ownReview.again }
        : { stars: 0, tags: [...startTags], body: '', again: null },
  );
  const form = useFormModel<Fields>({
    draft,
    focusProblems: true,
    check: ({ stars, body }) => {
      const long = tooLong(body, reviewLimits.bodyMax);
      const contact =
        findContactDetails(body).length > 0 ? t`Remove phone numbers, addresses and links.` : undefined;
      const problem = long ?? contact;
      return {
        stars: stars < ratingLimits.starsMin ? t`Choose one to five stars.` : undefined,
        body: problem,
      };
    },
  });
  const { values, problems, idOf, change } = form;
  const { stars, tags, body, again } = values;
  const until = formatDate(work.closesAt, ownTimeZone());
  const send = (input: Fields) =>
    action.run(async () => {
      const words = { ...input, body: input.body.trim() };
      const review = ownReview
        ? await edit.mutateAsync({ reviewId: ownReview.id, version: ownReview.version, ...words })
        : await write.mutateAsync({ engagementId: work.engagementId, ...words });
      draft.drop();
      onDone(review);
    });
  const readers =
    work.side === 'worker'
      ? t`You can change it until it's published. Then everyone can read it.`
      : t`You can change it until it's published. Then they can read it, and businesses they apply to.`;
  const againQuestion =
    work.side === 'worker' ? t`Would you work here again?` : t`Would you hire them again?`;
  return (
    <form
      className="col g5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit(send);
      }}
    >
      <p className="mute">{work.cancelled ? t`${work.jobTitle}, cancelled late` : work.jobTitle}</p>
      <div className="card row top">
        <Icon name="eye-slash" />
        <p className="sm grow">
          <Trans>
            Hidden until both of you have written, or until {until}. Neither side can tell whether the other
            has.
          </Trans>
        </p>
      </div>
      {work.noShowOverturned ? (
        <Banner tone="wait" icon="shield-check">
          <Trans>We decided that they worked. Readers of your review see that.</Trans>
        </Banner>
      ) : null}
      <StarsField
        id={idOf('stars')}
        value={stars}
        error={problems.stars}
        onChange={(next) => change({ stars: next })}
      />
      <div>
        <p className="flabel" id={`${idOf('tags')}-label`}>{t`What stood out?`}</p>
        <Chips label={t`What stood out?`} wrap>
          {tagsFor(work.side).map((tag) => (
            <Chip
              key={tag}
              pressed={tags.includes(tag)}
              onClick={() =>
                change({
                  tags: tags.includes(tag) ? tags.filter((selected) => selected !== tag) : [...tags, tag],
                })
              }
            >
              {reviewTagText(tag)}
            </Chip>
          ))}
        </Chips>
      </div>
      <div>
        <p className="flabel">{againQuestion}</p>
        <Chips label={againQuestion} wrap>
          <Chip pressed={again === true} onClick={() => change({ again: again === true ? null : true })}>
            {t`Yes`}
          </Chip>
          <Chip pressed={again === false} onClick={() => change({ again: again === false ? null : false })}>
            {t`No`}
          </Chip>
        </Chips>
      </div>
      <TextArea
        label={t`In your words`}
        optional
        help={readers}
        rows={4}
        maxLength={reviewLimits.bodyMax}
        length={body.length}
        id={idOf('body')}
        value={body}
        error={problems.body}
        onChange={(event) => change({ body: event.target.value })}
      />
      <Refused text={action.refusal} />
      <div className="sheet-act row g2">
        {onSkip ? (
          <Button kind="quiet" onClick={onSkip}>
            {t`Skip`}
          </Button>
        ) : null}
        <Button kind="go" full type="submit" busy={action.busy}>
          {ownReview ? t`Save changes` : t`Send review`}
        </Button>
      </div>
    </form>
  );
}
