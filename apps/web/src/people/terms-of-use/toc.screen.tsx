import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import Terms from './terms.tsx';
import { useAcceptTerms } from './terms-of-use.api.ts';

export default function TermsScreen() {
  const { t } = useLingui();
  // The cached account may predate the acceptance at the first sign-in.
  const account = useQuery(apiQuery.accounts.me.queryOptions({ staleTime: 0 }));
  const accept = useAcceptTerms();
  const version = account.data?.termsInForce;
  const isAccepted = account.data !== undefined && account.data.termsAccepted === version;
  const hasEarlier = account.data?.termsAccepted !== null;

  return (
    <Screen
      title={t`Terms and conditions`}
      lead={version ? t`Version of ${formatCalendarDay(version, { style: 'long' })}` : undefined}
      back="/tabs/menu/account"
      dock={
        version && !isAccepted ? (
          <Button
            kind="go"
            full
            busy={accept.isPending}
            onClick={() =>
              accept.mutate({ version }, { onSuccess: () => showToast(t`You accepted the terms.`) })
            }
          >
            {hasEarlier ? t`Accept the new terms` : t`Accept the terms`}
          </Button>
        ) : null
      }
    >
      <QueryState query={account} loading={<PageSkeleton />} errorTitle={t`We couldn't load the terms`}>
        {() => (
          <div className="stack">
            {isAccepted ? (
              <Banner tone="good" icon="check-circle">
                <Trans>You accepted this version.</Trans>
              </Banner>
            ) : null}
            <Refused text={accept.error ? errorText(accept.error) : null} />
            <Terms />
          </div>
        )}
      </QueryState>
    </Screen>
  );
}
