import { useLingui } from '@lingui/react/macro';
import type { Referral } from '@nearhand/contract/work/referrals';
import {
  readReferralCode,
  referralCodeMax,
  shownReferralCode,
} from '@nearhand/contract/work/referrals.rules';
import { Suspense } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { formatMoney, formatNumber } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow, PineCard, StatTile } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { copyLink, shareLink } from '../../ui/overlays/share-link.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { claimedText, offerText, stateText, termsText } from './referral.labels.ts';
import { useClaim, useMyReferrals, useReferrals } from './referrals.api.ts';
import './share-refer.css';

const Qr = lazyPart(() => import('../../ui/art/qr.tsx'));

type Mine = NonNullable<ReturnType<typeof useMyReferrals>['data']>;

/**
 * The person's invite link, the people who joined by it, its earnings, and the terms (spec: `/share-refer`).
 */
export default function ShareReferScreen() {
  const { t } = useLingui();
  const query = useMyReferrals();
  return (
    <Screen title={t`Invite people`} back="menu" onRefresh={() => query.refetch()} width="wide">
      <QueryState
        query={query}
        loading={<LoadingInvite />}
        errorTitle={t`We couldn't load your invite link`}
        offlineNote={t`You can still share your link.`}
      >
        {(referrals) => (
          <div className="invite-columns">
            <div>
              <Invite mine={referrals} />
              {referrals.canClaim ? <CodeForm /> : null}
              <Joined />
            </div>
            <Scan mine={referrals} />
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

function LoadingInvite() {
  return (
    <Loading>
      <span className="sk sk-block" />
      <div className="mt4 sk-lines">
        <SkeletonBar width={60} tall />
        <SkeletonBar width={80} />
        <SkeletonBar width={70} />
      </div>
    </Loading>
  );
}

function Invite({ mine }: { mine: Mine }) {
  const { t } = useLingui();
  const { terms, url } = mine;
  const share = () =>
    shareLink({
      title: t`Join me on Nearhand`,
      text:
        terms.invitedMinor > 0
          ? t`Find work nearby on Nearhand. You get ${formatMoney(terms.invitedMinor, terms.currency)} once you've earned ${formatMoney(terms.qualifyingMinor, terms.currency)}.`
          : t`Find work nearby on Nearhand.`,
      url,
    });
  return (
    <>
      <PineCard label={t`Your invite link`}>
        <h2 className="h-xl">{offerText(terms)}</h2>
        <p className="mt2">{t`Once the person you invite has earned ${formatMoney(terms.qualifyingMinor, terms.currency)} on Nearhand.`}</p>
        <p className="invite-code num">{shownReferralCode(mine.code)}</p>
        <p className="invite-url sm">{url.replace(/^https?:\/\//, '')}</p>
        <div className="invite-acts">
          <Button kind="go" full icon="share-network" onClick={() => void share()}>
            {t`Share your link`}
          </Button>
          <Button kind="ghost-pine" full icon="copy" onClick={() => void copyLink(url)}>
            {t`Copy link`}
          </Button>
        </div>
      </PineCard>
      <div className="invite-tiles mt4">
        <StatTile label={t`Joined`} value={formatNumber(mine.joined)} />
        <StatTile label={t`Rewards`} value={formatNumber(mine.rewarded)} />
        {mine.earned.length === 0 ? (
          <StatTile label={t`Earned`} value={formatMoney(0, terms.currency)} />
        ) : (
          mine.earned.map(({ currency, amountMinor }) => (
            <StatTile key={currency} label={t`Earned`} value={formatMoney(amountMinor, currency)} />
          ))
        )}
      </div>
    </>
  );
}

function Scan({ mine }: { mine: Mine }) {
  const { t } = useLingui();
  return (
    <div>
      <Card as="section" label={t`QR code`}>
        <Suspense fallback={<span className="sk sk-block" />}>
          <Qr text={mine.url} boxed />
        </Suspense>
        <p className="sm mute invite-scan">{t`Standing next to them? Let them scan this.`}</p>
      </Card>
      <h2 className="h-m mt6">{t`How it works`}</h2>
      <ol className="invite-terms sm mt3">
        {termsText(mine.terms, mine.paidTo?.name ?? null).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </div>
  );
}

function Joined() {
  const { t } = useLingui();
  const query = useReferrals();
  return (
    <section className="mt6" aria-labelledby="invite-joined">
      <h2 className="h-m" id="invite-joined">{t`Who joined`}</h2>
      <QueryState
        query={query}
        loading={
          <Loading>
            <SkeletonBar width={60} />
          </Loading>
        }
        errorTitle={t`We couldn't load who joined`}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <EmptyState level="h2" title={t`Nobody yet`}>
            <p>{t`People who sign up with your link appear here by first name.`}</p>
          </EmptyState>
        }
      >
        {({ pages }) => (
          <>
            <ul className="invite-list mt2">
              {pages.flatMap(({ items }) =>
                items.map((item) => (
                  <li key={item.id}>
                    <JoinedRow referral={item} />
                  </li>
                )),
              )}
            </ul>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function JoinedRow({ referral }: { referral: Referral }) {
  const { t } = useLingui();
  const { badge, tone, note } = stateText(referral);
  const name = referral.firstName || t`Someone`;
  return (
    <ListRow
      lead={<Avatar name={name} />}
      title={name}
      note={note}
      end={
        <span className="invite-end">
          {referral.amountMinor !== null && referral.currency ? (
            <span className="num strong">{formatMoney(referral.amountMinor, referral.currency)}</span>
          ) : null}
          <Badge tone={tone}>{badge}</Badge>
        </span>
      }
    />
  );
}

function CodeForm() {
  const { t } = useLingui();
  const claim = useClaim();
  const form = useFormModel<{ code: string }>({
    focusProblems: true,
    start: () => ({ code: '' }),
    check: ({ code }): { code?: string } =>
      readReferralCode(code) === null ? { code: t`Enter the code as you got it, like AB12C-D34EF.` } : {},
  });
  const send = async ({ code }: { code: string }) => {
    try {
      showToast(claimedText((await claim.mutateAsync({ code })).inviterFirstName));
    } catch (error) {
      form.refuse({ fields: { code: errorText(error) } });
    }
  };
  return (
    <div className="mt4">
      <Card as="section" label={t`Did someone invite you?`}>
        <h2 className="h-s">{t`Did someone invite you?`}</h2>
        <p className="sm mute mt1">{t`Enter their code, and the reward counts for both of you.`}</p>
        <Form className="row g2 top mt3" onSubmit={() => void form.submit(send)}>
          <div className="grow">
            <TextInput
              {...form.textField('code')}
              label={t`Invite code`}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={referralCodeMax}
            />
          </div>
          <Button kind="quiet" type="submit" className="invite-code-send" busy={form.busy}>
            {t`Use code`}
          </Button>
        </Form>
      </Card>
    </div>
  );
}
