import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { useNow } from '../../lib/pages/use-now.ts';
import { dotted, formatDateSpan, formatLeft, formatSum } from '../../lib/words/format.ts';
import { FundingBadge, weakestFunding } from '../../money/holds/funding-badge.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { useCanShowApplication } from '../applications/applications.api.ts';
import { useMyOffers } from './offers.api.ts';

export function useOffersToAnswer(): Offer[] {
  const query = useMyOffers('live');
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return items.filter(({ actions }) => actions.includes('accept'));
}

export function OffersToAnswer({ offers }: { offers: readonly Offer[] }) {
  const { t } = useLingui();
  const now = useNow();
  const canShow = useCanShowApplication();
  return (
    <>
      {[...Map.groupBy(offers, ({ id, seriesId }) => seriesId ?? id).values()].map((inSeries) => {
        const [offer = inSeries[0] as Offer] = inSeries.toSorted(
          (a, b) => Date.parse(a.terms.startsAt ?? '') - Date.parse(b.terms.startsAt ?? ''),
        );
        const { terms } = offer;
        const [expiresAt = offer.expiresAt] = inSeries
          .map((offer) => offer.expiresAt)
          .toSorted((a, b) => Date.parse(a) - Date.parse(b));
        const span =
          terms.startsAt && terms.endsAt
            ? formatDateSpan(terms.startsAt, terms.endsAt, terms.timeZone, now)
            : null;
        const when =
          inSeries.length > 1 && span
            ? plural(inSeries.length, { one: `# shift from ${span}`, other: `# shifts from ${span}` })
            : span;
        const sum = inSeries.map(({ terms }) => ({ minor: terms.workerGetsMinor, currency: terms.currency }));
        return (
          <Card key={offer.id} flush as="article">
            <ListRow
              to={`/tabs/menu/my-work/${offer.applicationId}`}
              needsNetwork={!canShow(offer.applicationId ?? '')}
              lead={<Icon name="hand-coins" />}
              title={
                <Trans>
                  Offer: {formatSum(sum)} from {offer.business.name}
                </Trans>
              }
              note={
                <>
                  {dotted(terms.title, when, terms.place.area)}
                  <span className="row wrap g1 mt1">
                    <FundingBadge funding={weakestFunding(inSeries) ?? offer.funding} />
                    <Badge tone="wait">{formatLeft(expiresAt, now) ?? t`Time is up`}</Badge>
                  </span>
                </>
              }
            />
          </Card>
        );
      })}
    </>
  );
}
