import { useLingui } from '@lingui/react/macro';
import type { PasskeyView } from '@nearhand/contract/people/passkeys';
import { passkeyLimits, passkeyName } from '@nearhand/contract/people/passkeys.rules';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ConfirmIdentity } from './confirm-identity.part.tsx';
import { usePasskeyChanges } from './passkeys.api.ts';
import { passkeyNote } from './passkeys-words.ts';

/** Renames or removes a passkey. */
export function PasskeySheet({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const { t } = useLingui();
  const { rename, remove } = usePasskeyChanges();
  const [confirming, setConfirming] = useState(false);
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ name: passkey.name }),
    check: ({ name }): { name?: string } => (passkeyName(name) === '' ? { name: t`Enter a name.` } : {}),
  });

  const save = async ({ name }: { name: string }) => {
    try {
      if (passkeyName(name) !== passkey.name) await rename.mutateAsync({ passkeyId: passkey.id, name });
      onClose();
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  const removeNow = async () => {
    try {
      await remove.mutateAsync({ passkeyId: passkey.id });
      showToast(t`Passkey removed`);
      onClose();
    } catch (failure) {
      if (isApiError(failure, 'session/password-required')) setConfirming(true);
      else form.refuse({ text: errorText(failure) });
    }
  };
  const askToRemove = async () => {
    const answer = await showAlert({
      tone: 'ask',
      title: t`Remove ${passkey.name}?`,
      message: t`It can no longer log you in. Your device may still list it: delete it there too.`,
      buttons: [
        { value: 'remove', label: t`Remove passkey` },
        { value: 'cancel', label: t`Cancel` },
      ],
    });
    if (answer === 'remove') await removeNow();
  };

  if (confirming)
    return (
      <Sheet open onClose={onClose} title={t`Confirm that it's you`}>
        <ConfirmIdentity
          lead={t`Then we remove ${passkey.name}.`}
          onConfirmed={async () => {
            setConfirming(false);
            await removeNow();
          }}
        />
      </Sheet>
    );
  return (
    <Sheet open onClose={onClose} title={t`Edit passkey`}>
      <form
        className="settings-part"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(save);
        }}
      >
        <p className="sm mute">
          {passkeyNote(passkey)}
          {passkey.synced ? <span className="block">{t`Synced to your other devices.`}</span> : null}
        </p>
        <Refused text={form.refusal} />
        <TextInput
          id={form.idOf('name')}
          label={t`Name`}
          maxLength={passkeyLimits.nameMax}
          value={form.values.name}
          error={form.problems.name}
          onChange={(event) => form.change({ name: event.target.value })}
        />
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Save name`}
        </Button>
        <Button kind="text" busy={remove.isPending} onClick={() => void askToRemove()}>
          {t`Remove passkey`}
        </Button>
      </form>
    </Sheet>
  );
}
