import { useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { ApplicantNote } from '@nearhand/contract/hiring/pipeline';
import type { Page } from '@nearhand/contract/operation';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { errorText } from '../../lib/api/error.labels.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatAgoWithin, joined } from '../../lib/words/format.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';

type NotesProps = {
  draftKey: string;
  query: UseInfiniteQueryResult<InfiniteData<Page<ApplicantNote>, string | undefined>, Error>;
  onAdd: (text: string) => Promise<unknown>;
  remove: { run: (noteId: string) => Promise<unknown>; busy: boolean };
};

export function NotesSection({ draftKey, query, onAdd, remove }: NotesProps) {
  const { t } = useLingui();
  const draft = useTextDraft(draftKey);
  const text = draft.value;
  const noteError = tooLong(text, hiringLimits.noteMax);
  const adding = useAction();
  const submit = async () => {
    if (!text.trim() || noteError) return;
    if (await adding.run(() => onAdd(text))) draft.drop();
  };
  const deleteNote = async (noteId: string) => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Delete this note?`,
      message: t`It's gone for your whole team, and you can't undo it.`,
      buttons: [
        { value: 'delete', label: t`Delete`, kind: 'bad' },
        { value: 'keep', label: t`Cancel` },
      ],
    });
    if (choice !== 'delete') return;
    // `mutate` callbacks would be lost if the panel is closed in the meantime.
    await remove.run(noteId).then(
      () => showToast(t`Note deleted`),
      (error) => showToast(errorText(error)),
    );
  };
  return (
    <section>
      <h3 className="h-s">{t`Notes`}</h3>
      <p className="sm mute">{t`Only your team can see these.`}</p>
      <Form className="col g2 mt3" onSubmit={() => void submit()}>
        <TextArea
          label={t`New note`}
          rows={2}
          maxLength={hiringLimits.noteMax}
          length={text.length}
          value={text}
          error={adding.refusal ?? noteError}
          onChange={(event) => draft.set(event.target.value)}
        />
        <Button kind="quiet" size="s" type="submit" busy={adding.busy} disabled={!text.trim()}>
          {t`Add note`}
        </Button>
      </Form>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={1} />}
        errorTitle={t`We couldn't load the notes`}
      >
        {(data) => (
          <>
            <ul className="so-far mt2">
              {data.pages
                .flatMap(({ items }) => items)
                .map((note) => (
                  <li key={note.id} className="row top">
                    <div className="grow">
                      <p className="pre-line break">{note.text}</p>
                      <p className="xs mute">{joined(note.author.name, formatAgoWithin(note.at))}</p>
                    </div>
                    {note.own ? (
                      <IconButton
                        icon="trash"
                        label={t`Delete note`}
                        needsNetwork
                        disabled={remove.busy}
                        onClick={() => void deleteNote(note.id)}
                      />
                    ) : null}
                  </li>
                ))}
            </ul>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </section>
  );
}
