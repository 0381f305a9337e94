import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import type { OwnershipOffer } from '@nearhand/contract/people/team';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDate } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PasswordForm } from './password-form.tsx';
import { useMemberMoves } from './team.api.ts';

/** An open offer of a business's ownership: who can still change their mind, and who answers. */
export function OwnershipBanner({ business, offer }: { business: Business; offer: OwnershipOffer }) {
  const { t } = useLingui();
  const { withdrawOwnership, acceptOwnership, declineOwnership } = useMemberMoves();
  const [accepting, setAccepting] = useState(false);
  const move = useMove();
  const { id: businessId, name } = business;
  const { you } = offer;
  const fromName = offer.fromName || t`The owner`;
  const toName = offer.toName || t`another member`;
  const until = formatDate(offer.expiresAt, business.timeZone);

  const withdraw = () =>
    move.run(async () => {
      await withdrawOwnership.mutateAsync({ businessId });
      showToast(t`Offer withdrawn`);
    });
  const decline = () =>
    move.run(async () => {
      await declineOwnership.mutateAsync({ businessId });
      showToast(t`Offer declined`);
    });

  return (
    <div className="col g2">
      <Banner tone="here" icon="storefront">
        {you === 'to' ? (
          <Trans>
            {fromName} wants to hand over {name} to you. Reply by {until}.
          </Trans>
        ) : you === 'from' ? (
          <Trans>
            You offered {name} to {toName}. They can accept until {until}.
          </Trans>
        ) : (
          <Trans>
            {fromName} offered {name} to {toName}. They can accept until {until}.
          </Trans>
        )}
      </Banner>
      <Refused text={move.refusal} />
      {you === 'to' ? (
        <div className="row wrap g2">
          <Button kind="go" needsNetwork onClick={() => setAccepting(true)}>
            {t`Take over the business`}
          </Button>
          <Button kind="out" busy={move.busy} onClick={() => void decline()}>
            {t`Decline`}
          </Button>
        </div>
      ) : roleMay(business.role, 'ownership') ? (
        <div>
          <Button kind="out" size="s" busy={move.busy} onClick={() => void withdraw()}>
            {t`Withdraw offer`}
          </Button>
        </div>
      ) : null}
      {accepting ? (
        <Sheet open onClose={() => setAccepting(false)} title={t`Take over ${name}`}>
          <PasswordForm
            button={t`Take over the business`}
            onProved={async () => {
              await acceptOwnership.mutateAsync({ businessId });
              setAccepting(false);
              showToast(t`You now own ${name}`);
            }}
          >
            <Trans>
              You become the owner of {name}, with its jobs, money and duties, and {fromName} becomes a
              manager. We then verify the business again.
            </Trans>
          </PasswordForm>
        </Sheet>
      ) : null}
    </div>
  );
}
