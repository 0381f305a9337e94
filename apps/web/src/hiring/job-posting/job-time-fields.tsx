import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { minuteMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { shortShiftMinutes, type UnusualTerm } from '@nearhand/contract/hiring/unusual-terms.rules';
import { limits } from '@nearhand/contract/limits';
import { type JobRelation, jobRelations } from '@nearhand/contract/work/pay.rules';
import { formatDay, formatMinutes, formatMoney } from '../../lib/words/format.ts';
import { relationText } from '../../lib/words/job.labels.ts';
import { clockIn, spanAt, zoneTown } from '../../lib/words/zoned-time.ts';
import { Banner } from '../../ui/banner.tsx';
import { RadioGroup, Stepper, Switch } from '../../ui/controls/choices.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { SpanFields } from '../../ui/controls/span-fields.tsx';
import { AlsoOn, otherDaysMax } from './also-on.tsx';
import { FixedTerms, type JobFieldsProps } from './job-fields.tsx';
import { payFloorOf, typedPaidMinutes, typedUnusualTerms } from './job-form.rules.ts';

export function JobTimeFields(props: JobFieldsProps) {
  const { t } = useLingui();
  const {
    form,
    onChange,
    errors,
    idOf,
    business,
    setting,
    hired = 0,
    offered = 0,
    asksBooked,
    fixed,
  } = props;
  const today = clockIn(setting.now.toISOString(), setting.timeZone).day;
  const payHelp =
    hired > 0
      ? asksBooked
        ? t`People already booked get a raise at once, from your balance. Lower pay needs their yes.`
        : t`You've hired someone at this pay, so you can only raise it. They get the raise at once, from your balance.`
      : t`Before tax, the same for everyone you hire.`;
  return (
    <>
      <FixedTerms fixed={fixed} />
      <fieldset className="bare-set form-fields" disabled={fixed}>
        {form.kind === 'shift' ? (
          <ShiftTimes {...props} today={today} />
        ) : (
          <TextInput
            id={idOf('dueOn')}
            type="date"
            label={t`Due by`}
            optional
            help={t`The last day to finish it. Leave empty if there's no rush.`}
            min={today}
            value={form.dueOn}
            error={errors.dueOn}
            onChange={(event) => onChange({ dueOn: event.target.value })}
          />
        )}
        <UnusualReason {...props} term="shortReason" />
      </fieldset>
      <div className="form-pair">
        <TextInput
          id={idOf('pay')}
          label={props.payUnitLabel ?? (form.kind === 'shift' ? t`Pay per hour` : t`Fixed price`)}
          help={payHelp}
          inputMode="decimal"
          autoComplete="off"
          before={currencySign(setting.currency)}
          value={form.pay}
          error={errors.pay}
          onChange={(event) => onChange({ pay: event.target.value })}
        />
        <Stepper
          id={idOf('headCount')}
          label={t`People`}
          min={Math.max(1, hired + offered)}
          max={hiringLimits.headCountMax}
          value={form.headCount}
          onChange={(headCount) => onChange({ headCount })}
          error={errors.headCount}
          help={
            hired + offered === 0
              ? t`How many people you need.`
              : offered === 0
                ? t`${hired} hired already.`
                : t`${hired} hired already, ${offered} offered.`
          }
        />
      </div>
      <UnusualReason {...props} term="payReason" />
      {props.alsoOn ? (
        <AlsoOn
          form={form}
          setting={setting}
          daysMax={otherDaysMax(business)}
          today={today}
          country={business.countryCode}
          planned={{
            businessId: business.id,
            title: form.title,
            branchId: form.branchId || null,
            draftId: props.alsoOn.draftId,
          }}
          days={props.alsoOn.days}
          onChange={props.alsoOn.onChange}
          id={idOf('alsoOn')}
          error={errors.alsoOn}
          block={props.alsoOn.block}
        />
      ) : null}
      <RelationField {...props} />
    </>
  );
}

/** The worker's relation to the business, shown before they apply. It is fixed after the first offer. */
function RelationField({ form, onChange, hired = 0, offered = 0 }: JobFieldsProps) {
  const { t } = useLingui();
  const isFixed = hired + offered > 0;
  return (
    <RadioGroup
      legend={
        <>
          {t`Type of work`}
          <span className="mute opt-mark"> · {t`optional`}</span>
        </>
      }
      help={t`Workers see this before they apply. The law goes by how the work is done, not by what you choose here. Ask an adviser if you’re not sure.`}
      options={jobRelations.map((value) => ({
        value,
        label: relationText(value),
        help: relationHelp(value),
        disabled: isFixed,
      }))}
      value={form.relation}
      onChange={(relation) => onChange({ relation })}
    />
  );
}

const relationHelp = (relation: JobRelation): string =>
  ({
    self_employed: t`They work for themselves, and the pay is the price of their service.`,
    employed: t`You put them on your payroll, and pay their taxes and social insurance.`,
    household: t`They work in your private home, for you as a person.`,
  })[relation];

/** Warns about pay below the minimum wage or a very short shift, and asks why. */
function UnusualReason({
  form,
  onChange,
  errors,
  idOf,
  setting,
  term,
}: JobFieldsProps & { term: UnusualTerm }) {
  const { t } = useLingui();
  const floor = payFloorOf(form, setting);
  if (!typedUnusualTerms(form, setting).includes(term) && !errors[term]) return null;
  const amount = floor === null ? null : formatMoney(floor, setting.currency);
  return (
    <>
      <Banner tone="wait" icon="warning-circle" live>
        {term === 'shortReason'
          ? t`Less than ${shortShiftMinutes} minutes are paid.`
          : amount === null
            ? t`This is below the minimum wage.`
            : t`This is below the minimum wage of ${amount} an hour.`}
      </Banner>
      <TextArea
        id={idOf(term)}
        label={term === 'payReason' ? t`Why is the pay lower?` : t`Why is it so short?`}
        help={t`Workers don't see this. Nearhand may ask about it.`}
        rows={2}
        maxLength={limits.reasonMax + 20}
        value={form[term]}
        error={errors[term]}
        onChange={(event) =>
          onChange(
            term === 'payReason' ? { payReason: event.target.value } : { shortReason: event.target.value },
          )
        }
      />
    </>
  );
}

const currencySign = (currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find((part) => part.type === 'currency')?.value ?? currency;

function ShiftTimes({ form, onChange, errors, idOf, setting, today }: JobFieldsProps & { today: string }) {
  const { t } = useLingui();
  return (
    <>
      <div>
        <SpanFields
          idOf={idOf}
          typed={form}
          problems={errors}
          firstDay={today}
          timeZone={setting.timeZone}
          onChange={onChange}
        />
        <ShiftInWords form={form} timeZone={setting.timeZone} />
      </div>
      <div className="form-pair">
        <TextInput
          id={idOf('breakMinutes')}
          label={t`Break`}
          optional
          inputMode="numeric"
          autoComplete="off"
          after={t`min`}
          placeholder="0"
          value={form.breakMinutes}
          error={errors.breakMinutes}
          onChange={(event) => onChange({ breakMinutes: event.target.value })}
        />
        <div className="self-end">
          <Switch
            label={t`Paid break`}
            checked={form.breakPaid}
            onChange={(event) => onChange({ breakPaid: event.target.checked })}
          />
        </div>
      </div>
    </>
  );
}

function ShiftInWords({ form, timeZone }: { form: JobFieldsProps['form']; timeZone: string }) {
  const span = spanAt(form, timeZone);
  const town = zoneTown(timeZone);
  if (!span) {
    return (
      <p className="help">
        <Trans>{town} time. If it ends before it starts, it ends the next day.</Trans>
      </p>
    );
  }
  const length = formatMinutes((Date.parse(span.endsAt) - Date.parse(span.startsAt)) / minuteMs);
  const paidTime = formatMinutes(typedPaidMinutes(form, timeZone) ?? 0);
  const lastDay = formatDay(span.endsAt, timeZone);
  return (
    <p className="help block" aria-live="polite">
      {paidTime === length ? (
        <Trans>{length}, all paid.</Trans>
      ) : (
        <Trans>
          {length}, {paidTime} paid.
        </Trans>
      )}{' '}
      {span.overnight ? <Trans>Ends on {lastDay}.</Trans> : null} <Trans>{town} time.</Trans>
    </p>
  );
}
