import { Trans, useLingui } from '@lingui/react/macro';
import { findContactDetails } from '@nearhand/contract/people/contact-details.rules';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import type { OwnReview, ReviewToWrite } from '@nearhand/contract/trust/reviews';
import { type ReviewTag, reviewLimits, tagsFor } from '@nearhand/contract/trust/reviews.rules';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { reviewTagText } from './review.labels.ts';
import { useEditReview, useWriteReview } from './reviews.api.ts';
import { StarsField } from './stars.tsx';
import './reviews.css';

type Fields = { stars: number; tags: ReviewTag[]; body: string; again: boolean | null };

function isFields(value: unknown): value is Fields {
  const fields = value as Fields | null;
  return typeof fields?.stars === 'number' && typeof fields.body === 'string' && Array.isArray(fields.tags);
}

const writtenReview = (work: ReviewToWrite | OwnReview): OwnReview | null =>
  'version' in work ? work : null;

type ReviewFormProps = {
  work: ReviewToWrite | OwnReview;
  startTags?: readonly ReviewTag[];
  onDone: (review: OwnReview) => void;
  onSkip?: () => void;
};

/** The form's model and its sending, as a new review or as a change of one. */
function useReviewForm({ work, startTags = [], onDone }: ReviewFormProps) {
  const { t } = useLingui();
  const ownReview = writtenReview(work);
  const write = useWriteReview();
  const edit = useEditReview();
  const action = useAction();
  const key = ownReview ? `review ${ownReview.id} ${ownReview.version}` : `review ${work.engagementId}`;
  const start = (): Fields =>
    ownReview
      ? { stars: ownReview.stars, tags: ownReview.tags, body: ownReview.body, again: ownReview.again }
      : { stars: 0, tags: [...startTags], body: '', again: null };
  const sessionDraft = useSessionDraft(key, start);
  const deviceDraft = useDeviceDraft(key, start, isFields);
  // Text about a person stays off a business's device (ADR 34).
  const draft = work.side === 'worker' ? deviceDraft : sessionDraft;
  const form = useFormModel<Fields>({
    draft,
    focusProblems: true,
    check: ({ stars, body }) => ({
      stars: stars < ratingLimits.starsMin ? t`Choose one to five stars.` : undefined,
      body:
        tooLong(body, reviewLimits.bodyMax) ??
        (findContactDetails(body).length > 0 ? t`Remove phone numbers, addresses and links.` : undefined),
    }),
  });
  const send = (values: Fields) =>
    action.run(async () => {
      const words = { ...values, body: values.body.trim() };
      const review = ownReview
        ? await edit.mutateAsync({ reviewId: ownReview.id, version: ownReview.version, ...words })
        : await write.mutateAsync({ engagementId: work.engagementId, ...words });
      draft.drop();
      onDone(review);
    });
  return { ownReview, action, form, send };
}

export function ReviewForm(props: ReviewFormProps) {
  const { t } = useLingui();
  const { work, onSkip } = props;
  const { ownReview, action, form, send } = useReviewForm(props);
  const { values, problems, idOf, change } = form;
  const until = formatDate(work.closesAt, ownTimeZone());
  const readers =
    work.side === 'worker'
      ? t`You can change it until it's published. Then everyone can read it.`
      : t`You can change it until it's published. Then they can read it, and businesses they apply to.`;
  return (
    <Form className="col g5" onSubmit={() => void form.submit(send)}>
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
        value={values.stars}
        error={problems.stars}
        onChange={(next) => change({ stars: next })}
      />
      <Choices work={work} values={values} onChange={change} />
      <TextArea
        {...form.textField('body')}
        label={t`In your words`}
        optional
        help={readers}
        rows={4}
        maxLength={reviewLimits.bodyMax}
        length={values.body.length}
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
    </Form>
  );
}

function Choices({
  work: { side, hasBreak },
  values: { tags, again },
  onChange,
}: {
  work: Pick<ReviewToWrite, 'side' | 'hasBreak'>;
  values: Fields;
  onChange: (part: Partial<Fields>) => void;
}) {
  const { t } = useLingui();
  const choices = tagsFor(side).filter((tag) => tag !== 'good_breaks' || hasBreak || tags.includes(tag));
  const againQuestion = side === 'worker' ? t`Would you work here again?` : t`Would you hire them again?`;
  return (
    <>
      <div>
        <p className="flabel">{t`What stood out?`}</p>
        <Chips label={t`What stood out?`} wrap>
          {choices.map((tag) => (
            <Chip
              key={tag}
              pressed={tags.includes(tag)}
              onClick={() =>
                onChange({
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
          <Chip pressed={again === true} onClick={() => onChange({ again: again === true ? null : true })}>
            {t`Yes`}
          </Chip>
          <Chip pressed={again === false} onClick={() => onChange({ again: again === false ? null : false })}>
            {t`No`}
          </Chip>
        </Chips>
      </div>
    </>
  );
}
