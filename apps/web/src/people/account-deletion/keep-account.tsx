import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useUndoDeletion } from './account-deletion.api.ts';

export function KeepAccount({ kind }: { kind: 'go' | 'out' }) {
  const { t } = useLingui();
  const undo = useUndoDeletion();
  const action = useAction(errorText);
  const keep = async () => {
    if (await action.run(() => undo.mutateAsync({}))) showToast(t`You're keeping your account`);
  };
  return (
    <>
      <Refused text={action.refusal} />
      <div>
        <Button kind={kind} busy={action.busy} onClick={() => void keep()}>
          {t`Keep my account`}
        </Button>
      </div>
    </>
  );
}
