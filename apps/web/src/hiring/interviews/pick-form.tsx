import { Trans, useLingui } from '@lingui/react/macro';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { useState } from 'react';
import { dotted, formatDate, ownTimeZone, quoted } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { takesDespite, useClashes } from './clashes.ts';
import { inOwnZone, interviewPartnerName, isAsked, slotText } from './interview.labels.ts';
import { useKeepInterview, usePickInterview } from './interviews.api.ts';
import { useInterviewMove } from './use-interview-move.ts';

export function PickForm({ interview, now }: { interview: Interview; now: Date }) {
  const { t } = useLingui();
  const pick = usePickInterview();
  const keep = useKeepInterview();
  const { run, busy, refusal } = useInterviewMove();
  const zone = interview.zones.business;
  const hasPassed = (startsAt: string) => Date.parse(startsAt) <= now.getTime();
  const open = interview.slots.filter(({ startsAt }) => !hasPassed(startsAt));
  const only = interview.slots.length === 1 ? open[0] : undefined;
  const clashOf = useClashes({ ...interview, businessId: interview.business.id }, now);
  const noteOf = (startsAt: string) => {
    if (hasPassed(startsAt)) return t`This time has passed.`;
    const ownTime = inOwnZone(startsAt, zone, now);
    return dotted(ownTime && t`${ownTime} your time`, clashOf(startsAt)?.text) || undefined;
  };
  const suggested = interview.steps.at(-1);
  const [chosenSlot, setChosenSlot] = useState<string | null>(null);
  const slot = open.find(({ id }) => id === chosenSlot) ?? (open.length === 1 ? open[0] : undefined);
  const [tried, setTried] = useState(false);
  const input = { interviewId: interview.id, version: interview.version };
  const name = interviewPartnerName(interview);
  const old = interview.startsAt;
  const take = async () => {
    setTried(true);
    if (!slot || !(await takesDespite(clashOf(slot.startsAt)))) return;
    const isDone = await run(() => pick.mutateAsync({ ...input, slotId: slot.id, timeZone: ownTimeZone() }));
    if (isDone) announce(t`Interview scheduled. ${name} has been notified.`);
  };
  return (
    <Form className="interview-form" onSubmit={() => void take()}>
      {old && interview.reschedule ? (
        <Banner tone="wait" icon="arrows-clockwise">
          <p className="strong">
            <Trans>{name} asked for another time.</Trans>
          </p>
          {interview.reschedule.reason ? <p>{quoted(interview.reschedule.reason)}</p> : null}
          <p>
            <Trans>{slotText(old, zone, now)} stays until you reply.</Trans>
          </p>
        </Banner>
      ) : null}
      {interview.status === 'proposed' && suggested?.action === 'suggest' && isAsked(interview) ? (
        <Banner tone="wait" icon="calendar-blank">
          <p className="strong">
            <Trans>{name} suggested other times.</Trans>
          </p>
          {suggested.reason ? <p>{quoted(suggested.reason)}</p> : null}
        </Banner>
      ) : null}
      {only ? (
        <div>
          <p className="strong num">{formatDate(only.startsAt, zone, now)}</p>
          <p className="sm mute">{noteOf(only.startsAt)}</p>
        </div>
      ) : (
        <RadioGroup
          legend={t`Proposed times`}
          value={slot?.id ?? null}
          onChange={setChosenSlot}
          error={tried && !slot ? t`Choose a time.` : undefined}
          options={interview.slots.map(({ id, startsAt }) => ({
            value: id,
            label: formatDate(startsAt, zone, now),
            help: noteOf(startsAt),
            disabled: hasPassed(startsAt),
          }))}
        />
      )}
      <Refused text={refusal} />
      <Button type="submit" kind="go" full icon="check" busy={busy}>
        {only
          ? t`Accept ${formatDate(only.startsAt, zone, now)}`
          : slot
            ? t`Pick ${formatDate(slot.startsAt, zone, now)}`
            : t`Confirm time`}
      </Button>
      {old && interview.actions.includes('keep') ? (
        <Button
          kind="out"
          full
          needsNetwork
          onClick={async () => {
            if (await run(() => keep.mutateAsync(input))) announce(t`Original time kept`);
          }}
        >
          {t`Keep ${formatDate(old, zone, now)}`}
        </Button>
      ) : null}
    </Form>
  );
}
