import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import { workLimits } from '@nearhand/contract/work/limits';
import type { ApprovalRule } from '@nearhand/contract/work/timesheets';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

const useSetRule = () =>
  useMutation({
    mutationFn: sendOnce('timesheets.setRule', api.timesheets.setRule),
    onSettled: () => refetchChanged(['business']),
  });

/** The rule that approves hours near the plan by itself, which owners and managers change. Others see it only while it is on. */
export function ApprovalRuleLine({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { data } = useQuery(
    apiQuery.timesheets.rule.queryOptions({ input: { businessId }, ...neverPersist }),
  );
  if (!data || (data.minutes === null && !data.canChange)) return null;
  const { minutes, afterHours } = data;
  return (
    <div className="row g2 wrap base mt3">
      <p className="sm mute">
        {minutes === null ? (
          <Trans>Automatic approval is off.</Trans>
        ) : (
          t`Hours within ${plural(minutes, { one: '# minute', other: '# minutes' })} of the plan are approved automatically after ${plural(afterHours, { one: '# hour', other: '# hours' })}, up to the planned pay.`
        )}
      </p>
      {data.canChange ? (
        <Button kind="text" size="s" needsNetwork onClick={() => setOpen(true)}>
          {minutes === null ? t`Turn on` : t`Change`}
        </Button>
      ) : null}
      {open ? <RuleSheet businessId={businessId} rule={data} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

const minuteChoices = [0, 5, 10, 15, 20, workLimits.ruleMinutesMax];

function RuleSheet({
  businessId,
  rule,
  onClose,
}: {
  businessId: string;
  rule: ApprovalRule;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const now = useNow();
  const save = useSetRule();
  const action = useAction(errorText);
  const [isOn, setOn] = useState(true);
  const [minutes, setMinutes] = useState(rule.minutes ?? workLimits.asPlannedMinutes);
  const choices = [...new Set([...minuteChoices, minutes])].toSorted((first, second) => first - second);
  const { afterHours, setBy, setAt } = rule;
  const setOnDay = setAt && formatCalendarDay(dayIn(ownTimeZone(), setAt), { now });
  const send = () =>
    action.run(async () => {
      const after = await save.mutateAsync({ businessId, minutes: isOn ? minutes : null });
      showToast(after.minutes === null ? t`Automatic approval is off` : t`Automatic approval is on`);
      onClose();
    });
  return (
    <Sheet open onClose={onClose} title={t`Automatic approval`}>
      <Form onSubmit={() => void send()}>
        <p>
          <Trans>
            Hours that a worker submits with check-in and check-out are approved and paid{' '}
            {plural(afterHours, { one: '# hour', other: '# hours' })} later, if start, end and break are each
            near the plan and they cost at most the planned pay. Until then, you can approve or dispute them
            yourself.
          </Trans>
        </p>
        <Segmented
          label={t`Automatic approval`}
          options={[
            { value: 'on', label: t`On` },
            { value: 'off', label: t`Off` },
          ]}
          value={isOn ? 'on' : 'off'}
          onChange={(value) => setOn(value === 'on')}
        />
        {isOn ? (
          <Select
            label={t`Minutes from the plan`}
            help={t`Hours that cost more than the planned pay are left to you.`}
            options={choices.map((value) => ({ value: String(value), label: String(value) }))}
            value={String(minutes)}
            onChange={(event) => setMinutes(Number(event.target.value))}
          />
        ) : null}
        <p className="sm mute">
          <Trans>
            Disputed hours, hours we submitted for a worker, times sent later or from far away and pay that is
            on hold are never approved by this rule. Owners and managers get one message a day about what was
            approved.
          </Trans>
        </p>
        {setBy !== null ? (
          <p className="sm mute">
            <Trans>
              Last changed by {setBy}, {setOnDay}
            </Trans>
          </p>
        ) : null}
        <Refused text={action.refusal} />
        <div className="row g2 sheet-act">
          <Button kind="go" type="submit" className="grow" busy={action.busy} needsNetwork>
            {t`Save`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}
