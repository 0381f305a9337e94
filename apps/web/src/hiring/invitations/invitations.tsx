import { useLingui } from '@lingui/react/macro';
import type { Invitation } from '@nearhand/contract/hiring/invitations';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { dotted, formatAgo } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useCanShowJob } from '../jobs/jobs.api.ts';
import { useDeclineInvitation, useMyInvitations } from './invitations.api.ts';

export function useInvitationsToAnswer(): Invitation[] {
  const query = useMyInvitations();
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return items.filter(({ status }) => status === 'sent');
}

export function InvitationsToAnswer({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <>
      {invitations.map((invitation) => (
        <InvitationCard key={invitation.id} invitation={invitation} />
      ))}
    </>
  );
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t } = useLingui();
  const decline = useDeclineInvitation();
  const canShow = useCanShowJob();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { job } = invitation;
  const sayNo = async () => {
    setRefusal(null);
    const choice = await showAlert({
      tone: 'ask',
      title: t`Decline this invitation?`,
      message: t`We'll tell ${job.business.name}.`,
      buttons: [
        { value: 'yes', label: t`Decline`, kind: 'out' },
        { value: 'no', label: t`Keep it` },
      ],
    });
    if (choice !== 'yes') return;
    try {
      await decline.mutateAsync({ invitationId: invitation.id });
      showToast(t`Invitation declined`);
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };
  return (
    <Card as="article">
      <div className="row top">
        <Icon name="envelope-simple" />
        <div className="grow">
          <h3 className="strong wrap-any">{t`${job.business.name} invited you to apply`}</h3>
          <p className="sm mute">
            {dotted(payText(job.pay).figure, job.title, whenText(job), job.place.label)}
          </p>
          {invitation.message ? (
            <p className="sm pre-line wrap-any mt2" dir="auto">
              {invitation.message}
            </p>
          ) : null}
          <p className="xs mute mt1">{formatAgo(invitation.at)}</p>
          {refusal ? (
            <p className="help err" role="alert">
              {refusal}
            </p>
          ) : null}
        </div>
      </div>
      <div className="row g2 mt3 wrap">
        <ButtonLink kind="ink" size="s" to={`/job-desc/${job.id}`} needsNetwork={!canShow(job.id)}>
          {t`See the job`}
        </ButtonLink>
        <Button kind="text" size="s" busy={decline.isPending} onClick={() => void sayNo()}>
          {t`Decline`}
        </Button>
      </div>
    </Card>
  );
}
