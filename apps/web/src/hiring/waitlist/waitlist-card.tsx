import { Trans, useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { cacheApplication } from '../applications/applications.api.ts';

export function WaitlistCard({ application }: { application: MyApplication }) {
  const { t } = useLingui();
  const join = useJoinWaitlist();
  const leave = useLeaveWaitlist();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { actions, waitlist, id } = application;
  const canJoin = actions.includes('join-waitlist');
  if (!waitlist && !canJoin) return null;
  const act = async (move: typeof join, toast: string) => {
    setRefusal(null);
    try {
      await move.mutateAsync({ applicationId: id });
      showToast(toast);
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };
  return (
    <Card as="section" label={t`Waitlist`}>
      <div className="row top">
        <Icon name="hourglass" />
        <div className="grow">
          <h2 className="h-s">
            {waitlist ? t`You're number ${waitlist.position} on the waitlist` : t`Join the waitlist`}
          </h2>
          <p className="sm mute mt1">
            <Trans>If a spot opens, it goes to the next person automatically.</Trans>
          </p>
          {refusal ? (
            <p className="help err" role="alert">
              {refusal}
            </p>
          ) : null}
          <div className="mt3">
            {waitlist ? (
              actions.includes('leave-waitlist') ? (
                <Button
                  kind="out"
                  size="s"
                  busy={leave.isPending}
                  onClick={() => void act(leave, t`You left the waitlist`)}
                >
                  {t`Leave the waitlist`}
                </Button>
              ) : null
            ) : (
              <Button
                kind="ink"
                size="s"
                busy={join.isPending}
                onClick={() => void act(join, t`You're on the waitlist`)}
              >
                {t`Join the waitlist`}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}

function useJoinWaitlist() {
  return useMutation(
    apiQuery.waitlist.join.mutationOptions({
      onSuccess: cacheApplication,
    }),
  );
}

function useLeaveWaitlist() {
  return useMutation(
    apiQuery.waitlist.leave.mutationOptions({
      onSuccess: cacheApplication,
    }),
  );
}
