import { minuteMs } from '@nearhand/contract/durations';
import type { ServiceMessage } from '@nearhand/contract/trust/service-status';
import { serviceStatusLimits } from '@nearhand/contract/trust/service-status.rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';

const refetch = () => queryClient.invalidateQueries({ queryKey: apiQuery.operators.serviceMessages.key() });

export function MessagesPage() {
  const query = useInfiniteQuery(
    apiQuery.operators.serviceMessages.infiniteOptions({ ...pages, input: (cursor) => ({ cursor }) }),
  );
  return (
    <Page title="Service messages" lead="A line above every page and on the help screen, for everyone.">
      <div className="c-two">
        <PagedList
          query={query}
          label="Messages"
          errorTitle="We couldn't load the messages"
          flush={false}
          empty={
            <EmptyState title="No messages yet">
              <p>Messages appear here when you show one to everyone.</p>
            </EmptyState>
          }
        >
          {(messages) => (
            <ul>
              {messages.map((message) => (
                <MessageRow key={message.id} message={message} />
              ))}
            </ul>
          )}
        </PagedList>
        <NewMessage />
      </div>
    </Page>
  );
}

const stateBadges = {
  shown: <Badge tone="good">Shown now</Badge>,
  planned: <Badge tone="here">Planned</Badge>,
  over: <Badge>Ended</Badge>,
};

function MessageRow({ message }: { message: ServiceMessage }) {
  const now = useNow();
  const action = useAction();
  const { text, startsAt, endsAt } = message;
  const [ended, setEnded] = useState(false);
  const state = ended ? 'over' : messageState(message, now);
  const zone = ownTimeZone();
  const end = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: 'End this message?',
      message: `"${text}" disappears for everyone within minutes.`,
      buttons: [
        { value: 'end', label: 'End message' },
        { value: 'keep', label: 'Keep it' },
      ],
    });
    if (choice !== 'end') return;
    if (await action.run(() => api.operators.endServiceMessage({ messageId: message.id }))) {
      setEnded(true);
      await refetch();
      showToast('Message ended');
    }
  };
  return (
    <li className="li top">
      <div className="grow col g1">
        <p className="pre-line">{text}</p>
        <p className="sm mute row g2 wrap">
          {stateBadges[state]}
          <span>
            {formatDate(startsAt, zone, now)}
            {endsAt ? ` to ${formatDate(endsAt, zone, now)}` : ', until it is ended'}
          </span>
        </p>
        <Refused text={action.refusal} />
      </div>
      {state === 'over' ? null : (
        <Button kind="quiet" size="s" busy={action.busy} onClick={() => void end()}>
          End now
        </Button>
      )}
    </li>
  );
}

const instantOf = (local: string) => (local === '' ? undefined : new Date(local).toISOString());

function NewMessage() {
  const action = useAction();
  const form = useFormModel({
    id: 'service-message',
    focusProblems: true,
    start: () => ({ text: '', from: '', until: '' }),
    check: (values) => problemsOf(values),
  });
  const send = async ({ text, from, until }: { text: string; from: string; until: string }) => {
    const input = { text: text.trim(), startsAt: instantOf(from), endsAt: instantOf(until) };
    if (!(await action.run(() => api.operators.postServiceMessage(input)))) return;
    form.reset({ text: '', from: '', until: '' });
    await refetch();
    showToast(from === '' ? 'Everyone sees the message now' : 'Message planned');
  };
  const { values } = form;
  return (
    <Card as="section" label="New message">
      <h2 className="h-s">New message</h2>
      <Form className="col g4 mt4" onSubmit={() => void form.submit(send)}>
        <TextArea
          {...form.textField('text')}
          label="Message"
          help="Say what is affected and until when."
          rows={4}
          maxLength={serviceStatusLimits.textMax}
          length={values.text.length}
        />
        <div className="col g4">
          <TextInput
            {...form.textField('from')}
            label="From"
            type="datetime-local"
            optional
            help="Empty: now."
          />
          <TextInput
            {...form.textField('until')}
            label="Until"
            type="datetime-local"
            optional
            help="Empty: until ended."
          />
        </div>
        <Refused text={action.refusal} />
        <Button kind="go" full type="submit" busy={action.busy}>
          {values.from === '' ? 'Show everyone now' : 'Plan message'}
        </Button>
      </Form>
    </Card>
  );
}

type Times = { startsAt: string; endsAt: string | null };

/** The message's state. The next minute counts as now: `now` ticks every half minute, and clocks differ. */
export function messageState({ startsAt, endsAt }: Times, now: Date): 'shown' | 'planned' | 'over' {
  if (endsAt !== null && Date.parse(endsAt) <= now.getTime()) return 'over';
  return Date.parse(startsAt) > now.getTime() + minuteMs ? 'planned' : 'shown';
}

/** The problems of a new message; `from` and `until` are local times or empty. */
export function problemsOf({ text, from, until }: { text: string; from: string; until: string }): {
  text?: string;
  from?: string;
  until?: string;
} {
  const { textMax } = serviceStatusLimits;
  const length = text.trim().length;
  return {
    text:
      length === 0
        ? 'Write the message.'
        : length > textMax
          ? `Use ${textMax} characters or fewer.`
          : undefined,
    until:
      until !== '' && from !== '' && Date.parse(until) <= Date.parse(from)
        ? 'Choose a time after the start.'
        : undefined,
  };
}
