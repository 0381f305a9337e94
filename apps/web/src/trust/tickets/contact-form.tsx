import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Language } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import { type TicketCategory, ticketCategories, ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { useDeferredValue, useMemo, useState } from 'react';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { type Problems, summaryOf, useFormModel } from '../../lib/forms/form-model.ts';
import { nameError, tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { confirmedEmail } from '../../people/sign-in/email-typo.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { articlePath } from '../help/article.ts';
import { useHelp } from '../help/help.api.ts';
import { refText, ticketCategoryText } from './ticket.labels.ts';
import { contextOf, type TicketContext } from './ticket-context.ts';
import { sendGuestTicket, useCreateTicket } from './tickets.api.ts';
import '../../ui/desk.css';

type Fields = { name: string; email: string; category: string; subject: string; body: string };
const noFields: Fields = { name: '', email: '', category: '', subject: '', body: '' };
const order = ['name', 'email', 'category', 'subject', 'body'] as const;

function contactProblems(values: Fields, isGuest: boolean): Problems<keyof Fields> {
  const ifEmpty = (field: keyof Fields, text: string) => (values[field].trim() === '' ? text : undefined);
  return {
    name: isGuest
      ? (ifEmpty('name', t`Enter your name.`) ?? nameError(values.name, 'person', limits.nameMax))
      : undefined,
    email: isGuest && !isEmail(values.email) ? t`Enter an address such as name@example.com.` : undefined,
    category: ifEmpty('category', t`Choose what it's about.`),
    subject:
      ifEmpty('subject', t`Sum it up in a few words.`) ?? tooLong(values.subject, ticketLimits.subjectMax),
    body: ifEmpty('body', t`Write what happened.`) ?? tooLong(values.body, ticketLimits.bodyMax),
  };
}

type ContactFormProps = {
  from: string;
  onSent: (ticketId: string | null, email: string) => void;
};

/** The form's state, and its sending as a ticket of the user or of a guest. */
function useContactForm({ from, onSent }: ContactFormProps) {
  const { i18n } = useLingui();
  const user = useUser();
  const create = useCreateTicket();
  const files = useChosenFiles('ticket', uploadFile);
  const action = useAction();
  const [context, setContext] = useState(() => contextOf(from));
  const [guestId, setGuestId] = useState<string>(() => crypto.randomUUID());
  const draft = useSessionDraft<Fields>('contact', () => noFields);
  const form = useFormModel<Fields>({ draft, check: (values) => contactProblems(values, user === null) });
  const send = async (values: Fields) => {
    const email = user ? values.email.trim() : await confirmedEmail(values.email.trim());
    if (email === null) return;
    form.change({ email });
    await action.run(async () => {
      const ticket = {
        category: values.category as TicketCategory,
        subject: values.subject.trim(),
        body: values.body.trim(),
        page: context.page,
      };
      let ticketId: string | null = null;
      if (user) {
        const fileIds = await files.upload();
        ticketId = (await create.mutateAsync({ ...ticket, refs: context.refs, fileIds })).id;
      } else {
        const guest = { email, name: values.name.trim(), language: i18n.locale as Language };
        await sendGuestTicket({ id: guestId, ...guest, ...ticket });
        setGuestId(crypto.randomUUID());
      }
      draft.drop();
      onSent(ticketId, email);
    });
  };
  return { user, files, action, context, setContext, form, send };
}

/** Sends a request to Nearhand. `from` is the page it was opened from, which is included unless removed. */
export function ContactForm(props: ContactFormProps) {
  const { t, i18n } = useLingui();
  const { user, files, action, context, setContext, form, send } = useContactForm(props);
  const { values, problems, idOf } = form;
  return (
    <Form className="form-fields" onSubmit={() => void form.submit(send)}>
      <ErrorSummary key={form.tries} errors={summaryOf(order, problems, idOf)} />
      {user ? null : (
        <>
          <TextInput label={t`Your name`} autoComplete="name" {...form.textField('name')} />
          <TextInput
            label={t`Email`}
            help={t`We send you a link to confirm it, and our answer.`}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={limits.emailMax}
            {...form.textField('email')}
          />
        </>
      )}
      <Select
        label={t`What is it about?`}
        placeholder={t`Choose`}
        options={ticketCategories.map((value) => ({ value, label: i18n._(ticketCategoryText[value]) }))}
        {...form.textField('category')}
      />
      <TextInput label={t`Subject`} autoComplete="off" {...form.textField('subject')} />
      <SuggestedArticles words={values.subject} />
      <TextArea
        label={t`What happened?`}
        help={t`Say what you did, what you expected, and what happened instead. Never send a password.`}
        rows={6}
        maxLength={ticketLimits.bodyMax}
        length={values.body.length}
        {...form.textField('body')}
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
