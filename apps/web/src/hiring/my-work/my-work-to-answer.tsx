import { useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useMyEngagements } from '../../work/engagements/engagements.api.ts';
import { anyAwaitingAnswer, WorkToAnswer } from '../../work/engagements/work-list.tsx';
import { WaitingCard } from '../applications/application-card.tsx';
import { InterviewsToPick, needsTime } from '../applications/application-next.tsx';
import { useMyApplications } from '../applications/applications.api.ts';
import { unqueueApplication, useWaiting } from '../applications/outbox.api.ts';
import { useMyInvitations } from '../invitations/invitations.api.ts';
import { InvitationsToAnswer, useInvitationsToAnswer } from '../invitations/invitations.tsx';
import { useMyOffers } from '../offers/offers.api.ts';
import { OffersToAnswer, useOffersToAnswer } from '../offers/offers-to-answer.tsx';

/** Content above the lists would move them when it arrives. */
export const useTopLoading = (): boolean =>
  useFirstLoading(
    useMyEngagements('live'),
    useMyOffers('live'),
    useMyInvitations(),
    useMyApplications('live'),
  );

export function ToAnswer({ work, now }: { work: readonly EngagementCard[]; now: Date }) {
  const { t } = useLingui();
  const offers = useOffersToAnswer();
  const invitations = useInvitationsToAnswer();
  const applications = useMyApplications('live');
  const live = applications.data?.pages.flatMap((page) => page.items) ?? [];
  const toPick = live.filter(needsTime);
  const waits = anyAwaitingAnswer(work, now);
  if (offers.length === 0 && invitations.length === 0 && toPick.length === 0 && !waits) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{t`Needs your attention`}</h2>
      <div className="col mt3">
        <OffersToAnswer offers={offers} />
        <WorkToAnswer items={work} now={now} />
        <InterviewsToPick applications={toPick} />
        <InvitationsToAnswer invitations={invitations} />
      </div>
    </section>
  );
}

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
