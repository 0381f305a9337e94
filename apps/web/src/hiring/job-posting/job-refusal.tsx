import { plural, t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { limits } from '@nearhand/contract/limits';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { type ApiError, isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText, fieldIssues } from '../../lib/api/error.labels.ts';
import { shortBy } from '../../lib/forms/short-by.ts';
import { useSettings } from '../../lib/settings.ts';
import { OverBudget } from '../../money/budgets/budgets.tsx';
import { BalanceTooLow, ShortBalance } from '../../money/wallet/short-balance.tsx';
import { useRoleIn } from '../../people/businesses/businesses.api.ts';
import { Banner } from '../../ui/banner.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Refusal } from '../../ui/controls/refusal.tsx';
import { type JobErrors, type JobField, jobSteps } from './job-form.rules.ts';

const renamedFields: Readonly<Record<string, JobField>> = {
  payMinor: 'pay',
  startsAt: 'day',
  endsAt: 'to',
  cvRequired: 'instantHire',
  place: 'point',
};

const jobFields = Object.values(jobSteps).flat();

/** The field of the form for an input of the server, if it has one. */
const fieldOfInput = (name: string): JobField | undefined =>
  renamedFields[name] ?? jobFields.find((field) => field === name);

/** Problems by field from a refusal; empty if it is about the whole job. */
export function fieldsOfRefusal(
  error: unknown,
  words: (field: JobField) => string,
  currency?: Currency,
): JobErrors {
  if (isApiError(error, 'job/incomplete')) {
    return Object.fromEntries(
      (error.data?.missing ?? []).flatMap((name) => {
        const field = fieldOfInput(name);
        return field ? [[field, words(field)]] : [];
      }),
    );
  }
  if (isApiError(error, 'job/not-instant')) {
    const fields = (error.data?.because ?? []).map(fieldOfInput);
    return Object.fromEntries([
      ['instantHire', errorText(error)],
      ...fields.flatMap((field) => (field && field !== 'instantHire' ? [[field, words(field)]] : [])),
    ]);
  }
  if (isApiError(error, 'job/terms-fixed')) {
    const changed = error.data?.changed ?? [];
    return {
      ...(changed.includes('place') ? { point: errorText(error) } : {}),
      ...(changed.includes('place') && !changed.includes('hours') ? {} : { day: errorText(error) }),
    };
  }
  if (isApiError(error, 'job/starts-in-past', 'job/too-far-ahead', 'job/dates-overlap'))
    return { day: errorText(error) };
  if (isApiError(error, 'job/pay-fell-after-hire')) return { pay: errorText(error) };
  if (isApiError(error, 'job/head-count-below-hires')) return { headCount: errorText(error) };
  return Object.fromEntries(
    fieldIssues(error, currency).flatMap(({ field, message }) => {
      const formField = fieldOfInput(field.split('.')[0] ?? '');
      return formField ? [[formField, message]] : [];
    }),
  );
}

/**
 * Problems by field from the refusal of a shift and its other days. A start in the past is then one of those days:
 * the shift's own day was validated before it was sent.
 */
export function fieldsOfSeriesRefusal(
  error: unknown,
  alsoOn: readonly string[],
  words: (field: JobField) => string,
): JobErrors {
  if (alsoOn.length > 0 && isApiError(error, 'job/starts-in-past'))
    return { alsoOn: t`The shift would start in the past on one of these days. Leave that day out.` };
  if (isApiError(error, 'job/dates-overlap')) return { alsoOn: errorText(error) };
  return fieldsOfRefusal(error, words);
}

type RefusalProps = {
  error: unknown;
  isStored: boolean;
  /** True if the job exists on the server, so that owners can be asked about its budget. */
  canAsk?: boolean;
  businessId: string;
  again: { label: (amount: string) => string; run: () => void };
};

export function JobRefusal(props: RefusalProps) {
  const { error } = props;
  if (!error) return null;
  return (
    <Refusal key={(error as ApiError).requestId ?? String(error)}>
      <Why {...props} />
    </Refusal>
  );
}

function Why({ error, isStored, canAsk = isStored, businessId, again }: RefusalProps) {
  const { t } = useLingui();
  const short = shortBy(error);
  const role = useRoleIn(businessId);
  const mayVerify = roleMay(role, 'details');
  const { openJobsWhileUnverified } = useSettings();
  const { limit = openJobsWhileUnverified } = ((error as ApiError).data ?? {}) as { limit?: number };
  if (short)
    return (
      <ShortBalance businessId={businessId} {...short} isRefusal action={again.label} onAdded={again.run} />
    );
  if (role !== null && !roleMay(role, 'view-money') && isApiError(error, 'payment/balance-short'))
    return <BalanceTooLow />;
  if (isApiError(error, 'payment/over-budget') && error.data)
    return <OverBudget data={error.data} canAsk={canAsk} />;
  if (isApiError(error, 'job/open-limit')) {
    return (
      <Banner
        tone="wait"
        icon="seal-check"
        live
        action={
          mayVerify ? (
            <ButtonLink kind="text" size="s" to="/edit-business">
              {t`Get verified`}
            </ButtonLink>
          ) : null
        }
      >
        <p className="strong">{t`Your limit is ${plural(limit, { one: '# open job', other: '# open jobs' })} for now`}</p>
        <p>{t`The dates of a series count as one job, up to ${limits.datesWhileUnverified} open dates.`}</p>
        <p>
          {mayVerify
            ? t`It goes up once your business is verified. Post fewer, close or pause a job, or get verified.`
            : t`It goes up once an owner gets the business verified. Post fewer, or close or pause a job.`}
        </p>
      </Banner>
    );
  }
  if (isApiError(error, 'business/wrong-state')) {
    return (
      <Banner
        tone="bad"
        icon="warning-circle"
        live
        action={
          <ButtonLink kind="text" size="s" to="/edit-business">
            {t`See why`}
          </ButtonLink>
        }
      >
        {t`This business can't open jobs right now.`}
      </Banner>
    );
  }
  return (
    <Banner tone="bad" icon="warning-circle" live>
      <p>{errorText(error)}</p>
      {isNetworkError(error) && isStored ? <p>{t`What you typed is saved on this device.`}</p> : null}
    </Banner>
  );
}
