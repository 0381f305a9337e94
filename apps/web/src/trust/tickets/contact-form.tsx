import { useLingui } from '@lingui/react/macro';
import type { Language } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import {
  type TicketCategory,
  type TicketRefKind,
  ticketCategories,
  ticketLimits,
} from '@nearhand/contract/trust/tickets.rules';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { summaryOf, useFormModel } from '../../lib/forms/form-model.ts';
import { nameError, tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { refText, ticketCategoryText } from './ticket.labels.ts';
import { sendGuestTicket, useCreateTicket } from './tickets.api.ts';
import '../../ui/desk.css';
import type { TicketRef } from '@nearhand/contract/trust/tickets';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { articlePath } from '../help/article.ts';
import { useHelp } from '../help/help.api.ts';

type Fields = { name: string; email: string; category: string; subject: string; body: string };
const order = ['name', 'email', 'category', 'subject', 'body'] as const;
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Sends a request to Nearhand. `from` is the page it was opened from, which is included unless removed. */
export function ContactForm({
  from,
  onSent,
}: {
  from: string;
  onSent: (ticketId: string | null, email: string) => void;
}) {
  const { t, i18n } = useLingui();
  const user = useUser();
  const create = useCreateTicket();
  const files = useChosenFiles('ticket', uploadFile);
  const action = useAction();
  const [context, setContext] = useState(() => contextOf(from));
  const [guestId, setGuestId] = useState<string>(() => crypto.randomUUID());
  const draft = useSessionDraft<Fields>('contact', () => ({
    name: '',
    email: '',
    category: '',
    subject: '',
    body: '',
  }));
  const form = useFormModel<Fields>({
    draft,
    check: (values) => {
      const empty = (field: keyof Fields, text: string) => (values[field].trim() === '' ? text : undefined);
      const problems: Partial<Fields> = {
        ...(user
          ? {}
          : {
              name: empty('name', t`Enter your name.`) ?? nameError(values.name, 'person', limits.nameMax),
              email: isEmail(values.email.trim()) ? undefined : t`Enter an address such as name@example.com.`,
            }),
        category: empty('category', t`Choose what it's about.`),
        subject:
          empty('subject', t`Sum it up in a few words.`) ?? tooLong(values.subject, ticketLimits.subjectMax),
        body: empty('body', t`Write what happened.`) ?? tooLong(values.body, ticketLimits.bodyMax),
      } as Partial<Fields>;
      return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
    },
  });
  const { values, problems, idOf, change } = form;
  const send = (input: Fields) =>
    action.run(async () => {
      const words = {
        category: input.category as TicketCategory,
        subject: input.subject.trim(),
        body: input.body.trim(),
        page: context.page,
      };
      const email = input.email.trim();
      let ticketId: string | null = null;
      if (user) {
        const fileIds = await files.upload();
        ticketId = (await create.mutateAsync({ ...words, refs: context.refs, fileIds })).id;
      } else {
        await sendGuestTicket({
          id: guestId,
          email,
          name: input.name.trim(),
          language: i18n.locale as Language,
          ...words,
        });
        setGuestId(crypto.randomUUID());
      }
      draft.drop();
      onSent(ticketId, email);
    });
  return (
    <Form className="form-fields" onSubmit={() => void form.submit(send)}>
      <ErrorSummary key={form.tries} errors={summaryOf(order, problems, idOf)} />
      {user ? null : (
        <>
          <TextInput
            label={t`Your name`}
            autoComplete="name"
            id={idOf('name')}
            value={values.name}
            error={problems.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <TextInput
            label={t`Email`}
            help={t`We send you a link to confirm it, and our answer.`}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={limits.emailMax}
            id={idOf('email')}
            value={values.email}
            error={problems.email}
            onChange={(event) => change({ email: event.target.value })}
          />
        </>
      )}
      <Select
        label={t`What is it about?`}
        placeholder={t`Choose`}
        options={ticketCategories.map((value) => ({ value, label: i18n._(ticketCategoryText[value]) }))}
        id={idOf('category')}
        value={values.category}
        error={problems.category}
        onChange={(event) => change({ category: event.target.value })}
      />
      <TextInput
        label={t`Subject`}
        autoComplete="off"
        id={idOf('subject')}
        value={values.subject}
        error={problems.subject}
        onChange={(event) => change({ subject: event.target.value })}
      />
      <SuggestedArticles words={values.subject} />
      <TextArea
        label={t`What happened?`}
        help={t`Say what you did, what you expected, and what happened instead. Never send a password.`}
        rows={6}
        maxLength={ticketLimits.bodyMax}
        length={values.body.length}
        id={idOf('body')}
        value={values.body}
        error={problems.body}
        onChange={(event) => change({ body: event.target.value })}
      />
      {user?.emailVerified ? <FilesField files={files} /> : null}
      {user === null ? (
        <p className="sm mute">{t`You can add files once you’ve opened the link in our email.`}</p>
      ) : null}
      <SentAlong context={context} signedIn={user !== null} onChange={setContext} />
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        {t`Send to Nearhand`}
      </Button>
    </Form>
  );
}

function SentAlong({
  context,
  signedIn,
  onChange,
}: {
  context: TicketContext;
  signedIn: boolean;
  onChange: (context: TicketContext) => void;
}) {
  const { t, i18n } = useLingui();
  const refs = signedIn ? context.refs : [];
  if (context.page === '' && refs.length === 0) return null;
  return (
    <section aria-labelledby="sent-along">
      <h2 id="sent-along" className="flabel">{t`Sent along, so that we find it`}</h2>
      <ul className="col g2">
        {context.page ? (
          <li className="card row">
            <Icon name="file" />
            <span className="grow break">
              {t`The page you came from`} <span className="sm mute block">{context.page}</span>
            </span>
            <IconButton
              icon="x"
              label={t`Don't send the page`}
              onClick={() => onChange({ ...context, page: '' })}
            />
          </li>
        ) : null}
        {refs.map((ref) => (
          <li key={ref.id} className="card row">
            <Icon name="link" />
            <span className="grow break">
              {i18n._(refText[ref.kind])} <span className="xs mute num block">{ref.id}</span>
            </span>
            <IconButton
              icon="x"
              label={t`Don't send: ${i18n._(refText[ref.kind])}`}
              onClick={() => onChange({ ...context, refs: refs.filter(({ id }) => id !== ref.id) })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The context a page adds to a request: its path without ids and typed text, and the record it shows. */
type TicketContext = { page: string; refs: TicketRef[] };

const id = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const patterns: readonly [RegExp, TicketRefKind][] = [
  [new RegExp(`^/tabs/menu/(?:my-work|jobs)/engagement/${id}$`), 'engagement'],
  [new RegExp(`^/tabs/menu/my-work/${id}$`), 'application'],
  [new RegExp(`^/(?:job-desc|job-apply-form|job-applicants|edit-job|job-applied-success)/${id}$`), 'job'],
  [new RegExp(`^/worker-details/${id}$`), 'worker'],
  [new RegExp(`^/interview\\?id=${id}$`), 'interview'],
  [new RegExp(`^/chat\\?c=${id}$`), 'conversation'],
];

/** The context of a page by its address. Ids appear only in the records, each of which the person can remove. */
export function contextOf(from: string): TicketContext {
  const [path = ''] = from.split(/[?#]/);
  if (!/^\/[\w/-]*$/.test(path)) return { page: '', refs: [] };
  const page = path.replace(new RegExp(`/${id}(?=/|$)`, 'g'), '');
  for (const [pattern, kind] of patterns) {
    const id = pattern.exec(from)?.[1];
    if (id) return { page, refs: [{ kind, id: id }] };
  }
  return { page, refs: [] };
}

const suggestedArticlesShown = 3;
const wordsMin = 4;

function SuggestedArticles({ words }: { words: string }) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const { searchArticles } = useHelp();
  const query = useDeferredValue(words.trim());
  const results = useMemo(
    () => (query.length < wordsMin ? [] : searchArticles(query, side).slice(0, suggestedArticlesShown)),
    [query, side, searchArticles],
  );
  if (results.length === 0) return null;
  return (
    <section aria-live="polite">
      <h2 className="sm strong help-head">{t`This may answer it`}</h2>
      <Card flush>
        {results.map(({ slug, title }) => (
          <ListRow key={slug} title={title} to={articlePath(slug)} />
        ))}
      </Card>
    </section>
  );
}
