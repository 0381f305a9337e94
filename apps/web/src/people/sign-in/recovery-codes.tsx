import { useLingui } from '@lingui/react/macro';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useLingui();
  const download = () => {
    const address = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'nearhand-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="settings-part">
      <Banner tone="wait" icon="warning">
        {t`Save these codes now. They're shown only once. Each lets you log in once without your authenticator app.`}
      </Banner>
      <ul className="settings-codes num" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button kind="out" full icon="download-simple" onClick={download}>
        {t`Download the codes`}
      </Button>
      <Button kind="go" full onClick={onDone}>
        {t`I saved them`}
      </Button>
    </div>
  );
}
