import { useLingui } from '@lingui/react/macro';
import { ticketPath } from '@nearhand/contract/app-paths';
import type { TicketThread } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { useId } from 'react';
import { useParams } from 'react-router';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { useUser } from '../../lib/session.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { SignedOutState } from '../../ui/pages/states.tsx';
import { categoryText, statusText } from './ticket.labels.ts';
import { TicketMessages } from './ticket-messages.tsx';
import { useRateTicket, useReplyToTicket, useSolveTicket, useTicket } from './tickets.api.ts';
import '../../ui/desk.css';

export default function TicketScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { ticketid = '' } = useParams();
  const query = useTicket(ticketid);
  const title = query.data?.subject ?? t`Your request`;
  if (!user)
    return (
      <Screen title={t`Your request`} heading={null} back="/tabs/menu/help">
        <SignedOutState level="h1" title={t`Your request`} next={ticketPath(ticketid)}>
          <p>{t`Log in to read our answer. Without an account, you find it in your email.`}</p>
        </SignedOutState>
      </Screen>
    );
  return (
    <Screen
      title={title}
      heading={<span dir="auto">{title}</span>}
      back="/help-center"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<RowsSkeleton count={3} />}
        errorTitle={t`We couldn't load your request`}
        offlineNote={t`You can reply when you're back online.`}
      >
        {(thread) => <Thread thread={thread} />}
      </QueryState>
    </Screen>
  );
}

const isPast = (instant: string | null): boolean => instant !== null && Date.parse(instant) < Date.now();

function Thread({ thread }: { thread: TicketThread }) {
  const { t, i18n } = useLingui();
  const solve = useSolveTicket();
  const move = useMove();
  const { text, tone } = statusText[thread.status];
  const dueText = thread.dueAt && formatDate(thread.dueAt, ownTimeZone());
  const waiting = !dueText
    ? t`We answered. Reply if something is missing.`
    : isPast(thread.dueAt)
      ? t`Your time to answer ended on ${dueText}. We decide with what we have, but you can still write.`
      : t`Answer by ${dueText}. After that we decide with what we have.`;
  return (
    <div className="col g5">
      <p className="row g3 wrap">
        <Badge tone={tone}>{i18n._(text)}</Badge>
        <span className="sm mute">{i18n._(categoryText[thread.category])}</span>
      </p>
      <TicketMessages messages={thread.messages} />
      <p className="sm mute" role="status">
        {thread.status === 'open' ? t`We have your message. We'll answer here and by email.` : null}
        {thread.status === 'waiting' ? waiting : null}
        {thread.status === 'solved' ? t`This request is closed. Your reply opens it again.` : null}
      </p>
      {thread.status === 'solved' ? <Rating thread={thread} /> : null}
      <Reply key={thread.id} thread={thread} />
      {thread.status === 'solved' || thread.dueAt !== null ? null : (
        <>
          <Refused text={move.refusal} />
          <Button
            kind="quiet"
            icon="check"
            busy={move.busy}
            onClick={() =>
              void move.run(async () => {
                await solve.mutateAsync({ ticketId: thread.id });
                showToast(t`Marked as solved`);
              })
            }
          >
            {t`Mark as solved`}
          </Button>
        </>
      )}
    </div>
  );
}

/** Asks once a request is closed; the answer can be changed. */
function Rating({ thread }: { thread: TicketThread }) {
  const { t } = useLingui();
  const rate = useRateTicket();
  const move = useMove();
  const { id: ticketId, helpful } = thread;
  const say = (value: boolean) => void move.run(() => rate.mutateAsync({ ticketId, helpful: value }));
  return (
    <section className="card col g3" aria-label={t`Was this helpful?`}>
      <h2 className="h-s">{t`Was this helpful?`}</h2>
      <div className="row g2 wrap">
        <Button
          kind="out"
          size="s"
          icon="thumbs-up"
          aria-pressed={helpful === true}
          busy={move.busy}
          onClick={() => say(true)}
        >
          {t`Yes, it helped`}
        </Button>
        <Button
          kind="out"
          size="s"
          aria-pressed={helpful === false}
          busy={move.busy}
          onClick={() => say(false)}
        >
          {t`No, it didn't`}
        </Button>
      </div>
      <p className="sm mute" role="status">
        {helpful === true ? t`Thank you. That tells us we answered well.` : null}
        {helpful === false ? t`Thank you for saying so. Write what's missing, and we'll look again.` : null}
      </p>
      <Refused text={move.refusal} />
    </section>
  );
}

function Reply({ thread }: { thread: TicketThread }) {
  const { t } = useLingui();
  const user = useUser();
  const reply = useReplyToTicket();
  const move = useMove();
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
  const send = ({ body }: { body: string }) =>
    move.run(async () => {
      const fileIds = await files.upload();
      await reply.mutateAsync({ ticketId: thread.id, body: body.trim(), fileIds });
      files.clear();
      form.reset({ body: '' });
      showToast(t`Reply sent`);
    });
  return (
    <Form className="form-fields" onSubmit={() => void form.submit(send)}>
      <TextArea
        label={t`Your reply`}
        rows={4}
        maxLength={ticketLimits.bodyMax}
        length={form.values.body.length}
        id={form.idOf('body')}
        value={form.values.body}
        error={form.problems.body}
        onChange={(event) => form.change({ body: event.target.value })}
      />
      {user?.emailVerified ? <FilesField files={files} /> : null}
      <Refused text={move.refusal} />
      <Button kind="go" full type="submit" busy={move.busy}>
        {t`Send reply`}
      </Button>
    </Form>
  );
}
