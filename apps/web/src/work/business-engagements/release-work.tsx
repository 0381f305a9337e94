import { Trans, useLingui } from '@lingui/react/macro';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { minorFromTyped, typedAmountMax, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney, minorDigits } from '../../lib/words/format.ts';
import { useCurrentBusiness, useRoleIn } from '../../people/businesses/businesses.api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import '../engagements/engagements.css';
import './business-work.css';
import { businessNextText } from '../engagements/business-work.labels.ts';
import { nextLeft } from '../engagements/engagement.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { Cover } from '../pay/cover.tsx';
import { useReleasePreview, useTip } from '../pay/pay.api.ts';
import { ReleasePreviewState } from '../pay/release-cost.tsx';
import { tipChoices, tipError, tipMaxText } from '../pay/tip-form.tsx';
import { Deliveries } from '../timesheets/deliveries.tsx';
import { HoursCompare } from '../timesheets/hours-compare.tsx';
import { ReleaseHold } from '../timesheets/release-hold.tsx';
import { useApprove } from '../timesheets/timesheets.api.ts';
import { useBusinessActs } from './business-acts.tsx';
import { ReleaseQuestion } from './business-work-forms.tsx';
import { WorkerHead } from './worker-head.tsx';

type ReleaseWorkProps = {
  work: Engagement;
  level: 'h1' | 'h2';
  /** `tipProblem` is the reason why the chosen tip failed; the pay is released either way. */
  onReleased: (text: string, tipProblem: string | null) => void;
};

export function ReleaseWork({ work, level, onReleased }: ReleaseWorkProps) {
  const { t } = useLingui();
  const now = useNow();
  const role = useRoleIn(work.business.id);
  const mayPay = role === null || roleMay(role, 'pay');
  const preview = useReleasePreview(mayPay ? work.id : undefined);
  const { ask, sheets } = useBusinessActs();
  const nextWork = nextLeft(work, now);
  return (
    <div className="release-work">
      <WorkerHead
        work={work}
        name={work.worker.name || t`The worker`}
        level={level}
        small
        end={
          nextWork ? (
            <Badge tone="wait" icon="clock-countdown">
              {nextWork}
            </Badge>
          ) : null
        }
      />
      <HoursCompare engagement={work} />
      <Deliveries work={work} />
      {mayPay ? (
        <ReleasePreviewState preview={preview}>
          {(data) => (
            <ReleasePay
              work={work}
              preview={data}
              onPreview={() => void preview.refetch()}
              ask={(act) => ask(act, work)}
              onReleased={onReleased}
            />
          )}
        </ReleasePreviewState>
      ) : (
        <ReleasedByColleagues work={work} ask={(act) => ask(act, work)} />
      )}
      {sheets}
    </div>
  );
}

/** The end of the page for a role that can't release pay. */
function ReleasedByColleagues({ work, ask }: Pick<ReleasePayProps, 'work' | 'ask'>) {
  const { t } = useLingui();
  const outcome = businessNextText(work, useSettings(), useNow());
  return (
    <>
      {outcome ? <p className="sm release-next">{outcome}</p> : null}
      <p className="sm mute">
        {work.terms.startsAt === null
          ? t`An owner, manager, recruiter or someone in finance approves the work and releases the pay.`
          : t`An owner, manager, recruiter or someone in finance approves the hours and releases the pay.`}
      </p>
      <OtherActs work={work} canCounter ask={ask} />
    </>
  );
}

/** The typed tip, and the release of the pay with it. */
function useRelease({ work, onReleased }: Pick<ReleaseWorkProps, 'work' | 'onReleased'>) {
  const { t } = useLingui();
  const approve = useApprove();
  const tip = useTip();
  const action = useEngagementMove(work.side);
  const [typedTip, setTypedTip] = useState('');
  const { currency } = work.terms;
  const name = work.worker.name || t`The worker`;
  const tipMinor = minorFromTyped(typedTip, minorDigits(currency));
  const tipProblem = typedTip.trim() === '' ? undefined : tipError(typedTip, currency);
  const release = async (addMinor?: number) => {
    await approve.mutateAsync({ engagementId: work.id, version: work.version, addMinor });
    let problem: string | null = null;
    if (tipMinor !== null)
      await tip.mutateAsync({ engagementId: work.id, amountMinor: tipMinor }).catch((error: unknown) => {
        problem = errorText(error);
      });
    onReleased(t`Released to ${name}`, problem);
  };
  return { action, typedTip, setTypedTip, tipMinor, tipProblem, release };
}

type ReleasePayProps = Pick<ReleaseWorkProps, 'work' | 'onReleased'> & {
  preview: ReleasePreview;
  onPreview: () => void;
  ask: Parameters<typeof OtherActs>[0]['ask'];
};

function ReleasePay({ work, preview: data, onPreview, ask, onReleased }: ReleasePayProps) {
  const { t } = useLingui();
  const now = useNow();
  const { action, typedTip, setTypedTip, tipMinor, tipProblem, release } = useRelease({ work, onReleased });
  const [asking, setAsking] = useState(false);
  const cover = useRef<HTMLDivElement>(null);
  const { terms, worker } = work;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const first = firstNameOf(worker.name || t`The worker`);
  const outcome = businessNextText(work, useSettings(), now);
  const isAboveRecord = work.claimFlags.includes('beyond_record') && work.actions.includes('counter');
  // The record says less than the claim, so proposing its hours is the safe choice, until money was added for more.
  const wasCovered = data.missingMinor === 0 && data.alreadyPaidMinor + data.payMinor > terms.payTotalMinor;
  const proposesFirst = isAboveRecord && !wasCovered;
  const { missingMinor, balanceCovers: addsMissing } = data;
  return (
    <div className="release-work">
      <ReleaseHold work={work} preview={data} />
      {data.missingMinor > 0 ? (
        <div ref={cover} tabIndex={-1}>
          <Cover
            engagementId={work.id}
            businessId={work.business.id}
            currency={data.currency}
            missingMinor={data.missingMinor}
            owed={false}
            beyondPlan={data.alreadyPaidMinor + data.payMinor > terms.payTotalMinor}
            onDone={onPreview}
          />
        </div>
      ) : (
        <TipField
          work={work}
          typed={typedTip}
          onType={setTypedTip}
          tipMinor={tipMinor}
          problem={tipProblem}
        />
      )}
      {outcome ? <p className="sm release-next">{outcome}</p> : null}
      <div className="col g2">
        {data.missingMinor > 0 ? null : (
          <p className="xs mute release-next">{t`Then the job is completed, and you can review ${first}.`}</p>
        )}
        <OtherActs work={work} canCounter={!proposesFirst} ask={ask} />
      </div>
      <div className="col g2 release-acts">
        {missingMinor > 0 && !addsMissing ? (
          <PlainButton
            className="link sm warn release-missing"
            onClick={() => {
              cover.current?.scrollIntoView({ block: 'center' });
              cover.current?.focus({ preventScroll: true });
            }}
          >
            {t`To release it, add ${money(data.missingMinor)} first`}
          </PlainButton>
        ) : null}
        <div className="release-buttons">
          {proposesFirst ? (
            <Button kind="go" full needsNetwork onClick={() => ask('counter')}>
              {t`Propose other hours`}
            </Button>
          ) : null}
          <Button
            kind={proposesFirst ? 'out' : 'go'}
            full
            needsNetwork
            disabled={
              (missingMinor > 0 && !addsMissing) ||
              tipProblem !== undefined ||
              !work.actions.includes('approve')
            }
            onClick={() => setAsking(true)}
          >
            {addsMissing
              ? t`Add ${money(missingMinor)} and release ${money(data.workerGetsMinor)}`
              : t`Release ${money(data.workerGetsMinor + (tipProblem ? 0 : (tipMinor ?? 0)))} to ${first}`}
          </Button>
        </div>
      </div>
      <Sheet
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Release ${money(data.workerGetsMinor + (tipMinor ?? 0))} to ${first}?`}
      >
        {asking ? (
          <ReleaseQuestion
            work={work}
            preview={data}
            tipMinor={tipMinor ?? 0}
            action={action}
            onSend={() => release(addsMissing ? missingMinor : undefined)}
            onDone={() => setAsking(false)}
            onClose={() => setAsking(false)}
          >
            {addsMissing ? (
              <p>{t`${money(missingMinor)} is added to the hold from your balance first, fee included.`}</p>
            ) : null}
          </ReleaseQuestion>
        ) : null}
      </Sheet>
    </div>
  );
}

type TipFieldProps = {
  work: Engagement;
  typed: string;
  onType: (typed: string) => void;
  /** Minor units; null while nothing valid is typed. */
  tipMinor: number | null;
  problem: string | undefined;
};

function TipField({ work: { id, terms, worker }, typed, onType, tipMinor, problem }: TipFieldProps) {
  const { t } = useLingui();
  const digits = minorDigits(terms.currency);
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const first = firstNameOf(worker.name || t`The worker`);
  return (
    <>
      <div className="release-tip">
        <p className="mid" id={`tip-${id}`}>
          <Trans>Add a tip for {first}</Trans>
        </p>
        <Chips label={t`Tip for ${first}`}>
          {tipChoices(terms.currency)
            .slice(0, 2)
            .map((choice) => (
              <Chip
                key={choice}
                pressed={choice === tipMinor}
                onClick={() => onType(choice === tipMinor ? '' : typedFromMinor(choice, digits))}
              >
                {money(choice)}
              </Chip>
            ))}
        </Chips>
      </div>
      <TextInput
        label={t`Amount`}
        optional
        inputMode="decimal"
        autoComplete="off"
        before={terms.currency}
        help={t`Up to ${tipMaxText(terms.currency)}.`}
        maxLength={typedAmountMax}
        value={typed}
        error={problem}
        onChange={(event) => onType(event.target.value)}
      />
      {tipMinor === null || problem ? null : (
        <p className="sm mute">
          <Trans>
            The tip of {money(tipMinor)} comes from your balance, or from your default card if your balance is
            too low. All of it goes to {first}.
          </Trans>
        </p>
      )}
    </>
  );
}

function OtherActs({
  work,
  canCounter,
  ask,
}: {
  work: Engagement;
  canCounter: boolean;
  ask: (act: 'counter' | 'request-changes' | 'dispute') => void;
}) {
  const { t } = useLingui();
  const { business } = useCurrentBusiness();
  if (business && !roleMay(business.role, 'work'))
    return (
      <p className="sm mute release-next">
        {work.terms.startsAt !== null
          ? t`Not right? An owner, manager or recruiter can propose other hours or open a dispute.`
          : t`Not right? An owner, manager or recruiter can ask for changes or open a dispute.`}
      </p>
    );
  return (
    <div className="row g2 wrap release-others">
      {work.actions.includes('counter') && canCounter ? (
        <Button kind="text" size="s" needsNetwork onClick={() => ask('counter')}>
          {t`Propose other hours`}
        </Button>
      ) : null}
      {work.actions.includes('request-changes') ? (
        <Button kind="text" size="s" needsNetwork onClick={() => ask('request-changes')}>
          {t`Request changes`}
        </Button>
      ) : null}
      {work.actions.includes('dispute') ? (
        <Button kind="text" size="s" needsNetwork onClick={() => ask('dispute')}>
          {t`Open a dispute`}
        </Button>
      ) : null}
    </div>
  );
}
