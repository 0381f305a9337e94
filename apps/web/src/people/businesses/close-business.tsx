import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useCloseBusiness } from './businesses.api.ts';

/** Jobs of these standings keep a business from closing, as the server checks it. */
const blockingStandings = ['in_review', 'open', 'paused', 'filled', 'in_progress'] as const;

export function CloseBusiness({ business }: { business: Business }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const close = useCloseBusiness();
  const mayClose = business.actions.includes('close');
  const jobs = useQuery(
    apiQuery.jobs.listed.queryOptions({
      input: { businessId: business.id, limit: 1 },
      enabled: mayClose,
      staleTime: 0,
      ...unkept,
    }),
  );
  const wallet = useQuery(
    apiQuery.wallet.get.queryOptions({
      input: { businessId: business.id },
      enabled: mayClose,
      staleTime: 0,
      ...unkept,
    }),
  );
  if (!mayClose) return null;

  const balances = wallet.data?.balances ?? [];
  const counts = jobs.data?.counts;
  const running = counts
    ? blockingStandings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0)
    : business.openJobs;
  const held = balances
    .filter(({ heldMinor }) => heldMinor > 0)
    .map(({ heldMinor, currency }) => formatMoney(heldMinor, currency))
    .join(', ');
  const toRefund = balances
    .filter(({ availableMinor, promoMinor }) => availableMinor > promoMinor)
    .map(({ availableMinor, promoMinor, currency }) => formatMoney(availableMinor - promoMinor, currency));
  const money = toRefund.join(', ');
  const credits = balances
    .filter(({ promoMinor }) => promoMinor > 0)
    .map(({ promoMinor, currency }) => formatMoney(promoMinor, currency));
  const sum = credits.join(', ');
  const creditText = wallet.isError
    ? t`Credit for hires ends with the business and can't be paid out.`
    : credits.length > 0
      ? t`Credit for hires of ${sum} ends with the business and can't be paid out.`
      : null;
  const run = async () => {
    const choice = await showAlert({
      title: t`Close ${business.name}?`,
      message: [
        t`Workers won't see it any more, and you can't reopen it. You can still view its jobs and applicants.`,
        ...(creditText ? [creditText] : []),
      ].join(' '),
      tone: 'ask',
      buttons: [
        { value: 'close', label: t`Close business`, kind: 'bad' },
        { value: 'keep', label: t`Keep it` },
      ],
    });
    if (choice !== 'close') return;
    try {
      await close.mutateAsync({ businessId: business.id });
      showToast(t`${business.name} is closed`);
      navigate('/tabs/menu/business', replaceBack);
    } catch (failure) {
      await showAlert({
        title: isApiError(failure, 'business/has-open-jobs')
          ? t`Close its jobs first`
          : t`The business was not closed`,
        message: errorText(failure),
        tone: 'bad',
      });
    }
  };

  return (
    <Card as="section" roomy label={t`Close this business`}>
      <h2 className="h-s">{t`Close this business`}</h2>
      {running > 0 || held !== '' || toRefund.length > 0 ? (
        <>
          <ul className="col g3 mt2">
            {running > 0 ? (
              <li>
                <p className="sm mute">
                  <Plural
                    value={running}
                    one="# job is still running. Close it first."
                    other="# jobs are still running. Close them first."
                  />
                </p>
                <ButtonLink kind="out" size="s" to="/listed-job" className="mt2">
                  {t`View your jobs`}
                </ButtonLink>
              </li>
            ) : null}
            {held === '' ? null : (
              <li>
                <p className="sm mute">
                  {t`${held} is set aside for booked work. Finish or cancel the work first.`}
                </p>
                <ButtonLink kind="out" size="s" to="/merchant-ongoing-jobs" className="mt2">
                  {t`View booked work`}
                </ButtonLink>
              </li>
            )}
            {toRefund.length > 0 ? (
              <li>
                <p className="sm mute">
                  {t`There is still ${money} in its balance. Refund it to your cards first.`}
                </p>
                <ButtonLink kind="out" size="s" to="/tabs/menu/business?refund" className="mt2">
                  {t`Send money back`}
                </ButtonLink>
              </li>
            ) : null}
          </ul>
          {creditText ? <p className="sm mute mt3">{creditText}</p> : null}
        </>
      ) : (
        <>
          <p className="sm mute mt2">
            <Trans>Workers won't see it any more, and you can't reopen it.</Trans>
          </p>
          {creditText ? <p className="sm strong mt2">{creditText}</p> : null}
          <Button
            kind="bad"
            size="s"
            className="mt3"
            busy={close.isPending || wallet.isLoading || jobs.isLoading}
            onClick={() => void run()}
          >
            {t`Close business`}
          </Button>
        </>
      )}
    </Card>
  );
}
