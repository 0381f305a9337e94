import { Trans, useLingui } from '@lingui/react/macro';
import type { Conversation, Message } from '@nearhand/contract/chat';
import { findContactDetails } from '@nearhand/contract/contact-details';
import { limits } from '@nearhand/contract/limits';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { dropDraft, useDeviceDraft } from '../../lib/device-draft.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { sendTyping } from '../../lib/realtime.ts';
import { IconButton } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AttachSheet } from './attach-sheet.tsx';
import { editMessage, useQuickReplies } from './chat.api.ts';
import { takeMessages, useRoom } from './chat-store.ts';
import { draftKey, isDraft, messageLine, otherName, personOf, suggestions } from './chat-words.ts';
import { FilePreviews, useChosenFiles, useFilesDropped } from './composer-files.tsx';
import { QuoteText } from './message-bubble.tsx';
import { postMessage } from './outbox.ts';

/** What is being written: something new, an answer, or a change of what was said. */
export type Writing = { kind: 'new' } | { kind: 'reply'; to: Message } | { kind: 'edit'; message: Message };

type ComposerProps = {
  conversation: Conversation;
  writing: Writing;
  onWriting: (next: Writing) => void;
  /** To the messages above the field. */
  onUp: () => void;
  /** To where this conversation was chosen. */
  onBack: () => void;
  /** Something new is on its way. */
  onSent: () => void;
  /** Nothing was said yet from this side: ready sentences help to begin. */
  quiet: boolean;
};

/** From here on the characters left are counted. */
const countFrom = limits.chatMessageMax - 500;
/** Longer names would be cut off in the field of a phone. */
const shortName = 14;

/** Where one writes. Enter sends where there is a keyboard; on a phone it begins a new line. */
export function Composer({ conversation, writing, onWriting, onUp, onBack, onSent, quiet }: ComposerProps) {
  const { t } = useLingui();
  const { id } = conversation;
  const draft = useDeviceDraft(draftKey(id), () => '', isDraft);
  const [changed, setChanged] = useState('');
  const [attaching, setAttaching] = useState(false);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useChosenFiles();
  const editing = writing.kind === 'edit' ? writing.message : null;
  const text = editing ? changed : draft.value;
  const setText = editing ? setChanged : draft.set;

  const writingKey =
    writing.kind === 'new' ? '' : writing.kind === 'edit' ? `e${writing.message.seq}` : `r${writing.to.seq}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is begun.
  useEffect(() => {
    if (writingKey === '') return;
    if (editing) setChanged(editing.body);
    // After the sheet it was chosen in has given the focus back.
    const timer = setTimeout(() => field.current?.focus(), 80);
    return () => clearTimeout(timer);
  }, [writingKey]);

  // Grows with its text up to a third of the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew for each text.
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.removeProperty('height');
    area.style.setProperty('height', `${Math.min(area.scrollHeight + 3, window.innerHeight / 3)}px`);
  }, [text]);

  const trimmed = text.trim();
  const over = trimmed.length > limits.chatMessageMax;
  const nothing = trimmed === '' && (editing !== null || files.list.length === 0);
  const details = conversation.hired ? [] : findContactDetails(text);

  const send = async () => {
    if (nothing || over || busy) return;
    if (editing) {
      setBusy(true);
      try {
        takeMessages(id, [await editMessage(id, editing.seq, trimmed)]);
        onWriting({ kind: 'new' });
      } catch (error) {
        showToast(errorText(error));
      } finally {
        setBusy(false);
      }
      return;
    }
    const to = writing.kind === 'reply' ? writing.to : null;
    const chosen = files.list.map(({ file }) => file);
    draft.set('');
    dropDraft(draftKey(id));
    files.clear();
    onWriting({ kind: 'new' });
    field.current?.focus();
    const posted = postMessage({
      conversationId: id,
      body: trimmed,
      files: chosen,
      replyTo: to && { seq: to.seq, name: to.from?.name ?? '', excerpt: messageLine(to).slice(0, 140) },
    });
    onSent();
    await posted;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While words are being put together the key belongs to that.
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (writing.kind !== 'new') onWriting({ kind: 'new' });
      // Unlike words, files are not kept for later.
      else if (files.list.length === 0) onBack();
      return;
    }
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      onUp();
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    const keyboard =
      typeof matchMedia !== 'function' || matchMedia('(hover: hover) and (pointer: fine)').matches;
    if (!keyboard && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || editing) return;
    event.preventDefault();
    files.add(pasted);
  };
  const foot = useRef<HTMLFormElement>(null);
  const dragged = useFilesDropped(foot, (dropped) => {
    if (!editing) files.add(dropped);
  });
  const insert = (words: string) => {
    setText(text.trim() === '' ? words : `${text.trimEnd()} ${words}`);
    setAttaching(false);
    setTimeout(() => field.current?.focus(), 80);
  };

  const left = limits.chatMessageMax - trimmed.length;
  const name = useAddressee(conversation);
  return (
    <form
      ref={foot}
      className={dragged ? 'chat-foot dropping' : 'chat-foot'}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {quiet && text === '' && !editing ? <Starters conversation={conversation} onPick={insert} /> : null}
      {writing.kind === 'new' ? null : (
        <div className="chat-about">
          <Icon
            name={writing.kind === 'edit' ? 'pencil-simple' : 'arrow-bend-up-left'}
            flip={writing.kind === 'reply'}
          />
          <span className="grow xs">
            {writing.kind === 'edit' ? (
              <>
                <span className="block strong">{t`Changing your message`}</span>
                <span className="block clip" dir="auto">
                  {writing.message.body}
                </span>
              </>
            ) : (
              <QuoteText reply={{ name: writing.to.from?.name ?? '', excerpt: messageLine(writing.to) }} />
            )}
          </span>
          <IconButton
            icon="x"
            label={writing.kind === 'edit' ? t`Leave it as it was` : t`Do not answer this message`}
            onClick={() => onWriting({ kind: 'new' })}
          />
        </div>
      )}
      {editing ? null : <FilePreviews files={files} />}
      {files.problem && !editing ? (
        <p className="chat-note xs danger" role="alert">
          <Icon name="warning-circle" />
          {files.problem}
        </p>
      ) : null}
      {details.length > 0 ? (
        <p className="chat-note xs warn" role="status">
          <Icon name="warning" />
          <span>
            <Trans>
              You are giving away contact details. They are sent, with a warning to both of you: pay and terms
              agreed elsewhere are not protected.
            </Trans>
          </span>
        </p>
      ) : null}
      <div className="chat-compose">
        {editing ? null : (
          <IconButton
            icon="plus"
            label={t`Add files or ready sentences`}
            aria-haspopup="dialog"
            onClick={() => setAttaching(true)}
          />
        )}
        <textarea
          ref={field}
          className={over ? 'inp err' : 'inp'}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          aria-label={t`Message to ${name}`}
          aria-describedby={left < 500 ? `chat-left-${id}` : undefined}
          placeholder={name.length <= shortName ? t`Message ${name}` : t`Message`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (!editing && event.target.value.trim() !== '') sendTyping(id);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {editing ? null : <CameraButton onFiles={files.add} />}
        <button
          type="submit"
          className="chat-send"
          aria-label={editing ? t`Save the change` : t`Send`}
          aria-disabled={nothing || over || busy}
          aria-busy={busy || undefined}
        >
          <Icon name={editing ? 'check' : 'arrow-up'} />
        </button>
      </div>
      {trimmed.length >= countFrom ? (
        <p
          id={`chat-left-${id}`}
          className={over ? 'chat-note xs danger' : 'chat-note xs mute'}
          role="status"
        >
          {over
            ? t`${formatNumber(-left)} characters too many. Send it as two messages.`
            : t`${formatNumber(left)} characters left`}
        </p>
      ) : null}
      <AttachSheet
        open={attaching}
        side={conversation.side}
        onClose={() => setAttaching(false)}
        onFiles={(chosen) => {
          files.add(chosen);
          setAttaching(false);
        }}
        onInsert={insert}
      />
    </form>
  );
}

/** Whom one writes to: the person, by first name, or the business while nobody there has written. */
function useAddressee(conversation: Conversation): string {
  const { known } = useRoom(conversation.id).log;
  const name = conversation.side === 'business' ? conversation.worker.name : personOf(conversation, known);
  return name?.split(' ')[0] || otherName(conversation);
}

/** Takes a photo with the device's camera; where there is none, a file. */
function CameraButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="camera"
        className="chat-camera"
        label={t`Take a photo`}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Ready sentences before the first own message: one's own, or else some of ours. */
function Starters({ conversation, onPick }: { conversation: Conversation; onPick: (text: string) => void }) {
  const { t } = useLingui();
  const own = useQuickReplies().data?.items ?? [];
  const shown = (own.length > 0 ? own : suggestions(conversation.side)).slice(0, 3);
  return (
    <div className="chat-starters">
      <Chips label={t`Ready sentences`}>
        {shown.map((text) => (
          <Chip key={text} onClick={() => onPick(text)}>
            <span className="clip">{text}</span>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}
