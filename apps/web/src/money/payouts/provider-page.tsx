import { Trans, useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { leaveForProvider, useReturnTo } from '../../lib/pages/use-return-to.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useOpenPayeePage } from './payouts.api.ts';

/** Leads to the payment provider's page for identity and bank accounts, and back to this screen (ADR 371). */
export function ProviderPage({ holdDays }: { holdDays: number }) {
  const { t } = useLingui();
  const open = useOpenPayeePage();
  const action = useAction(errorText);
  const returnTo = useReturnTo();
  const leave = () => action.run(async () => leaveForProvider((await open.mutateAsync(returnTo)).url));
  return (
    <section className="col g4">
      <p className="mute">
        <Trans>
          The payment provider asks who you are and which bank account it should pay, on its own page. Your
          account number goes there, not to us. For your safety, you can use a new account {holdDays} days
          after you add it.
        </Trans>
      </p>
      <HelpLink article="verify-identity">{t`Why we check your identity`}</HelpLink>
      <Refused text={action.refusal} />
      <Button kind="ink" full icon="arrow-square-out" busy={action.busy} onClick={() => void leave()}>
        {t`Continue to the payment provider`}
      </Button>
    </section>
  );
}
