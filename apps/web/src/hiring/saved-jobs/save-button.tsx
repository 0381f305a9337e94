import { useLingui } from '@lingui/react/macro';
import { saveJobPath } from '@nearhand/contract/app-paths';
import { useNavigate } from 'react-router';
import { useUser } from '../../lib/session.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { setSaved, useSavedIds } from './saved-jobs.api.ts';

export function SaveButton({ job }: { job: { id: string; title: string } }) {
  const { t } = useLingui();
  const user = useUser();
  const saved = useSavedIds().has(job.id);
  const navigate = useNavigate();
  const press = async () => {
    if (!user) {
      navigate(`/getting-started?next=${encodeURIComponent(saveJobPath(job.id))}`);
      return;
    }
    const refusal = await setSaved(job.id, !saved);
    if (refusal === null) return;
    const { errorText } = await import('../../lib/api/error.labels.ts');
    showToast(errorText(refusal));
  };
  return (
    <IconButton
      icon={saved ? 'heart-fill' : 'heart'}
      label={t`Save ${job.title}`}
      aria-pressed={saved}
      className="save"
      onClick={() => void press()}
    />
  );
}
