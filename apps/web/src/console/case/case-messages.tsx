import type { StoredFile } from '@nearhand/contract/people/files';
import type { Message } from '@nearhand/contract/talk/messages';
import { chatKinds } from '@nearhand/contract/trust/cases.rules';
import type { StaffTicketMessage } from '@nearhand/contract/trust/tickets';
import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { apiQuery, readFile } from '../console-api.ts';
import { codeText } from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { ClosedAccess, useWhen } from './case-zone.ts';
import { FileViewer, isViewable, type ViewedFile } from './file-viewer.tsx';

/** Files of a case. Pictures and PDFs open in a dialog, others are downloaded. Each view is logged. */
export function CaseFiles({ files, caseRef }: { files: readonly StoredFile[]; caseRef: CaseRef }) {
  const { kind, subjectId } = caseRef;
  const closed = use(ClosedAccess);
  const [viewed, setViewed] = useState<ViewedFile | null>(null);
  const [openingId, setOpeningId] = useState<string | null>(null);
  const open = async (file: StoredFile) => {
    // The claim of a decided case doesn't open files.
    if (closed && closed.reason === null) return closed.onReasonNeeded();
    const reason = closed?.reason ?? undefined;
    setOpeningId(file.id);
    try {
      const blob = await readFile(file.path, { case: { kind, subjectId }, reason });
      if (isViewable(file)) setViewed({ name: file.name, mediaType: file.mediaType, blob });
      else saveBlob(blob, file.name);
    } catch (error) {
      showToast(
        isApiError(error, 'file/not-found')
          ? 'This file was deleted, or can’t be opened any more.'
          : errorText(error),
      );
    } finally {
      setOpeningId(null);
    }
  };
  if (files.length === 0) return null;
  return (
    <div className="row g4 wrap">
      {files.map((file) => (
        <button
          key={file.id}
          type="button"
          className="link row g1 hit"
          aria-busy={openingId === file.id}
          onClick={() => void open(file)}
        >
          <Icon name={isViewable(file) ? 'eye' : 'download-simple'} />
          <span className="break" dir="auto">
            {file.name}
          </span>
          <span className="sm mute">{openingId === file.id ? 'Opening…' : formatBytes(file.bytes)}</span>
        </button>
      ))}
      <FileViewer file={viewed} onClose={() => setViewed(null)} />
    </div>
  );
}

export function ChatMessages({
  messages,
  reported,
  caseRef,
}: {
  messages: readonly Message[];
  reported: number | null;
  caseRef: CaseRef;
}) {
  const when = useWhen();
  if (messages.length === 0) return <p className="mute">The conversation has no messages.</p>;
  return (
    <ol className="c-words">
      {messages.map((message) => (
        <li key={message.id} className={message.seq === reported ? 'sel' : undefined}>
          <p className="sm row g2 wrap">
            <span className="strong">
              {message.from ? `${message.from.name} (${message.from.side})` : 'Nearhand'}
            </span>
            <span className="mute">{when(message.at)}</span>
            {message.seq === reported ? <Badge tone="bad">Reported</Badge> : null}
            {message.editedAt ? <Badge>Edited</Badge> : null}
            {message.redactedAt ? <Badge>Removed for both</Badge> : null}
            {message.warnings.map((warning) => (
              <Badge key={warning} tone="wait">
                {codeText(warning)}
              </Badge>
            ))}
          </p>
          <p className="pre-line break" dir="auto">
            {message.body || (message.system ? codeText(message.system.line) : '')}
          </p>
          <CaseFiles files={message.files} caseRef={caseRef} />
        </li>
      ))}
    </ol>
  );
}

/** True if operators may open a chat for the case. A second approval has none of its own. */
export const hasChat = ({ kind }: CaseRef): boolean => chatKinds.some((chatKind) => chatKind === kind);

/** The chat around the work of a case, or around one work of a withdrawal. Loaded on request, because each view is logged. */
export function ChatAround({ caseRef, engagementId }: { caseRef: CaseRef; engagementId?: string }) {
  const [open, setOpen] = useState(false);
  const when = useWhen();
  const reason = use(ClosedAccess)?.reason;
  const kind = chatKinds.find((value) => value === caseRef.kind);
  const query = useQuery({
    ...apiQuery.cases.chat.queryOptions({
      input: { kind: kind ?? 'no_show', subjectId: caseRef.subjectId, engagementId },
      context: reason ? { operator: { reason } } : {},
    }),
    enabled: open,
  });
  if (!kind) return null;
  if (!open)
    return (
      <div className="row g3 wrap">
        <Button kind="out" size="s" icon="chats-circle" onClick={() => setOpen(true)}>
          Open the chat
        </Button>
        <span className="sm mute">With what they deleted. Each view is logged.</span>
      </div>
    );
  return (
    <QueryState query={query} loading={<RowsSkeleton count={3} />} errorTitle="We couldn't load the chat">
      {({ from, until, messages }) => (
        <>
          <ChatMessages messages={messages} reported={null} caseRef={caseRef} />
          <p className="sm mute mt3">
            {from && until ? `From a day before to a day after: ${when(from)} to ${when(until)}. ` : ''}You
            opened this chat for this case. The log shows it.
          </p>
        </>
      )}
    </QueryState>
  );
}

export function CaseTicketMessages({
  messages,
  name,
  caseRef,
}: {
  messages: readonly StaffTicketMessage[];
  name: string;
  caseRef: CaseRef;
}) {
  const when = useWhen();
  return (
    <ol className="c-words">
      {messages.map((message) => (
        <li key={message.id} className={message.author === 'staff' ? 'ours' : undefined}>
          <p className="sm row g2 wrap">
            <span className="strong">{message.author === 'staff' ? (message.by ?? 'Nearhand') : name}</span>
            <span className="mute">{when(message.at)}</span>
            {message.sentIn === null ? null : (
              <span className="mute">in “{message.sentIn}”, merged into this one</span>
            )}
            {message.byMail ? <Badge>By email</Badge> : null}
            {message.filesRefused > 0 ? (
              <Badge tone="wait">{message.filesRefused} files left out</Badge>
            ) : null}
          </p>
          <p className="pre-line break" dir="auto">
            {message.body}
          </p>
          <CaseFiles files={message.files} caseRef={caseRef} />
        </li>
      ))}
    </ol>
  );
}
