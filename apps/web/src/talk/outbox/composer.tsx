import { Trans, useLingui } from '@lingui/react/macro';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import { findChatWarnings } from '@nearhand/contract/talk/chat-warnings';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import type { Message } from '@nearhand/contract/talk/messages';
import { messageProblem } from '@nearhand/contract/talk/messages.rules';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { dropDraft, useDeviceDraft } from '../../lib/device/device-draft.ts';
import { useOnline } from '../../lib/device/online.ts';
import { hasFinePointer } from '../../lib/device/platform.ts';
import { sendTyping } from '../../lib/realtime/realtime.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import {
  chatPartnerName,
  isMessageDraft,
  messageDraftKey,
  personOf,
} from '../conversations/conversation.labels.ts';
import { useQuickReplies } from '../conversations/conversations.api.ts';
import { messageLine } from '../messages/message.labels.ts';
import { QuoteText } from '../messages/message-bubble.tsx';
import { storeMessages, useRoom } from '../messages/message-store.api.ts';
import { editMessage } from '../messages/messages.api.ts';
import { AttachSheet } from './attach-sheet.tsx';
import { FilePreviews, useComposerFiles, useFilesDropped } from './composer-files.tsx';
import { postMessage } from './outbox.api.ts';
import { useSuggestions } from './ready-sentences.ts';

export type Writing = { kind: 'new' } | { kind: 'reply'; to: Message } | { kind: 'edit'; message: Message };

type ComposerProps = {
  conversation: Conversation;
  writing: Writing;
  onWriting: (next: Writing) => void;
  onUp: () => void;
  onBack: () => void;
  onSent: () => void;
  /** This side has not written yet: quick replies help to start. */
  quiet: boolean;
};

const countedLeft = 500;
const shortName = 14;
const focusAfterMs = 80;

/** The typed text with its files, and what keys, pasting and dropping do. */
function useComposer({ conversation, writing, onWriting, onUp, onBack, onSent }: ComposerProps) {
  const { id } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const foot = useRef<HTMLFormElement>(null);
  const files = useComposerFiles(id);
  const { text, setText, editing, forget } = useWords(id, writing, field);
  useGrowing(field, text);
  const trimmed = text.trim();
  const charactersLeft = talkLimits.chatMessageMax - trimmed.length;
  const problem = messageProblem({ body: trimmed, files: editing === null ? files.list.length : 0 });
  const begin = () => onWriting({ kind: 'new' });
  const { save, busy } = useSaveChange(id, begin);
  const online = useOnline();
  const submit = () => {
    if (problem || busy) return;
    if (editing) {
      if (!online) return;
      void save(editing, trimmed);
      return;
    }
    const attachments = files.list.map(({ file }) => file);
    const replyTo = writing.kind === 'reply' ? quoteOf(writing.to) : null;
    forget();
    files.clear();
    begin();
    field.current?.focus();
    void postMessage({ conversationId: id, body: trimmed, files: attachments, replyTo });
    onSent();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = actOfKey(event, text);
    if (act === null) return;
    event.preventDefault();
    if (act === 'send') submit();
    else if (act === 'up') onUp();
    else if (writing.kind !== 'new') begin();
    else onBack();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || editing) return;
    event.preventDefault();
    void files.add(pasted);
  };
  const dragged = useFilesDropped(foot, (dropped) => {
    if (!editing) void files.add(dropped);
  });
  return {
    field,
    foot,
    files,
    text,
    setText,
    editing,
    problem,
    charactersLeft,
    busy,
    begin,
    submit,
    onKeyDown,
    onPaste,
    dragged,
  };
}

/** The message field. Enter sends with a keyboard; on a phone it starts a new line. */
export function Composer(props: ComposerProps) {
  const { t } = useLingui();
  const { conversation, writing, quiet } = props;
  const { id } = conversation;
  const composer = useComposer(props);
  const { field, files, text, setText, editing, problem, charactersLeft, busy, begin, submit } = composer;
  const [attaching, setAttaching] = useState(false);
  const insert = (words: string) => {
    setText(text.trim() === '' ? words : `${text.trimEnd()} ${words}`);
    setAttaching(false);
    setTimeout(() => field.current?.focus(), focusAfterMs);
  };
  const name = useAddressee(conversation);
  return (
    <Form
      ref={composer.foot}
      className={composer.dragged ? 'chat-foot dropping' : 'chat-foot'}
      onSubmit={submit}
    >
      {quiet && text === '' && !editing ? <Starters conversation={conversation} onPick={insert} /> : null}
      <WritingAbout writing={writing} onDrop={begin} />
      {editing ? null : <FilePreviews files={files} />}
      {files.problem && !editing ? (
        <p className="chat-note xs danger" role="alert">
          <Icon name="warning-circle" />
          {files.problem}
        </p>
      ) : null}
      <ChatWarning text={text} hired={conversation.hired} />
      <div className="chat-compose">
        {editing ? null : (
          <IconButton
            icon="plus"
            label={t`Add files or quick replies`}
            aria-haspopup="dialog"
            onClick={() => setAttaching(true)}
          />
        )}
        <textarea
          ref={field}
          className={charactersLeft < 0 ? 'inp err' : 'inp'}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          aria-label={t`Message to ${name}`}
          aria-describedby={charactersLeft <= countedLeft ? `chat-left-${id}` : undefined}
          placeholder={name.length <= shortName ? t`Message ${name}` : t`Message`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (!editing && event.target.value.trim() !== '') sendTyping(id);
          }}
          onKeyDown={composer.onKeyDown}
          onPaste={composer.onPaste}
        />
        {editing ? null : <CameraButton onFiles={files.add} />}
        {/* Messages are queued offline; edits are not. */}
        <PlainButton
          type="submit"
          className="chat-send"
          aria-label={editing ? t`Save changes` : t`Send`}
          aria-disabled={problem !== null || busy}
          needsNetwork={editing !== null}
          small
          aria-busy={busy || undefined}
        >
          <Icon name={editing ? 'check' : 'arrow-up'} />
        </PlainButton>
      </div>
      {charactersLeft <= countedLeft ? <CharactersLeft id={`chat-left-${id}`} left={charactersLeft} /> : null}
      <AttachSheet
        open={attaching}
        conversation={conversation}
        onClose={() => setAttaching(false)}
        onFiles={(added) => {
          void files.add(added);
          setAttaching(false);
        }}
        onInsert={insert}
      />
    </Form>
  );
}

type Field = RefObject<HTMLTextAreaElement | null>;

/** The field's text: a stored draft, or the edited message's text. */
function useWords(id: string, writing: Writing, field: Field) {
  const draft = useDeviceDraft(messageDraftKey(id), () => '', isMessageDraft);
  const [changed, setChanged] = useState('');
  const editing = writing.kind === 'edit' ? writing.message : null;
  const started = useRef('');
  const target =
    writing.kind === 'new' ? '' : writing.kind === 'edit' ? `e${writing.message.seq}` : `r${writing.to.seq}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per draft, edit or reply.
  useEffect(() => {
    const before = started.current;
    started.current = target;
    if (target === '' || before === target) return;
    if (editing) setChanged(editing.body);
    const timer = setTimeout(() => field.current?.focus(), focusAfterMs);
    return () => clearTimeout(timer);
  }, [target]);
  const forget = () => {
    draft.set('');
    dropDraft(messageDraftKey(id));
  };
  return {
    text: editing ? changed : draft.value,
    setText: editing ? setChanged : draft.set,
    editing,
    forget,
  };
}

function useGrowing(field: Field, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures the field again for each text.
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.removeProperty('height');
    area.style.setProperty('height', `${Math.min(area.scrollHeight + 3, window.innerHeight / 3)}px`);
  }, [text]);
}

/** The action of a key in the field; null leaves it to the field. */
function actOfKey(event: KeyboardEvent, text: string): 'send' | 'up' | 'back' | null {
  // During composition the key belongs to the input method.
  if (event.key === 'Escape') return event.nativeEvent.isComposing ? null : 'back';
  if (event.key === 'ArrowUp') return text === '' ? 'up' : null;
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return null;
  return hasFinePointer() || event.ctrlKey || event.metaKey ? 'send' : null;
}

function useSaveChange(id: string, onSaved: () => void) {
  const [busy, setBusy] = useState(false);
  const save = async (message: Message, body: string) => {
    setBusy(true);
    try {
      storeMessages(id, [await editMessage(id, message.seq, body)]);
      onSaved();
    } catch (error) {
      showToast(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, save };
}

/** The quote above a reply while it is on this device; later the server adds it. */
const quoteOf = (to: Message) => ({
  seq: to.seq,
  name: to.from?.name ?? '',
  excerpt: messageLine(to).slice(0, 140),
});

function WritingAbout({ writing, onDrop }: { writing: Writing; onDrop: () => void }) {
  const { t } = useLingui();
  if (writing.kind === 'new') return null;
  const isEdit = writing.kind === 'edit';
  return (
    <div className="chat-about">
      <Icon name={isEdit ? 'pencil-simple' : 'arrow-bend-up-left'} flip={!isEdit} />
      <span className="grow xs">
        {isEdit ? (
          <>
            <span className="block strong">{t`Editing your message`}</span>
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
        label={isEdit ? t`Discard changes` : t`Don't reply to this message`}
        onClick={onDrop}
      />
    </div>
  );
}

/** Warns about contact details before a hire, and about payment outside Nearhand (product.md, Conversation). */
function ChatWarning({ text, hired }: { text: string; hired: boolean }) {
  const warnings = findChatWarnings(text, hired);
  if (warnings.length === 0) return null;
  return (
    <p className="chat-note xs warn" role="status">
      <Icon name="warning" />
      <span>
        {warnings.includes('payment') ? (
          <Trans>
            This is about paying outside Nearhand. It is sent, with a warning to both of you: such pay is not
            protected.
          </Trans>
        ) : (
          <Trans>
            You are giving away contact details. They are sent, with a warning to both of you: pay and terms
            agreed elsewhere are not protected.
          </Trans>
        )}
      </span>
    </p>
  );
}

function CharactersLeft({ id, left }: { id: string; left: number }) {
  const { t } = useLingui();
  return (
    <p id={id} className={left < 0 ? 'chat-note xs danger' : 'chat-note xs mute'} role="status">
      {left < 0
        ? t`${formatNumber(-left)} characters too many. Split it into two messages.`
        : t`${formatNumber(left)} characters left`}
    </p>
  );
}

/** The recipient: the person, by first name, or the business if none of its members has written yet. */
function useAddressee(conversation: Conversation): string {
  const { messages } = useRoom(conversation.id).log;
  const name = conversation.side === 'business' ? conversation.worker.name : personOf(conversation, messages);
  return firstNameOf(name ?? '') || chatPartnerName(conversation);
}

/** Takes a photo with the device's camera, or picks a file if there is none. */
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
      <FileInput ref={input} accept={['image/*']} capture="environment" onFiles={onFiles} />
    </>
  );
}

function Starters({ conversation, onPick }: { conversation: Conversation; onPick: (text: string) => void }) {
  const { t } = useLingui();
  const ownReplies = useQuickReplies().data?.items ?? [];
  const ourReplies = useSuggestions(conversation);
  const sentences = (ownReplies.length > 0 ? ownReplies : ourReplies).slice(0, 3);
  return (
    <div className="chat-starters">
      <Chips label={t`Quick replies`}>
        {sentences.map((text) => (
          <Chip key={text} onClick={() => onPick(text)}>
            <span className="clip">{text}</span>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}
