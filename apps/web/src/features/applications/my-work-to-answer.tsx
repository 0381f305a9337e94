import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/applications';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { anyToAnswer, WorkToAnswer } from '../engagements/work-list.part.tsx';
import { OffersToAnswer, useOffersToAnswer } from '../offers/offers-to-answer.part.tsx';
import { InvitationsToAnswer, useInvitationsToAnswer } from '../pipeline/invitations.part.tsx';
import { WaitingCard } from './application-card.tsx';
import { InterviewsToPick, needsTime } from './application-next.tsx';
import { unqueueApplication, useWaiting } from './application-outbox.ts';
import { useMyApplications } from './applications.api.ts';

/** What waits for the worker: offers first, since they run out. */
export function ToAnswer({ work }: { work: readonly EngagementCard[] }) {
  const { t } = useLingui();
  const offers = useOffersToAnswer();
  const invitations = useInvitationsToAnswer();
  const applications = useMyApplications('live');
  const live = (applications.data?.pages.flatMap((page) => page.items) ?? []) as MyApplication[];
  const toPick = live.filter(needsTime);
  const waits = anyToAnswer(work);
  if (offers.length === 0 && invitations.length === 0 && toPick.length === 0 && !waits) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Waiting for you`}</h2>
      <div className="col mt3">
        <OffersToAnswer offers={offers} />
        <WorkToAnswer items={work} />
        <InterviewsToPick applications={toPick} />
        <InvitationsToAnswer invitations={invitations} />
      </div>
    </section>
  );
}

/** Applications that were written without a network and wait to be sent. */
export function Outbox() {
  const { t } = useLingui();
  const entries = useWaiting();
  if (entries.length === 0) return null;
  return (
    <section className="outbox">
      <h2 className="h-s">{t`Not sent yet`}</h2>
      <div className="col mt3">
        {entries.map((entry) => (
          <WaitingCard key={entry.jobId} entry={entry} onDrop={() => unqueueApplication(entry.jobId)} />
        ))}
      </div>
    </section>
  );
}
