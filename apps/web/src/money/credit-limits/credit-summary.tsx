import { Trans, useLingui } from '@lingui/react/macro';
import { bankTransferPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import { transferCurrency } from '@nearhand/contract/money/bank-transfers.rules';
import type { CreditLimit } from '@nearhand/contract/money/credit-limits';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { formatCalendarDay, formatMoney } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';

/** The credit limit of a business, what it owes and by when; nothing without a limit. For who manages its money. */
export function CreditSummary({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const query = useQuery(apiQuery.creditLimits.get.queryOptions({ input: { businessId }, ...neverPersist }));
  return (
    <QueryState query={query} loading={null} errorTitle={t`We couldn't load your credit limit`}>
      {({ credit }) =>
        credit ? (
          <div className="mt5">
            <CreditFigures businessId={businessId} credit={credit} />
          </div>
        ) : null
      }
    </QueryState>
  );
}

function CreditFigures({ businessId, credit }: { businessId: string; credit: CreditLimit }) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, credit.currency);
  const overdue = money(credit.overdueMinor);
  const stopsOn = credit.stopsOn ? formatCalendarDay(credit.stopsOn) : '';
  return (
    <Card as="section" label={t`Credit limit`}>
      <h2 className="h-s">{t`Credit limit`}</h2>
      <div className="col g3 mt2">
        {credit.overdueMinor > 0 ? (
          <Banner tone="bad">
            {credit.stopped
              ? t`${overdue} is overdue. You can hire again once it is paid. Booked work goes on.`
              : t`${overdue} is overdue. Pay it before ${stopsOn} to keep hiring.`}
          </Banner>
        ) : null}
        <div>
          {credit.ended ? null : <SumRow label={t`Limit`} value={money(credit.limitMinor)} />}
          <SumRow label={t`Used`} value={money(credit.owedMinor)} />
          {credit.ended || credit.stopped ? null : (
            <SumRow label={t`Still available`} value={money(credit.availableMinor)} />
          )}
          {credit.dues.map(({ dueOn, amountMinor }, index) => {
            const day = formatCalendarDay(dueOn);
            const untilThenMinor = sumOf(credit.dues.slice(0, index + 1), (due) => due.amountMinor);
            const label = untilThenMinor <= credit.overdueMinor ? t`Overdue since ${day}` : t`Due ${day}`;
            return <SumRow key={dueOn} label={label} value={money(amountMinor)} />;
          })}
        </div>
        <p className="sm mute">
          {credit.ended ? (
            <Trans>Your credit limit has ended. What you owe stays due.</Trans>
          ) : (
            <Trans>
              Pay for hires is drawn from it when your balance is too low. What arrives on your balance repays
              it.
            </Trans>
          )}
        </p>
        {credit.owedMinor > 0 ? (
          credit.currency === transferCurrency ? (
            <ButtonLink kind="out" size="s" icon="bank" to={bankTransferPath(businessId)}>
              {t`Pay by bank transfer`}
            </ButtonLink>
          ) : (
            <ButtonLink kind="out" size="s" to={`/tabs/menu/business?add=${credit.owedMinor}`}>
              {t`Add money`}
            </ButtonLink>
          )
        ) : null}
        <HelpLink article="credit-limit">
          <Trans>How a credit limit works</Trans>
        </HelpLink>
      </div>
    </Card>
  );
}
