import { useLingui } from '@lingui/react/macro';
import type { SavedWorker } from '@nearhand/contract/hiring/pools';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { NotesSection } from '../pipeline/notes-section.tsx';
import { TagsSection } from '../pipeline/tags-section.tsx';
import { hireText, workedText } from './pool.labels.ts';
import {
  useAddSavedNote,
  useDeleteSavedNote,
  usePools,
  useSavedNotes,
  useSavedState,
  useSetSavedTags,
} from './pools.api.ts';
import { PoolsOfWorker } from './save-worker.tsx';

export function SavedDetail({
  saved,
  businessId,
  onHire,
}: {
  saved: SavedWorker;
  businessId: string;
  onHire: () => void;
}) {
  const { t } = useLingui();
  const { workerId, worker } = saved;
  const ofWorker = { businessId, workerId };
  const notes = useSavedNotes(businessId, workerId);
  const addNote = useAddSavedNote();
  const deleteNote = useDeleteSavedNote();
  const setTags = useSetSavedTags();
  const used = usePools(businessId).data?.tags ?? [];
  const tags = useSavedState(businessId, workerId).data?.tags ?? saved.tags;
  return (
    <div className="applicant-parts">
      <p className="mute">{workedText(saved)}</p>
      <div className="row g2 wrap">
        <Button kind="go" icon="user-plus" needsNetwork onClick={onHire}>
          {hireText(saved)}
        </Button>
        <ButtonLink kind="out" to={`/worker-details/${workerId}`}>
          {t`Full profile`}
        </ButtonLink>
      </div>
      <section>
        <h3 className="h-s">{t`Pools`}</h3>
        <div className="mt2">
          <PoolsOfWorker businessId={businessId} worker={{ workerId, name: worker.name }} />
        </div>
      </section>
      <TagsSection
        tags={setTags.isPending ? setTags.variables.tags : tags}
        used={used.map(({ tag }) => tag)}
        error={setTags.error}
        onSet={(next) => setTags.mutate({ ...ofWorker, tags: next })}
      />
      <NotesSection
        draftKey={`saved note ${businessId} ${workerId}`}
        query={notes}
        onAdd={(text) => addNote.mutateAsync({ ...ofWorker, text })}
        remove={{ run: (noteId) => deleteNote.mutateAsync({ noteId }), busy: deleteNote.isPending }}
      />
    </div>
  );
}
