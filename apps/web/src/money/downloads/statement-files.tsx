import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type DownloadLink, saveLink } from './downloads.api.ts';

export function StatementFiles({ ask }: { ask: (format: 'csv' | 'pdf') => Promise<DownloadLink> }) {
  const { t } = useLingui();
  const action = useAction(errorText);
  const save = (format: 'csv' | 'pdf') => void action.run(async () => saveLink(await ask(format)));
  return (
    <div>
      <div className="row g2 wrap">
        <Button kind="out" size="s" icon="download-simple" busy={action.busy} onClick={() => save('csv')}>
          {t`CSV`}
        </Button>
        <Button kind="out" size="s" icon="download-simple" busy={action.busy} onClick={() => save('pdf')}>
          {t`PDF`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </div>
  );
}
