import { useLingui } from '@lingui/react/macro';
import type { PasskeyView } from '@nearhand/contract/people/passkeys';
import { passkeyLimits, passkeyName } from '@nearhand/contract/people/passkeys.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useAddPasskey, usePasskeyChanges, usePasskeys } from './passkeys.api.ts';
import { passkeyNote, passkeyProblem } from './passkeys.labels.ts';

export function Passkeys() {
  const { t } = useLingui();
  const query = usePasskeys();
  const [opened, setOpened] = useState<string | null>(null);
  const edited = query.data?.find(({ id }) => id === opened);
  return (
    <section className="card settings-part" aria-labelledby="settings-passkeys">
      <h2 className="h-s" id="settings-passkeys">{t`Passkeys`}</h2>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your passkeys`}
        offlineNote={t`You can add and remove passkeys when you're back online.`}
      >
        {(passkeys) => (
          <>
            <p className="sm mute">
              {passkeys.length === 0
                ? t`Log in with your fingerprint, face or PIN instead of your password. It's quicker, and no one can guess or steal it.`
                : t`Each of these logs you in without your password.`}
            </p>
            <PasskeyList passkeys={passkeys} onEdit={setOpened} />
            <AddPasskey />
          </>
        )}
      </QueryState>
      {edited ? <PasskeySheet key={edited.id} passkey={edited} onClose={() => setOpened(null)} /> : null}
    </section>
  );
}

function PasskeyList({
  passkeys,
  onEdit,
}: {
  passkeys: readonly PasskeyView[];
  onEdit: (id: string) => void;
}) {
  const { t } = useLingui();
  if (passkeys.length === 0) return null;
  return (
    <ul className="settings-list">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="li">
          <Icon name="key" className="mute" />
          <span className="grow">
            <span className="t block break">{passkey.name}</span>
            <span className="sm mute block">{passkeyNote(passkey)}</span>
          </span>
          <Button kind="text" size="s" needsNetwork onClick={() => onEdit(passkey.id)}>
            {t`Edit`}
            <span className="vh">: {passkey.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AddPasskey() {
  const { t } = useLingui();
  const add = useAddPasskey();
  const [problem, setProblem] = useState<string | null>(null);
  if (!passkeysWork()) return <p className="sm">{t`This browser doesn't have passkeys.`}</p>;

  const run = async () => {
    setProblem(null);
    try {
      const { name } = await add.mutateAsync();
      showToast(t`Passkey added: ${name}`);
    } catch (failure) {
      setProblem(passkeyProblem(failure));
    }
  };
  return (
    <div className="col g3 mt3">
      <Refused text={problem} />
      <Button kind="out" full icon="plus" busy={add.isPending} onClick={() => void run()}>
        {t`Add a passkey`}
      </Button>
    </div>
  );
}

function PasskeySheet({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const { t } = useLingui();
  const { rename, remove } = usePasskeyChanges();
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
      form.refuse({ text: errorText(failure) });
    }
  };
  const askToRemove = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Remove ${passkey.name}?`,
      message: t`It can no longer log you in. Your device may still list it: delete it there too.`,
      buttons: [
        { value: 'remove', label: t`Remove passkey`, kind: 'bad' },
        { value: 'cancel', label: t`Cancel` },
      ],
    });
    if (choice === 'remove') await removeNow();
  };

  return (
    <Sheet open onClose={onClose} title={t`Edit passkey`}>
      <Form className="settings-part" onSubmit={() => void form.submit(save)}>
        <p className="sm mute">
          {passkeyNote(passkey)}
          {passkey.synced ? <span className="block">{t`Synced to your other devices.`}</span> : null}
        </p>
        <Refused text={form.refusal} />
        <TextInput {...form.textField('name')} label={t`Name`} maxLength={passkeyLimits.nameMax} />
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Save name`}
        </Button>
        <Button kind="text" busy={remove.isPending} onClick={() => void askToRemove()}>
          {t`Remove passkey`}
        </Button>
      </Form>
    </Sheet>
  );
}
