import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type DownloadLink, saveLink } from './downloads.api.ts';

export function StatementFiles({ ask }: { ask: (format: 'csv' | 'pdf') => Promise<DownloadLink> }) {
  const { t } = useLingui();
  const move = useMove(errorText);
  const save = (format: 'csv' | 'pdf') => void move.run(async () => saveLink(await ask(format)));
  return (
    <div>
      <div className="row g2 wrap">
        <Button kind="out" size="s" icon="download-simple" busy={move.busy} onClick={() => save('csv')}>
          {t`CSV`}
        </Button>
        <Button kind="out" size="s" icon="download-simple" busy={move.busy} onClick={() => save('pdf')}>
          {t`PDF`}
        </Button>
      </div>
      <Refused text={move.refusal} />
    </div>
  );
}
