import { useLingui } from '@lingui/react/macro';
import { cardText } from '@nearhand/contract/money/account-mask';
import type { Card } from '@nearhand/contract/money/cards';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { AddCard, type CardFields, methodNote } from './add-card.tsx';
import { useMakeCardDefault, useRemoveCard } from './cards.api.ts';

export function CardsList({
  businessId,
  wallet,
}: {
  businessId: string;
  wallet: CardFields & { cards: readonly Card[] };
}) {
  const { t } = useLingui();
  const remove = useRemoveCard();
  const makeDefault = useMakeCardDefault();
  const action = useAction(errorText);
  const [adding, setAdding] = useState(wallet.cards.length === 0);
  const removeCard = async (card: Card) => {
    const text = cardText(card);
    const choice = await showAlert({
      tone: 'ask',
      title: t`Remove ${text}?`,
      message: t`It can't be charged any more. To use it again, you have to enter it again.`,
      buttons: [
        { value: 'remove', label: t`Remove card`, kind: 'bad' },
        { value: 'keep', label: t`Cancel` },
      ],
    });
    if (choice === 'remove') await action.run(() => remove.mutateAsync({ cardId: card.id }));
  };
  return (
    <div className="col g4">
      {wallet.cards.length > 0 ? (
        <ul>
          {wallet.cards.map((card) => (
            <li key={card.id}>
              <ListRow
                lead={<IconSign icon="credit-card" />}
                title={cardText(card)}
                note={methodNote(card)}
                end={card.isDefault ? <Badge>{t`Default`}</Badge> : null}
              />
              <div className="row wrap g2">
                {card.isDefault || methodKind(card.brand) !== 'card' ? null : (
                  <Button
                    kind="text"
                    size="xs"
                    needsNetwork
                    onClick={() => void action.run(() => makeDefault.mutateAsync({ cardId: card.id }))}
                  >
                    {t`Make default`}
                    <span className="vh">: {cardText(card)}</span>
                  </Button>
                )}
                <span className="grow" />
                <Button kind="text" size="xs" needsNetwork onClick={() => void removeCard(card)}>
                  {t`Remove`}
                  <span className="vh"> {cardText(card)}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <Refused text={action.refusal} />
      {adding ? (
        <AddCard businessId={businessId} wallet={wallet} onDone={() => setAdding(false)} />
      ) : (
        <Button kind="out" icon="plus" full needsNetwork onClick={() => setAdding(true)}>
          {t`Add a card`}
        </Button>
      )}
    </div>
  );
}
