import { useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { auth } from '../../lib/api/auth-provider.ts';
import { proofQuestion } from '../../lib/api/confirmed.ts';
import { useUser } from '../../lib/session.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { PasswordForm } from '../sign-in/password-form.tsx';
import { useSecondStep } from '../sign-in/sign-in.api.ts';
import { PasskeyProof } from './passkey-proof.tsx';
import { usePasskeys } from './passkeys.api.ts';

/** The password or a passkey, for what only the account's owner may do. */
export function ConfirmIdentity({ lead, onConfirmed }: { lead: string; onConfirmed: () => Promise<void> }) {
  const { t } = useLingui();
  const user = useUser();
  const hasPassword = useSecondStep().data?.hasPassword ?? true;
  const hasPasskey = (usePasskeys().data ?? []).length > 0;
  return (
    <div className="settings-part">
      {hasPassword ? (
        <PasswordForm
          lead={lead}
          action={t`Continue`}
          send={async (password) => {
            await auth().reauthenticate(user?.email ?? '', password);
            await onConfirmed();
          }}
        />
      ) : (
        <p>{hasPasskey ? lead : t`${lead} Log out, log in again, and come back here within 10 minutes.`}</p>
      )}
      <PasskeyProof onProved={onConfirmed} />
    </div>
  );
}

/** Asks for the password or a passkey when a call of `confirmed` needs it; the app mounts it once. */
export function ProofHost() {
  const { t } = useLingui();
  const isOpen = useSyncExternalStore(proofQuestion.subscribe, proofQuestion.isOpen);
  return (
    <Sheet open={isOpen} onClose={() => proofQuestion.answer(false)} title={t`Confirm that it's you`}>
      {isOpen ? (
        <ConfirmIdentity
          lead={t`Confirm that it's you to do this.`}
          onConfirmed={async () => proofQuestion.answer(true)}
        />
      ) : null}
    </Sheet>
  );
}
