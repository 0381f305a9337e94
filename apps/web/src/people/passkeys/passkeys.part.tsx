import { useLingui } from '@lingui/react/macro';
import type { PasskeyView } from '@nearhand/contract/people/passkeys';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { passkeysWork } from '../../lib/device/passkey.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { ConfirmIdentity } from './confirm-identity.part.tsx';
import { PasskeySheet } from './passkey-sheet.tsx';
import { useAddPasskey, usePasskeys } from './passkeys.api.ts';
import { passkeyNote, passkeyProblem } from './passkeys-words.ts';

/** The person's passkeys: add, rename, remove. */
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
        describe={errorText}
        asOf={formatAgo}
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
  const [confirming, setConfirming] = useState(false);
  if (!passkeysWork()) return <p className="sm">{t`This browser doesn't have passkeys.`}</p>;

  const run = async () => {
    setProblem(null);
    try {
      const { name } = await add.mutateAsync();
      showToast(t`Passkey added: ${name}`);
    } catch (failure) {
      if (isApiError(failure, 'session/password-required')) setConfirming(true);
      else setProblem(passkeyProblem(failure));
    }
  };
  return (
    <div className="col g3 mt3">
      <Refused text={problem} />
      <Button kind="out" full icon="plus" busy={add.isPending} onClick={() => void run()}>
        {t`Add a passkey`}
      </Button>
      <Sheet open={confirming} onClose={() => setConfirming(false)} title={t`Confirm that it's you`}>
        <ConfirmIdentity
          lead={t`A passkey can log in to your account, so only you may add one.`}
          onConfirmed={async () => {
            setConfirming(false);
            await run();
          }}
        />
      </Sheet>
    </div>
  );
}
