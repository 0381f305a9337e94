import { useLingui } from '@lingui/react/macro';
import type { Appeal, Sanction } from '@nearhand/contract/trust/sanctions';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { useMutation } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';

export function AppealPart({ sanction }: { sanction: Sanction }) {
  if (sanction.appeal) return <OwnAppeal appeal={sanction.appeal} />;
  return sanction.appealUntil ? <AppealForm sanction={sanction} until={sanction.appealUntil} /> : null;
}

function OwnAppeal({ appeal }: { appeal: Appeal }) {
  const { t } = useLingui();
  const zone = ownTimeZone();
  const dueText = formatDate(appeal.dueAt, zone);
  return (
    <Card as="section" roomy label={t`Your appeal`}>
      <div className="col g3">
        <div className="row g3 wrap">
          <h2 className="h-s grow">{t`Your appeal`}</h2>
          <Badge tone={appeal.outcome === 'overturned' ? 'good' : appeal.outcome ? 'here' : 'wait'}>
            {appeal.outcome === 'overturned'
              ? t`Decision reversed`
              : appeal.outcome
                ? t`Decision stays`
                : t`In review`}
          </Badge>
        </div>
        <p className="pre-line break" dir="auto">
          {appeal.words}
        </p>
        {appeal.decidedAt ? (
          <div>
            <p className="sm mute">{t`Our answer, ${formatDate(appeal.decidedAt, zone)}`}</p>
            <p className="pre-line break mt1" dir="auto">
              {ownText(appeal.reason)}
            </p>
            {appeal.outcome === 'upheld' ? <Settlement /> : null}
          </div>
        ) : (
          <p className="sm mute">{t`Someone who didn't make the decision reviews it by ${dueText}.`}</p>
        )}
      </div>
    </Card>
  );
}

/** Out-of-court settlement after a rejected appeal or a dismissal that was upheld (DSA, article 21). */
export function Settlement() {
  const { t } = useLingui();
  const { settlementBody: body, settlementBodyUrl: url } = useSettings();
  return (
    <div className="mt4">
      <h3 className="strong">{t`If you still disagree`}</h3>
      <p className="mt1">
        {body
          ? t`You can ask ${body} to settle the dispute out of court, or go to court.`
          : t`You can ask a certified out-of-court settlement body to settle the dispute, or go to court.`}
      </p>
      {body && url ? (
        <a className="link hit" href={url} target="_blank" rel="noopener noreferrer">
          {t`Open their site`}
        </a>
      ) : null}
    </div>
  );
}

function AppealForm({ sanction, until }: { sanction: Sanction; until: string }) {
  const { t } = useLingui();
  const appeal = useAppeal();
  const last = formatDate(until, ownTimeZone());
  return (
    <Card as="section" roomy label={t`Appeal`}>
      <DisagreeForm
        draftName={`appeal ${sanction.id}`}
        lead={t`You can appeal once, until ${last}. Someone who didn't make the decision answers within ${sanctionLimits.appealAnswerDays} days.`}
        button={t`Send appeal`}
        wordsMax={sanctionLimits.wordsMax}
        send={(words) => appeal.mutateAsync({ sanctionId: sanction.id, words })}
      />
    </Card>
  );
}

/** Takes the reason why a decision is wrong. */
export function DisagreeForm({
  draftName,
  lead,
  button,
  wordsMax,
  send,
}: {
  draftName: string;
  lead: string;
  button: string;
  wordsMax: number;
  send: (words: string) => Promise<unknown>;
}) {
  const { t } = useLingui();
  const action = useAction();
  const text = useTextDraft(draftName);
  const form = useFormModel<{ words: string }>({
    focusProblems: true,
    draft: { value: { words: text.value }, set: ({ words }) => text.set(words) },
    check: ({ words }) => {
      const problem = words.trim() === '' ? t`Say why you disagree.` : tooLong(words, wordsMax);
      return problem ? { words: problem } : {};
    },
  });
  return (
    <Form
      className="col g4"
      onSubmit={() => {
        void form.submit(({ words }) =>
          action.run(async () => {
            await send(words.trim());
            text.drop();
          }),
        );
      }}
    >
      <h2 className="h-s">{t`Do you disagree?`}</h2>
      <p className="mute">{lead}</p>
      <TextArea
        label={t`Why it's wrong`}
        rows={5}
        maxLength={wordsMax}
        length={form.values.words.length}
        {...form.textField('words')}
      />
      <Refused text={action.refusal} />
      <Button kind="go" type="submit" busy={action.busy}>
        {button}
      </Button>
    </Form>
  );
}

/** Files an appeal (`appeals.create`). A retry after a lost response is the same appeal. */
function useAppeal() {
  return useMutation({
    mutationFn: sendOnce('appeals.create', api.appeals.create as never) as (
      input: Parameters<typeof api.appeals.create>[0],
    ) => Promise<Sanction>,
    onSuccess: (sanction) => {
      const queryKey = apiQuery.sanctions.get.queryKey({ input: { sanctionId: sanction.id } });
      queryClient.setQueryData(queryKey, sanction);
      refetchChanged(['sanction'], queryKey);
    },
  });
}
