import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { OwnReview, ReviewToWrite } from '@nearhand/contract/trust/reviews';
import type { ReviewTag } from '@nearhand/contract/trust/reviews.rules';
import { useState } from 'react';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ReviewForm } from './review-form.tsx';

export function ReviewSheet({
  queue,
  onClose,
}: {
  queue: readonly (ReviewToWrite | OwnReview)[] | null;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [at, setAt] = useState(0);
  const [stars, setSent] = useState(0);
  const [tags, setTags] = useState<readonly ReviewTag[]>([]);
  const work = queue?.[at];
  const many = (queue?.length ?? 0) > 1;
  const close = (count: number) => {
    setAt(0);
    setSent(0);
    setTags([]);
    onClose();
    if (many && count > 0) showToast(plural(count, { one: '# review sent', other: '# reviews sent' }));
  };
  const next = (count: number) => {
    setSent(count);
    if (queue && at + 1 < queue.length) setAt(at + 1);
    else close(count);
  };
  const finish = (review: OwnReview) => {
    setTags(review.tags);
    if (!many)
      showToast(
        review.state === 'published'
          ? t`Both reviews are published`
          : work && 'version' in work
            ? t`Review changed`
            : t`Review sent. It's hidden for now.`,
      );
    next(stars + 1);
  };
  const name = work ? (work.side === 'worker' ? work.business.name : work.worker.name) : '';
  return (
    <Sheet
      open={work !== undefined}
      onClose={() => close(stars)}
      title={many ? t`How was ${name}? ${at + 1} of ${queue?.length ?? 0}` : t`How was ${name}?`}
    >
      {work ? (
        <ReviewForm
          key={work.engagementId}
          work={work}
          startTags={tags}
          onDone={finish}
          onSkip={many ? () => next(stars) : undefined}
        />
      ) : null}
    </Sheet>
  );
}
