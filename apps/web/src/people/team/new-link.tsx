import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

export function NewLink({ url }: { url: string }) {
  const { t } = useLingui();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      showToast(t`Link copied.`);
    } catch {
      showToast(t`We couldn't copy the link. Select and copy it yourself.`);
    }
  };
  return (
    <div className="col g3">
      <p className="team-link strong">{url}</p>
      <p className="sm mute">
        <Trans>Send it only to people you trust. For safety we show it just this once.</Trans>
      </p>
      <Button kind="go" full icon="copy" onClick={() => void copy()}>
        {t`Copy link`}
      </Button>
    </div>
  );
}
