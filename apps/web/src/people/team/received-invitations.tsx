import { Trans, useLingui } from '@lingui/react/macro';
import type { ReceivedInvitation } from '@nearhand/contract/people/team';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { side } from '../../lib/device/device-setting.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { allOf, formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { chooseBusiness } from '../businesses/businesses.api.ts';
import { roleText } from '../businesses/role.labels.ts';
import { startScreen } from '../businesses/role-screens.ts';
import { useJoining } from './team.api.ts';
import { roleMeaning } from './team.labels.ts';

/** Invitations to teams that the caller can accept without the mail. Renders nothing if there are none. */
export function ReceivedInvitations() {
  const { data } = useQuery(apiQuery.team.received.queryOptions(neverPersist));
  return data && data.length > 0 ? (
    <div className="col g3">
      {data.map((invitation) => (
        <Received key={invitation.id} invitation={invitation} />
      ))}
    </div>
  ) : null;
}

function Received({ invitation }: { invitation: ReceivedInvitation }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { acceptReceived, declineReceived } = useJoining();
  const action = useAction();
  const { id: teamInvitationId, businessName, invitedBy, role, branches, expiresAt } = invitation;
  const join = () =>
    action.run(async () => {
      const joined = await acceptReceived.mutateAsync({ teamInvitationId });
      chooseBusiness(joined.businessId);
      side.set('hire');
      showToast(t`You joined ${businessName}`);
      navigate(startScreen(joined.role));
    });
  const decline = () =>
    action.run(async () => {
      await declineReceived.mutateAsync({ teamInvitationId });
      showToast(t`Declined. ${businessName} is notified.`);
    });
  return (
    <Card as="section" roomy label={t`Invitation`}>
      <h2 className="h-m break">
        <Trans>Join {businessName}</Trans>
      </h2>
      <p className="mt2">
        <Trans>
          {invitedBy} invites you as: {roleText(role)}
        </Trans>
      </p>
      <p className="mute">{roleMeaning(role)}</p>
      {branches === null ? null : (
        <p className="break">
          <Trans>Only for: {allOf(branches)}</Trans>
        </p>
      )}
      <p className="sm mute mt2">
        <Trans>Open until {formatDate(expiresAt, ownTimeZone())}.</Trans>
      </p>
      <Refused text={action.refusal} />
      <div className="row wrap g2 mt3">
        <Button kind="go" size="s" needsNetwork busy={action.busy} onClick={() => void join()}>
          {t`Join ${businessName}`}
        </Button>
        <Button kind="quiet" size="s" needsNetwork busy={action.busy} onClick={() => void decline()}>
          {t`Decline`}
        </Button>
      </div>
    </Card>
  );
}
