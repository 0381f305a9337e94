import { plural, t as say } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Engagement, ShiftChange, ShiftChangeAnswer } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatMinutes, formatMoney, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { payBasis, timeText, workWhen } from './engagement.labels.ts';
import { useEngagementMove } from './engagement-move.api.ts';
import { engagementMove } from './engagements.api.ts';

/**
 * The change of a booked shift that the business proposes, with old and new, for both sides. An answered change
 * shows until the shift starts, while its booking lasts or after the worker left because of it.
 */
export function ShiftChangeCard({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const now = useNow();
  const { change, side } = work;
  if (!change || change.status === 'withdrawn') return null;
  const { startsAt } = work.terms;
  const isAhead = startsAt !== null && now < new Date(startsAt);
  const isStanding = change.status === 'cancelled' || work.status === 'booked' || work.status === 'confirmed';
  if (change.status !== 'open' && !(isAhead && isStanding)) return null;
  const { title, text } = side === 'worker' ? workerText(work, change, now) : businessText(work, change, now);
  return (
    <Card as="section" label={t`Change to the shift`}>
      <h2 className="h-s">{title}</h2>
      <p className="mute mt1">{text}</p>
      <ChangedTerms change={change} isWorker={side === 'worker'} />
      {change.answers.length > 0 ? <ChangeAnswers work={work} change={change} /> : null}
      <div className="mt4">
        <HelpLink article="shift-changes">{t`How changes to a booked shift work`}</HelpLink>
      </div>
    </Card>
  );
}

type ChangeText = { title: string; text: string };

function workerText({ business, terms }: Engagement, change: ShiftChange, now: Date): ChangeText {
  const b = business.name;
  switch (change.status) {
    case 'open': {
      const by = timeText(change.answerBy, terms.timeZone, now);
      return {
        title: say`${b} wants to change this shift`,
        text: say`Answer by ${by}. If you don’t, what you agreed stays.`,
      };
    }
    case 'accepted':
      return { title: say`You accepted a change`, text: say`The new terms apply.` };
    case 'cancelled':
      return { title: say`You left because of a change`, text: say`It doesn’t count against you.` };
    case 'declined':
      return { title: say`You keep what you agreed`, text: say`The change doesn’t apply to you.` };
    default:
      return {
        title: say`A change wasn’t answered in time`,
        text: say`What you agreed stays. The change doesn’t apply to you.`,
      };
  }
}

function businessText({ worker, terms }: Engagement, change: ShiftChange, now: Date): ChangeText {
  const name = worker.name || say`The worker`;
  switch (change.status) {
    case 'open': {
      const by = timeText(change.answerBy, terms.timeZone, now);
      return {
        title: say`You asked ${name} to accept a change`,
        text: say`They can answer until ${by}. If they don’t, they stay booked as agreed.`,
      };
    }
    case 'accepted':
      return { title: say`${name} accepted your change`, text: say`The new terms apply.` };
    case 'cancelled':
      return {
        title: say`${name} left because of your change`,
        text: say`The money you set aside for it is back in your balance.`,
      };
    case 'declined':
      return {
        title: say`${name} keeps what you agreed`,
        text: say`They work the agreed hours. If you don’t need them then, cancel the booking.`,
      };
    default:
      return {
        title: say`${name} didn’t answer your change`,
        text: say`They work the agreed hours. If you don’t need them then, cancel the booking.`,
      };
  }
}

function ChangedTerms({ change, isWorker }: { change: ShiftChange; isWorker: boolean }) {
  const { t } = useLingui();
  const now = useNow();
  const { before, after } = change;
  const breakOf = ({ breakMinutes, breakPaid }: Terms) => {
    if (breakMinutes === 0) return t`No break`;
    return breakPaid
      ? t`${formatMinutes(breakMinutes)} paid break`
      : t`${formatMinutes(breakMinutes)} unpaid break`;
  };
  const placeOf = ({ place }: Terms) => joined(place.address, place.area);
  const payOf = (terms: Terms) =>
    isWorker
      ? t`${formatMoney(terms.workerGetsMinor, terms.currency)} to you`
      : t`${formatMoney(terms.holdMinor, terms.currency)} including the fee`;
  const rows = [
    { icon: 'calendar-blank', text: (terms: Terms) => workWhen(terms, now) ?? '' },
    { icon: 'clock', text: breakOf },
    { icon: 'map-pin', text: placeOf },
    { icon: 'coins', text: (terms: Terms) => joined(payOf(terms), payBasis(terms)) },
  ] as const;
  return (
    <div className="facts mt3">
      {rows
        .filter((row) => row.text(before) !== row.text(after))
        .map((row) => (
          <Fact
            key={row.icon}
            icon={row.icon}
            title={t`New: ${row.text(after)}`}
            note={<s>{t`Agreed: ${row.text(before)}`}</s>}
          />
        ))}
    </div>
  );
}

function ChangeAnswers({ work, change }: { work: Engagement; change: ShiftChange }) {
  const { t } = useLingui();
  const action = useEngagementMove(work.side);
  const answerChange = useMutation(apiQuery.engagements.answerChange.mutationOptions(engagementMove));
  const [together, setTogether] = useState(true);
  const count = change.togetherCount;
  const isTogether = together && count > 1;
  const shifts = shiftCount(count);
  const send = async (answer: ShiftChangeAnswer, toast: string) => {
    const input = { engagementId: work.id, changeId: change.id, answer, together: isTogether };
    if (await action.run(() => answerChange.mutateAsync(input))) showToast(toast);
  };
  const leave = async () => {
    const choice = await showAlert({
      title: isTogether ? t`Leave ${shifts}?` : t`Leave this shift?`,
      message: isTogether
        ? t`All ${count} shifts of this change are cancelled, and the spots go to others. It doesn’t count against you.`
        : t`Your booking is cancelled, and the spot goes to someone else. It doesn’t count against you.`,
      tone: 'ask',
      buttons: [
        { value: 'leave', label: isTogether ? t`Leave ${shifts}` : t`Leave shift`, kind: 'bad' },
        { value: 'back', label: t`Go back` },
      ],
    });
    if (choice === 'leave') await send('leave', isTogether ? t`You left ${shifts}` : t`You left the shift`);
  };
  return (
    <div className="col g2 mt4">
      <Refused text={action.refusal} />
      {count > 1 ? (
        <Check
          label={t`Same answer for all ${count} shifts of this change`}
          checked={together}
          onChange={(event) => setTogether(event.target.checked)}
        />
      ) : null}
      <Button
        kind="go"
        full
        needsNetwork
        busy={action.busy}
        onClick={() =>
          send('accept', isTogether ? t`You accepted the change for ${shifts}` : t`You accepted the change`)
        }
      >
        {isTogether
          ? plural(count, { one: 'Accept for # shift', other: 'Accept for # shifts' })
          : t`Accept change`}
      </Button>
      <Button
        kind="out"
        full
        needsNetwork
        busy={action.busy}
        onClick={() =>
          send('decline', isTogether ? t`${shifts} stay as agreed` : t`The shift stays as agreed`)
        }
      >
        {isTogether ? t`Keep ${shifts} as agreed` : t`Keep as agreed`}
      </Button>
      <Button kind="quiet" full needsNetwork busy={action.busy} onClick={() => void leave()}>
        {isTogether ? t`Leave ${shifts} without a mark` : t`Leave shift without a mark`}
      </Button>
    </div>
  );
}
