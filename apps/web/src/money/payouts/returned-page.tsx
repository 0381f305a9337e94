import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useAddCard } from '../cards/cards.api.ts';
import { useRefreshPayee } from './payouts.api.ts';

const ownParameters = ['saved', 'savedFor', 'payee'] as const;

/** Stores what a page of the payment provider saved, once the person returns from it (ADR 371). Renders nothing. */
export default function ReturnedPage() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const user = useUser();
  const { mutateAsync: addCard } = useAddCard();
  const { mutateAsync: refreshPayee } = useRefreshPayee();
  const handled = useRef('');
  useEffect(() => {
    const parameters = new URLSearchParams(search);
    const [token, businessId, payee] = ownParameters.map((name) => parameters.get(name));
    if (!user || (businessId === null && payee === null) || handled.current === search) return;
    // The address is replaced once; a second run of this effect must not store it again.
    handled.current = search;
    for (const name of ownParameters) parameters.delete(name);
    const query = parameters.toString();
    navigate(query ? `${pathname}?${query}` : pathname, replaceBack);
    const store = async () => {
      if (token && businessId) {
        await addCard({ businessId, token });
        showToast(t`Card saved`);
      }
      if (payee) {
        const { added, account } = await refreshPayee({});
        const isOpen = account !== null && account.needs.length > 0 && account.status !== 'more_needed';
        showToast(
          added > 0
            ? t`Account added`
            : isOpen
              ? t`Not finished yet. You can continue at any time.`
              : t`Saved. We tell you once the payment provider has checked it.`,
        );
      }
    };
    store().catch((error: unknown) => showToast(errorText(error)));
  }, [pathname, search, user, navigate, addCard, refreshPayee]);
  return null;
}
