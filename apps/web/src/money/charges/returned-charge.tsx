import { t } from '@lingui/core/macro';
import type { Charge } from '@nearhand/contract/money/charges';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useUser } from '../../lib/session.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { isChargeOver, moneyMoved, useCharge } from './charges.api.ts';
import { refusalText } from './refusal.labels.ts';

const chargeShape = /^[0-9a-f-]{36}$/;

function outcomeText({ status, purpose, failure, amountMinor, currency }: Charge): string {
  if (status !== 'succeeded') return refusalText(failure);
  const amount = formatMoney(amountMinor, currency);
  switch (purpose) {
    case 'top_up':
      return t`${amount} added to your balance`;
    case 'hold':
      return t`${amount} is set aside. Your offer is sent.`;
    case 'cover':
      return t`${amount} added to the hold`;
    case 'tip':
      return t`${amount} paid on top`;
  }
}

/** Reports once how a payment ended after the person returns from their bank (ADR 371). Renders nothing. */
export default function ReturnedCharge() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const user = useUser();
  const [chargeId, setChargeId] = useState<string | null>(null);
  useEffect(() => {
    const parameters = new URLSearchParams(search);
    const id = parameters.get('charge');
    if (!user || id === null || !chargeShape.test(id)) return;
    setChargeId(id);
    parameters.delete('charge');
    const query = parameters.toString();
    // A reload must not announce the result again.
    navigate(query ? `${pathname}?${query}` : pathname, replaceBack);
  }, [pathname, search, user, navigate]);
  const { data: charge } = useCharge(chargeId);
  useEffect(() => {
    if (!charge || charge.id !== chargeId || !isChargeOver(charge)) return;
    setChargeId(null);
    moneyMoved();
    showToast(outcomeText(charge));
  }, [charge, chargeId]);
  return null;
}
