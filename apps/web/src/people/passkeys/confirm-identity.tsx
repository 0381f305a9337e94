import { useLingui } from '@lingui/react/macro';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { useLocation, useNavigate } from 'react-router';
import { authText } from '../../lib/api/auth.labels.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { proofQuestion } from '../../lib/api/confirmed.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { PasswordForm } from '../sign-in/password-form.tsx';
import { useSecondStep } from '../sign-in/sign-in.api.ts';
import { PasskeyProof } from './passkey-proof.tsx';
import { usePasskeys } from './passkeys.api.ts';

/** Asks for the password or a passkey when a `withRecentProof` call needs it. Mounted once by the app. */
export function ConfirmIdentityHost() {
  const { t } = useLingui();
  const isOpen = proofQuestion.useIsOpen();
  return (
    <Sheet open={isOpen} onClose={() => proofQuestion.answer(false)} title={t`Confirm that it's you`}>
      {isOpen ? <WaysToConfirm /> : null}
    </Sheet>
  );
}

function WaysToConfirm() {
  const { t } = useLingui();
  const user = useUser();
  const step = useSecondStep();
  const hasPasskey = (usePasskeys().data ?? []).length > 0;
  const confirmed = async () => proofQuestion.answer(true);
  if (step.isLoading) return <PageSkeleton />;
  if (!(step.data?.hasPassword ?? true))
    return (
      <div className="col g4">
        <p>
          {hasPasskey
            ? t`This protects your account and your money. You won't be asked again for ${passkeyLimits.proofMinutes} minutes.`
            : t`Your account has no password. Log in again, and you can do this within ${passkeyLimits.proofMinutes} minutes. We'll bring you back to this page.`}
        </p>
        <PasskeyProof onProved={confirmed} />
        {hasPasskey ? null : <LogInAgain />}
      </div>
    );
  return (
    <div className="col g4">
      <PasswordForm
        lead={t`This protects your account and your money. You won't be asked again for ${passkeyLimits.proofMinutes} minutes.`}
        action={t`Continue`}
        send={async (password) => {
          await auth().reauthenticate(user?.email ?? '', password);
          await confirmed();
        }}
      />
      <PasskeyProof onProved={confirmed} />
    </div>
  );
}

/** Accounts that log in through another service prove themselves with a new session. */
function LogInAgain() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const action = useAction(authText);
  const leave = () =>
    action.run(() =>
      signOut(() => {
        proofQuestion.answer(false);
        navigate(`/login?next=${encodeURIComponent(pathname + search)}`, { replace: true });
      }),
    );
  return (
    <>
      <Refused text={action.refusal} />
      <Button kind="go" full busy={action.busy} onClick={() => void leave()}>
        {t`Log in again`}
      </Button>
    </>
  );
}
