import { NotesSection } from './notes-section.part.tsx';
import { useAddNote, useDeleteNote, useNotes } from './pipeline.api.ts';

/** Recruiters' private notes about an applicant. */
export function ApplicantNotes({ applicationId }: { applicationId: string }) {
  const query = useNotes(applicationId);
  const add = useAddNote();
  const remove = useDeleteNote();
  return (
    <NotesSection
      draftKey={`note ${applicationId}`}
      query={query}
      add={{
        run: (text) => add.mutateAsync({ applicationId, text }),
        busy: add.isPending,
        error: add.error,
      }}
      remove={{ run: (noteId) => remove.mutateAsync({ noteId }), busy: remove.isPending }}
    />
  );
}
