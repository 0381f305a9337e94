import { useLingui } from '@lingui/react/macro';
import { bytesAllowed, pickableTypes } from '@nearhand/contract/people/files.rules';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { useQuickReplies, useSaveQuickReplies } from '../conversations/conversations.api.ts';
import { isNearlyAlike, useSuggestions } from './ready-sentences.ts';

type AttachSheetProps = {
  open: boolean;
  conversation: Pick<Conversation, 'id' | 'side' | 'hired'>;
  onClose: () => void;
  onFiles: (files: readonly File[]) => void;
  onInsert: (text: string) => void;
};

export function AttachSheet({ open, conversation, onClose, onFiles, onInsert }: AttachSheetProps) {
  const { t } = useLingui();
  const [editing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const close = () => {
    setEditing(false);
    onClose();
  };
  return (
    <>
      <Sheet open={open} onClose={close} title={editing ? t`Your quick replies` : t`Add to the message`}>
        {editing ? (
          <EditReplies onDone={() => setEditing(false)} />
        ) : (
          <>
            <ListRow
              lead={<Icon name="paperclip" />}
              title={t`Photos or files`}
              note={t`Up to ${talkLimits.chatFilesMax}: images, PDF or Word, ${formatBytes(bytesAllowed('chat'))} each`}
              onClick={() => input.current?.click()}
            />
            <Replies conversation={conversation} onInsert={onInsert} onEdit={() => setEditing(true)} />
          </>
        )}
      </Sheet>
      <FileInput ref={input} multiple accept={pickableTypes('chat')} onFiles={onFiles} />
    </>
  );
}

function Replies({
  conversation,
  onInsert,
  onEdit,
}: {
  conversation: Pick<Conversation, 'id' | 'side' | 'hired'>;
  onInsert: (text: string) => void;
  onEdit: () => void;
}) {
  const { t } = useLingui();
  const query = useQuickReplies();
  const ownReplies = query.data?.items ?? [];
  const ourSuggestions = useSuggestions(conversation).filter(
    (text) => !ownReplies.some((sentence) => isNearlyAlike(sentence, text)),
  );
  return (
    <>
      <div className="row mt4">
        <h3 className="h-s grow">{t`Quick replies`}</h3>
        {query.data ? (
          <Button kind="text" size="s" icon="pencil-simple" onClick={onEdit}>
            {t`Edit quick replies`}
          </Button>
        ) : null}
      </div>
      <ul>
        {[...ownReplies, ...ourSuggestions].map((text) => (
          <li key={text}>
            <button type="button" className="li press" onClick={() => onInsert(text)}>
              <Icon name="lightning" className="mute" />
              <span className="grow" dir="auto">
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function EditReplies({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const query = useQuickReplies();
  const save = useSaveQuickReplies();
  const [rows, setRows] = useState(() =>
    (query.data?.items ?? []).map((text) => ({ id: crypto.randomUUID(), text })),
  );
  const full = rows.length >= talkLimits.quickRepliesMax;
  const submit = () =>
    save.mutate(
      { items: [...new Set(rows.map(({ text }) => text.trim()).filter(Boolean))] },
      { onSuccess: onDone },
    );
  return (
    <Form className="col" onSubmit={submit}>
      <p className="sm mute">{t`Messages you send often, on all your devices.`}</p>
      {rows.map(({ id, text }, index) => (
        <div key={id} className="row g1">
          <input
            className="inp"
            type="text"
            dir="auto"
            maxLength={talkLimits.quickReplyMax}
            aria-label={t`Quick reply ${index + 1}`}
            value={text}
            onChange={(event) =>
              setRows(rows.map((row) => (row.id === id ? { ...row, text: event.target.value } : row)))
            }
          />
          <IconButton
            icon="trash"
            label={t`Remove quick reply ${index + 1}`}
            onClick={() => setRows(rows.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <Button
        kind="out"
        size="s"
        icon="plus"
        disabled={full}
        onClick={() => setRows([...rows, { id: crypto.randomUUID(), text: '' }])}
      >
        {full ? t`${talkLimits.quickRepliesMax} replies at most` : t`Add a quick reply`}
      </Button>
      <Refused text={save.error ? errorText(save.error) : null} />
      <div className="sheet-act row g2">
        <Button onClick={onDone}>{t`Back`}</Button>
        <Button kind="ink" type="submit" className="grow" busy={save.isPending}>
          {t`Save quick replies`}
        </Button>
      </div>
    </Form>
  );
}
