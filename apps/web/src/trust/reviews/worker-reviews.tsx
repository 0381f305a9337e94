import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { ReviewList } from './review-list.tsx';
import { type Look, useWorkerReviews, workerReviews } from './reviews.api.ts';

export function WorkerReviews({ workerId, empty }: { workerId: string; empty: ReactNode }) {
  const { t } = useLingui();
  const [look, setLook] = useState<Look>({ sort: 'newest', stars: null });
  const query = useWorkerReviews(workerId, look);
  const canShow = useCanShow();
  return (
    <ReviewList
      query={query}
      look={look}
      onLook={setLook}
      needsNetwork={(next) => !canShow(workerReviews(workerId, next))}
      againWords={{ yes: t`Would hire again`, no: t`Wouldn't hire again` }}
      empty={empty}
    />
  );
}
