import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { passkeysWork } from '../../lib/device/platform.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { confirmByPasskey, usePasskeys } from './passkeys.api.ts';
import { passkeyProblem } from './passkeys.labels.ts';

type Proof = { onProved: () => Promise<void> };

export function PasskeyProof({ onProved }: Proof) {
  return passkeysWork() ? <OfferedProof onProved={onProved} /> : null;
}

function OfferedProof({ onProved }: Proof) {
  const { t } = useLingui();
  const passkeys = usePasskeys().data ?? [];
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (passkeys.length === 0) return null;

  const prove = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await confirmByPasskey();
      await onProved();
    } catch (failure) {
      setProblem(passkeyProblem(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="out" full icon="key" busy={busy} onClick={() => void prove()}>
        {t`Confirm with a passkey instead`}
      </Button>
      <Refused text={problem} />
    </>
  );
}
