import { useLingui } from '@lingui/react/macro';
import { checksPath, sanctionPath } from '@nearhand/contract/app-paths';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { useUser } from '../../lib/session.ts';
import { formatDate, joined, ownTimeZone } from '../../lib/words/format.ts';
import { ruleText, scopeNotes } from '../../lib/words/house-rule.labels.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { AppealPart } from '../appeals/appeal.tsx';
import { measureNotes, sanctionState, sanctionTitle, sourceText, targetName } from './sanction.labels.ts';
import { useSanction } from './sanctions.api.ts';

const list = '/tabs/menu/decisions';

export default function DecisionScreen() {
  const { t, i18n } = useLingui();
  const user = useUser();
  const { sanctionid = '' } = useParams();
  const query = useSanction(sanctionid);
  const title = query.data ? i18n._(sanctionTitle(query.data)) : t`Decision`;
  if (!user)
    return (
      <Screen title={t`Decision`} heading={null} back={list}>
        <SignedOutState level="h1" title={t`Decision`} next={sanctionPath(sanctionid)}>
          <p>{t`Log in to read the reasons, and to appeal.`}</p>
        </SignedOutState>
      </Screen>
    );
  if (isApiError(query.error, 'sanction/not-found', 'request/invalid'))
    return (
      <Screen title={t`Decision`} heading={null} back={list}>
        <EmptyState
          level="h1"
          art="door"
          title={t`We can't find this decision`}
          actions={
            <ButtonLink kind="out" full to={list}>
              {t`See all decisions`}
            </ButtonLink>
          }
        >
          <p>{t`The link is incomplete, or the decision is about someone else.`}</p>
        </EmptyState>
      </Screen>
    );
  return (
    <Screen
      title={title}
      lead={query.data ? <span dir="auto">{subjectOf(query.data)}</span> : undefined}
      back={list}
      width="narrow"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load the decision`}
        offlineNote={t`You can appeal when you're back online.`}
      >
        {(sanction) => <Statement sanction={sanction} />}
      </QueryState>
    </Screen>
  );
}

const subjectOf = (sanction: Sanction): string => {
  const { target, business } = sanction;
  return target.kind === 'business' ? target.name : joined(targetName(sanction), business?.name);
};

function Statement({ sanction }: { sanction: Sanction }) {
  const { t, i18n } = useLingui();
  const state = sanctionState(sanction);
  const note = sanction.ending === null ? measureNotes[sanction.measure] : undefined;
  const isDocument = sanction.target.kind === 'certificate' || sanction.target.kind === 'identity_check';
  return (
    <div className="col g5">
      <p className="row g3 wrap">
        <Badge tone={state.tone}>{state.text}</Badge>
        <span className="sm mute">{t`Decided ${formatDate(sanction.decidedAt, ownTimeZone())}`}</span>
      </p>
      <Card as="section" roomy label={t`Reasons`}>
        <dl className="col g4">
          <Part name={t`What happened`}>
            <span className="pre-line break" dir="auto">
              {ownText(sanction.facts)}
            </span>
          </Part>
          <Part name={t`The rule`}>{i18n._(ruleText[sanction.rule])}</Part>
          {sanction.scope ? <Part name={t`What it means`}>{i18n._(scopeNotes[sanction.scope])}</Part> : null}
          {note ? <Part name={t`What it means`}>{i18n._(note)}</Part> : null}
          <Part name={t`How we decided`}>{i18n._(sourceText[sanction.source])}</Part>
        </dl>
      </Card>
      {sanction.endedAt && sanction.endReason && sanction.ending === 'lifted' ? (
        <Banner icon="info">
          <p className="strong">{t`We ended this on ${formatDate(sanction.endedAt, ownTimeZone())}`}</p>
          <p className="pre-line break" dir="auto">
            {ownText(sanction.endReason)}
          </p>
        </Banner>
      ) : null}
      {isDocument ? (
        <ButtonLink kind="out" full to={checksPath}>
          {t`Go to Verification`}
        </ButtonLink>
      ) : null}
      <AppealPart sanction={sanction} />
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sm mute">{name}</dt>
      <dd className="mt1">{children}</dd>
    </div>
  );
}
