import { useLingui } from '@lingui/react/macro';
import { ticketPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { GuestThread, TicketThread } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { formatBytes, formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type ChosenFiles, FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { ticketCategoryText, ticketStatusText } from './ticket.labels.ts';
import { TicketMessages } from './ticket-messages.tsx';
import {
  renewGuestLink,
  saveGuestFile,
  useGuestRating,
  useGuestReply,
  useGuestSolve,
  useGuestThread,
  useRateTicket,
  useReplyToTicket,
  useSolveTicket,
  useTicket,
} from './tickets.api.ts';
import '../../ui/desk.css';

export default function TicketScreen() {
  const { search } = useLocation();
  const { ticketid = '' } = useParams();
  const link = new URLSearchParams(search).get('link');
  return link === null ? <OwnTicket ticketid={ticketid} /> : <GuestTicket key={link} link={link} />;
}

function OwnTicket({ ticketid }: { ticketid: string }) {
  const { t } = useLingui();
  const user = useUser();
  const query = useTicket(ticketid);
  if (!user)
    return (
      <Screen title={t`Your request`} heading={null} back="/tabs/menu/help">
        <SignedOutState level="h1" title={t`Your request`} next={ticketPath(ticketid)}>
          <p>{t`Log in to read our answer. Without an account, open it with the link in our email.`}</p>
        </SignedOutState>
      </Screen>
    );
  return (
    <ThreadScreen query={query} back="/help-center">
      {(thread) => <OwnThread thread={thread} />}
    </ThreadScreen>
  );
}

function ThreadScreen<Data extends { subject: string }>({
  query,
  back,
  children,
}: {
  query: UseQueryResult<Data, Error>;
  back: string;
  children: (thread: Data) => ReactNode;
}) {
  const { t } = useLingui();
  const title = query.data?.subject ?? t`Your request`;
  return (
    <Screen
      title={title}
      heading={<span dir="auto">{title}</span>}
      back={back}
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<RowsSkeleton count={3} />}
        errorTitle={t`We couldn't load your request`}
        offlineNote={t`You can reply when you're back online.`}
      >
        {children}
      </QueryState>
    </Screen>
  );
}

const isPast = (instant: string | null): boolean => instant !== null && Date.parse(instant) < Date.now();

/** The moves of a request, by its member or by a guest with a link. Each rejects with an ApiError. */
type ThreadMoves = {
  reply: (body: string, files: ChosenFiles) => Promise<unknown>;
  solve: () => Promise<unknown>;
  rate: (helpful: boolean) => Promise<unknown>;
  saveFile?: (file: StoredFile) => Promise<void>;
  takesFiles: boolean;
  /** The maximum bytes of all files of a reply together; null if their sum has no limit. */
  bytesMax: number | null;
};

function OwnThread({ thread }: { thread: TicketThread }) {
  const user = useUser();
  const reply = useReplyToTicket();
  const solve = useSolveTicket();
  const rate = useRateTicket();
  const { id: ticketId } = thread;
  const moves: ThreadMoves = {
    reply: async (body, files) => reply.mutateAsync({ ticketId, body, fileIds: await files.upload() }),
    solve: () => solve.mutateAsync({ ticketId }),
    rate: (helpful) => rate.mutateAsync({ ticketId, helpful }),
    takesFiles: user?.emailVerified === true,
    bytesMax: null,
  };
  return <Thread thread={thread} moves={moves} />;
}

/** A guest's request, opened by the link in our mail (ADR 379). */
function GuestTicket({ link }: { link: string }) {
  const { t } = useLingui();
  const query = useGuestThread(link);
  const [isSent, setIsSent] = useState(false);
  const isExpired = isApiError(query.error, 'ticket/link-expired');
  const onSent = () => setIsSent(true);
  if (isSent || isExpired)
    return (
      <Screen title={t`Your request`} heading={null} back="/tabs/menu/help" width="narrow">
        <div className="center-page">
          {isSent ? (
            <EmptyState level="h1" art="door" title={t`Check your inbox`}>
              <p>{t`We sent a new link to the email address of your request. Earlier links no longer work.`}</p>
            </EmptyState>
          ) : (
            <EmptyState
              level="h1"
              art="door"
              title={t`This link no longer works`}
              actions={<NewLink link={link} onSent={onSent} />}
            >
              <p>{errorText(query.error)}</p>
            </EmptyState>
          )}
        </div>
      </Screen>
    );
  return (
    <ThreadScreen query={query} back="/tabs/menu/help">
      {(thread) => <GuestThreadView thread={thread} link={link} onSent={onSent} />}
    </ThreadScreen>
  );
}

function GuestThreadView({
  thread,
  link,
  onSent,
}: {
  thread: GuestThread;
  link: string;
  onSent: () => void;
}) {
  const { t } = useLingui();
  const reply = useGuestReply(link);
  const solve = useGuestSolve(link);
  const rate = useGuestRating(link);
  const expires = formatDate(thread.linkExpiresAt, ownTimeZone());
  const moves: ThreadMoves = {
    reply: (body, files) => reply.mutateAsync({ body, files: files.list.map(({ file }) => file) }),
    solve: () => solve.mutateAsync(undefined),
    rate: (helpful) => rate.mutateAsync(helpful),
    saveFile: (file) => saveGuestFile(link, file),
    takesFiles: true,
    bytesMax: ticketLimits.replyBytesOfGuest,
  };
  return (
    <div className="col g5">
      <Thread thread={thread} moves={moves} />
      <section className="col g3">
        <p className="sm mute">
          {t`Anyone with your link can read and answer this request until ${expires}. If someone else has it, get a new one.`}
        </p>
        <NewLink link={link} onSent={onSent} />
      </section>
    </div>
  );
}

/** Requests a new link by mail, which ends the earlier ones. */
function NewLink({ link, onSent }: { link: string; onSent: () => void }) {
  const { t } = useLingui();
  const action = useAction();
  return (
    <>
      <Refused text={action.refusal} />
      <Button
        kind="out"
        icon="envelope-simple"
        busy={action.busy}
        onClick={async () => {
          if (await action.run(() => renewGuestLink(link))) onSent();
        }}
      >
        {t`Email me a new link`}
      </Button>
    </>
  );
}

type ThreadProps = { thread: TicketThread; moves: ThreadMoves };

function Thread({ thread, moves }: ThreadProps) {
  const { t, i18n } = useLingui();
  const { text, tone } = ticketStatusText[thread.status];
  return (
    <div className="col g5">
      <p className="row g3 wrap">
        <Badge tone={tone}>{i18n._(text)}</Badge>
        <span className="sm mute">{i18n._(ticketCategoryText[thread.category])}</span>
      </p>
      <TicketMessages messages={thread.messages} onSave={moves.saveFile} />
      {thread.mergedInto === null ? (
        <Answering thread={thread} moves={moves} />
      ) : (
        <p role="status">
          {t`We’re answering this with your other request.`}{' '}
          <Link className="link" to={ticketPath(thread.mergedInto)}>
            {t`Open that request`}
          </Link>
        </p>
      )}
    </div>
  );
}

/** The state of a request with the ways to reply, rate and close it. */
function Answering({ thread, moves }: ThreadProps) {
  const { t } = useLingui();
  const action = useAction();
  const dueText = thread.dueAt && formatDate(thread.dueAt, ownTimeZone());
  const waiting = !dueText
    ? t`We answered. Reply if something is missing.`
    : isPast(thread.dueAt)
      ? t`Your time to answer ended on ${dueText}. We decide with what we have, but you can still write.`
      : t`Answer by ${dueText}. After that we decide with what we have.`;
  const solved =
    thread.dueAt === null
      ? t`This request is closed. Your reply opens it again.`
      : t`We no longer need an answer. You can still write to us here.`;
  const solve = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Mark this request as solved?`,
      message: t`We close it and stop working on it. Your reply opens it again.`,
      buttons: [
        { value: 'solve', label: t`Mark as solved` },
        { value: 'keep', label: t`Keep it open` },
      ],
    });
    if (choice !== 'solve') return;
    await action.run(async () => {
      await moves.solve();
      showToast(t`Marked as solved`);
    });
  };
  return (
    <>
      <p className="sm mute" role="status">
        {thread.status === 'open' ? t`We have your message. We'll answer here and by email.` : null}
        {thread.status === 'waiting' ? waiting : null}
        {thread.status === 'solved' ? solved : null}
      </p>
      {thread.status === 'solved' && thread.dueAt === null ? <Rating thread={thread} moves={moves} /> : null}
      <Reply key={thread.id} thread={thread} moves={moves} />
      {thread.status === 'solved' || thread.dueAt !== null ? null : (
        <>
          <Refused text={action.refusal} />
          <Button kind="quiet" icon="check" busy={action.busy} onClick={() => void solve()}>
            {t`Mark as solved`}
          </Button>
        </>
      )}
    </>
  );
}

/** Asks for a rating once a request is closed; the answer can be changed. */
function Rating({ thread, moves }: ThreadProps) {
  const { t } = useLingui();
  const action = useAction();
  const { helpful } = thread;
  const rate = (value: boolean) => void action.run(() => moves.rate(value));
  return (
    <section className="card col g3" aria-label={t`Did our answer help?`}>
      <h2 className="h-s">{t`Did our answer help?`}</h2>
      <div className="row g2 wrap">
        <Button
          kind="out"
          size="s"
          icon="thumbs-up"
          aria-pressed={helpful === true}
          busy={action.busy}
          onClick={() => rate(true)}
        >
          {t`Yes, it helped`}
        </Button>
        <Button
          kind="out"
          size="s"
          aria-pressed={helpful === false}
          busy={action.busy}
          onClick={() => rate(false)}
        >
          {t`No, it didn't`}
        </Button>
      </div>
      <p className="sm mute" role="status">
        {helpful === true ? t`Thank you. That tells us we answered well.` : null}
        {helpful === false ? t`Thank you for saying so. Write what's missing, and we'll look again.` : null}
      </p>
      <Refused text={action.refusal} />
    </section>
  );
}

function Reply({ thread, moves }: ThreadProps) {
  const { t } = useLingui();
  const action = useAction();
  const files = useChosenFiles('ticket', uploadFile);
  const id = useId();
  const draft = useTextDraft(`ticket ${thread.id}`);
  const form = useFormModel<{ body: string }>({
    id,
    focusProblems: true,
    draft: { value: { body: draft.value }, set: ({ body }) => draft.set(body) },
    check: ({ body }) => {
      const problem = body.trim() === '' ? t`Write your reply.` : tooLong(body, ticketLimits.bodyMax);
      return problem ? { body: problem } : {};
    },
  });
  const bytes = sumOf(files.list, ({ file }) => file.size);
  const isTooLarge = moves.bytesMax !== null && bytes > moves.bytesMax;
  const tooLargeText = isTooLarge
    ? t`Your files are larger than ${formatBytes(moves.bytesMax ?? 0)} together. Send some in another reply.`
    : null;
  const send = ({ body }: { body: string }) =>
    action.run(async () => {
      await moves.reply(body.trim(), files);
      files.clear();
      form.reset({ body: '' });
      showToast(t`Reply sent`);
    });
  return (
    <Form className="form-fields" onSubmit={() => void (isTooLarge ? null : form.submit(send))}>
      <TextArea
        label={t`Your reply`}
        rows={4}
        maxLength={ticketLimits.bodyMax}
        length={form.values.body.length}
        {...form.textField('body')}
      />
      {moves.takesFiles ? <FilesField files={files} /> : null}
      <Refused text={tooLargeText ?? action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        {t`Send reply`}
      </Button>
    </Form>
  );
}
