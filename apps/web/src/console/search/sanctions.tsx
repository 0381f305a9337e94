import type { OperatorContext } from '@nearhand/contract/operator-context';
import { businessStatuses, mayHire } from '@nearhand/contract/people/businesses.rules';
import type { RunningWork, Sanction } from '@nearhand/contract/trust/sanctions';
import { sanctionLimits, type staffMeasures } from '@nearhand/contract/trust/sanctions.rules';
import type { Found } from '@nearhand/contract/trust/staff-search';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { mayBeHidden, plannedEnd, reversalText } from '../case/decisions.ts';
import { Facts } from '../case/facts-card.tsx';
import {
  confirmSuspension,
  runningText,
  StatementFields,
  useStatementFor,
} from '../case/statement-fields.tsx';
import { api, apiQuery } from '../console-api.ts';
import { codeText, measureText, ruleName, sanctionTargetText } from '../queue/case.labels.ts';

const when = (instant: string) => formatDate(instant, ownTimeZone());

const targets = { person: 'account', business: 'business', job: 'job' } as const;
const readers: Record<keyof typeof targets, string> = {
  person: 'They read',
  business: 'The people who hire for it read',
  job: 'The people who hire for it read',
};

type StaffMeasure = (typeof staffMeasures)[number];

const measures: Record<StaffMeasure, { label: string; action: string; done: string }> = {
  warning: { label: 'Warn', action: 'Send the warning', done: 'Warning sent' },
  hidden: { label: 'Hide the job', action: 'Hide the job', done: 'Job hidden' },
  suspension: { label: 'Suspend', action: 'Start the suspension', done: 'Suspension started' },
};

const nothingRuns: RunningWork = { openJobs: 0, bookings: 0 };

function effectOf(measure: StaffMeasure, kind: keyof typeof targets, running: RunningWork): string {
  const notice = `${readers[kind]} your statement of reasons and can appeal.`;
  if (measure === 'warning') return `Changes nothing else. ${notice}`;
  if (measure === 'hidden')
    return `Nobody but its business and applicants sees it, and it hires nobody. ${notice}`;
  return kind === 'business'
    ? `It can't hire. ${runningText(running, false)} ${notice}`
    : `Keeps them from what you choose. ${runningText(running, true)} Earned money can be withdrawn. ${notice}`;
}

export function ImposeSanction({
  item,
  running = nothingRuns,
  access,
  onChange,
}: {
  item: Found;
  running?: RunningWork | undefined;
  access: OperatorContext;
  onChange: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState(false);
  const { kind } = item;
  if (kind === 'engagement') return null;
  return (
    <section className="card" aria-label="New decision">
      <h2 className="h-s">New decision</h2>
      {open ? (
        <ImposeForm
          item={{ ...item, kind }}
          running={running}
          access={access}
          onClose={() => setOpen(false)}
          onDone={async () => {
            setOpen(false);
            await onChange();
          }}
        />
      ) : (
        <div className="col g3 mt2">
          <p className="sm mute">
            {choicesFor(item)
              .map((choice) => measures[choice].label)
              .join(' or ')}
            . If it was reported, decide the report in the queue instead.
          </p>
          <Button kind="out" size="s" onClick={() => setOpen(true)}>
            Decide about this {kind}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The measures that the server accepts for a record in its status. */
function choicesFor({ kind, status }: Found): readonly StaffMeasure[] {
  if (kind === 'job') return mayBeHidden(status) ? ['warning', 'hidden'] : ['warning'];
  const business = kind === 'business' && businessStatuses.find((value) => value === status);
  return business && !mayHire(business) ? ['warning'] : ['warning', 'suspension'];
}

function ImposeForm({
  item,
  running,
  access,
  onDone,
  onClose,
}: {
  item: Found & { kind: keyof typeof targets };
  running: RunningWork;
  access: OperatorContext;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { kind, id } = item;
  const choices = choicesFor(item);
  const [measure, setMeasure] = useState<StaffMeasure | null>(null);
  const [tried, setTried] = useState(false);
  const action = useAction();
  const statement = useStatementFor(`sanction-facts ${kind} ${id}`, {
    measure: measure ?? undefined,
    ofPerson: kind === 'person',
  });
  const impose = async () => {
    setTried(true);
    const sanction = statement.read(new Date());
    if (!sanction || !statement.isComplete || measure === null) return;
    const target = { name: item.title, ofPerson: kind === 'person', running };
    if (!(await confirmSuspension(sanction, target))) return;
    const call = () =>
      api.sanctions.impose(
        { ...sanction, measure, target: { kind: targets[kind], id } },
        { context: { operator: access } },
      );
    if (!(await action.run(call))) return;
    statement.facts.drop();
    showToast(measures[measure].done);
    await onDone();
  };
  return (
    <Form className="col g4 mt3" onSubmit={() => void impose()}>
      <RadioGroup
        legend="What do you decide?"
        value={measure}
        error={tried && measure === null ? 'Choose a decision.' : undefined}
        onChange={(next) => setMeasure(choices.find((choice) => choice === next) ?? null)}
        options={choices.map((value) => ({
          value,
          label: measures[value].label,
          help: effectOf(value, kind, running),
        }))}
      />
      {statement.asks ? <StatementFields statement={statement} tried={tried} /> : null}
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        {measure ? measures[measure].action : 'Decide'}
      </Button>
      <Button kind="quiet" full onClick={onClose}>
        Cancel
      </Button>
    </Form>
  );
}

function AppealBadge({ outcome }: Pick<NonNullable<Sanction['appeal']>, 'outcome'>) {
  if (outcome === null) return <Badge tone="wait">Appealed</Badge>;
  return <Badge>{outcome === 'upheld' ? 'Upheld in an appeal' : 'Reversed in an appeal'}</Badge>;
}

export function SanctionList({
  sanctions,
  access,
  mayLift,
  onChange,
}: {
  sanctions: readonly Sanction[];
  access: OperatorContext;
  mayLift: boolean;
  onChange: () => Promise<unknown>;
}) {
  return (
    <section className="card" aria-label="Decisions">
      <h2 className="h-s">Decisions</h2>
      {sanctions.length === 0 ? <p className="sm mute mt2">None so far.</p> : null}
      <ol className="c-words mt3">
        {sanctions.map((sanction) => (
          <li key={sanction.id}>
            <p className="row g2 wrap">
              <span className="strong">{measureText(sanction.measure)}</span>
              {sanction.endedAt ? (
                <Badge>{codeText(sanction.ending ?? 'ended')}</Badge>
              ) : sanction.measure === 'warning' ? null : (
                <Badge tone="bad">In force</Badge>
              )}
              {sanction.appeal ? <AppealBadge outcome={sanction.appeal.outcome} /> : null}
            </p>
            <Facts
              rows={[
                ['Decided', when(sanction.decidedAt)],
                ['About', sanctionTargetText(sanction)],
                ['From', sanction.scope ? codeText(sanction.scope) : null],
                ['Rule', ruleName[sanction.rule]],
                ['Facts', sanction.facts],
                ['Ends', plannedEnd(sanction, when)],
                [
                  'Ended',
                  sanction.endedAt
                    ? `${when(sanction.endedAt)}${sanction.endReason ? `\n${sanction.endReason}` : ''}`
                    : null,
                ],
              ]}
            />
            {mayLift && sanction.endedAt === null ? (
              <Lift sanction={sanction} access={access} onChange={onChange} />
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Lift({
  sanction,
  access,
  onChange,
}: {
  sanction: Sanction;
  access: OperatorContext;
  onChange: () => Promise<unknown>;
}) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  const draft = useStoredText(`sanction-lift ${sanction.id}`);
  const sanctionId = sanction.id;
  // Each look at an effect is logged.
  const effect = useQuery({
    ...apiQuery.sanctions.reversal.queryOptions({ input: { sanctionId }, context: { operator: access } }),
    enabled: open,
    refetchOnWindowFocus: false,
  });
  return (
    <div className="mt3">
      <Button kind="out" size="s" onClick={() => setOpen(true)}>
        Lift it
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title="Lift the decision">
        <ReasonForm
          send="Lift the decision"
          action={action}
          note={{
            label: 'Why?',
            help: 'Those concerned read it word for word.',
            max: sanctionLimits.reasonMax,
            missing: 'Write the reason.',
            draft,
          }}
          onSend={(reason) => api.sanctions.lift({ sanctionId, reason }, { context: { operator: access } })}
          onDone={() => {
            setOpen(false);
            showToast('Decision lifted');
            void onChange();
          }}
        >
          <QueryState
            query={effect}
            loading={<RowsSkeleton count={1} />}
            errorTitle="We couldn't check the effect"
          >
            {(reversal) => <p>{reversalText(sanction, reversal)} Those concerned are notified.</p>}
          </QueryState>
        </ReasonForm>
      </Sheet>
    </div>
  );
}
