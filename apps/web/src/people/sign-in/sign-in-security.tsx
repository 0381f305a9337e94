import { useLingui } from '@lingui/react/macro';
import type { SecondStep } from '@nearhand/contract/people/sign-in';
import { useState } from 'react';
import { auth } from '../../lib/api/auth-provider.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes, SecondStepSetUp } from './second-step-set-up.tsx';
import { useSecondStep, useSecondStepChanged } from './sign-in.api.ts';

export function SignInSecurity() {
  const { t } = useLingui();
  const query = useSecondStep();
  return (
    <section className="card settings-part" aria-labelledby="settings-sign-in">
      <h2 className="h-s" id="settings-sign-in">{t`Password and second step`}</h2>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load how you sign in`}
        offlineNote={t`You can make changes when you're back online.`}
      >
        {(step) => <Steps step={step} />}
      </QueryState>
    </section>
  );
}

type Open = 'on' | 'codes' | 'off' | null;

function Steps({ step }: { step: SecondStep }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = useSecondStepChanged();
  const close = () => {
    setOpen(null);
    setCodes(null);
  };
  if (!step.hasPassword)
    return (
      <p>{t`You sign in through another service, such as Google. To add a password, log out and use “Forgot password?”.`}</p>
    );
  return (
    <div className="col g4">
      <ButtonLink kind="out" full to="/change-password" needsNetwork>
        {t`Change password`}
      </ButtonLink>
      <div>
        <p className="row g2">
          <span className="t grow">{t`Second step`}</span>
          <Badge tone={step.on ? 'good' : undefined}>{step.on ? t`On` : t`Off`}</Badge>
        </p>
        <p className="sm mute">
          {step.on
            ? t`Logging in asks for a code from your authenticator app.`
            : t`Ask for a code from an authenticator app when you log in, so that your password alone is not enough.`}
        </p>
      </div>
      {step.on ? (
        <>
          <Button kind="out" full needsNetwork onClick={() => setOpen('codes')}>
            {t`Make new recovery codes`}
          </Button>
          <Button kind="text" needsNetwork onClick={() => setOpen('off')}>
            {t`Turn off the second step`}
          </Button>
        </>
      ) : (
        <Button kind="out" full icon="shield-check" needsNetwork onClick={() => setOpen('on')}>
          {t`Turn on the second step`}
        </Button>
      )}
      <SecondStepSetUp open={open === 'on'} onClose={close} onDone={changed} />
      <Sheet open={open === 'codes'} onClose={close} title={t`New recovery codes`}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={close} />
        ) : (
          <PasswordForm
            lead={t`Your old recovery codes stop working.`}
            action={t`Make new codes`}
            send={async (password) => {
              setCodes(await auth().secondStep.newCodes(password));
              changed();
            }}
          />
        )}
      </Sheet>
      <Sheet open={open === 'off'} onClose={close} title={t`Turn off the second step`}>
        <PasswordForm
          lead={t`Your password alone will be enough to log in. Your recovery codes stop working.`}
          action={t`Turn off`}
          send={async (password) => {
            await auth().secondStep.stop(password);
            changed();
            close();
            showToast(t`Second step turned off`);
          }}
        />
      </Sheet>
    </div>
  );
}
