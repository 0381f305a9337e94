import { Trans, useLingui } from '@lingui/react/macro';
import type { TeamInvitation } from '@nearhand/contract/people/team';
import { useState } from 'react';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { roleText } from '../businesses/role.labels.ts';
import { NewLink } from './new-link.tsx';
import { useInviting } from './team.api.ts';

export function InvitationSheet({
  invitation,
  onClose,
}: {
  invitation: TeamInvitation;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { resend, renewLink, revoke } = useInviting();
  const [url, setUrl] = useState<string | null>(null);
  const action = useAction();
  const { id: teamInvitationId, email, status, askedBy } = invitation;
  const until = formatDate(invitation.expiresAt, ownTimeZone());
  const sentTo = email ?? '';

  const send = (toAsker: boolean) =>
    action.run(async () => {
      const resent = await resend.mutateAsync({ teamInvitationId, toAsker });
      showToast(t`Invitation sent to ${resent.email ?? ''}`);
      onClose();
    });
  const renew = () => action.run(async () => setUrl((await renewLink.mutateAsync({ teamInvitationId })).url));
  const cancel = () =>
    action.run(async () => {
      await revoke.mutateAsync({ teamInvitationId });
      showToast(email === null ? t`Link cancelled` : t`Invitation cancelled`);
      onClose();
    });

  return (
    <Sheet open onClose={onClose} title={url ? t`Your link is ready` : (email ?? t`Link to join`)}>
      {url ? (
        <NewLink url={url} />
      ) : (
        <div className="col g4">
          <p>
            {status === 'open' ? (
              <Trans>
                {roleText(invitation.role)}, invited by {invitation.invitedBy}. Open until {until}.
              </Trans>
            ) : (
              <Trans>
                {roleText(invitation.role)}, invited by {invitation.invitedBy}. Expired on {until}.
              </Trans>
            )}
          </p>
          {invitation.undelivered ? (
            <Banner tone="bad" icon="warning-circle">
              <Trans>The mail server of {sentTo} refused the email. Check the address.</Trans>
            </Banner>
          ) : null}
          {askedBy ? (
            <Banner tone="wait" icon="user-plus">
              <Trans>
                {askedBy.name} opened it with {askedBy.email} and asks for an invitation to that address.
                Check that you know them.
              </Trans>
            </Banner>
          ) : null}
          <Refused text={action.refusal} />
          <div className="col g2">
            {askedBy ? (
              <Button kind="go" full busy={action.busy} onClick={() => void send(true)}>
                {t`Send to ${askedBy.email}`}
              </Button>
            ) : null}
            {email === null ? (
              <Button kind="ink" full busy={action.busy} onClick={() => void renew()}>
                {t`Replace link`}
              </Button>
            ) : (
              <Button kind={askedBy ? 'out' : 'ink'} full busy={action.busy} onClick={() => void send(false)}>
                {t`Send again`}
              </Button>
            )}
            {status === 'open' ? (
              <Button kind="bad" full busy={action.busy} onClick={() => void cancel()}>
                {email === null ? t`Cancel link` : t`Cancel invitation`}
              </Button>
            ) : null}
          </div>
          <p className="sm mute">
            {email === null ? (
              <Trans>We can't show a link again. Replacing it stops the old one from working.</Trans>
            ) : (
              <Trans>Sending it again stops the link in the last email from working.</Trans>
            )}
          </p>
        </div>
      )}
    </Sheet>
  );
}
